/** The libraries that Kubernetes gives to all expressions. */
import { authorizerLibrary } from '../libraries/authorizer-library.ts';
import { cidrLibrary } from '../libraries/cidr-library.ts';
import { formatLibrary } from '../libraries/format-library.ts';
import { ipLibrary } from '../libraries/ip-library.ts';
import { listFunctionsLibrary } from '../libraries/list-functions-library.ts';
import { listsLibrary } from '../libraries/lists-library.ts';
import { quantityLibrary } from '../libraries/quantity-library.ts';
import { regexLibrary } from '../libraries/regex-library.ts';
import { semverLibrary } from '../libraries/semver-library.ts';
import { setsLibrary } from '../libraries/sets-library.ts';
import { stringsLibrary } from '../libraries/strings-library.ts';
import { urlLibrary } from '../libraries/url-library.ts';
import type { CelLibrary } from '../library/cel-library.ts';

/** In the order in which Kubernetes adds them: it decides which overload comes first. */
export const KUBERNETES_LIBRARIES: readonly CelLibrary[] = [
  urlLibrary,
  regexLibrary,
  listFunctionsLibrary,
  authorizerLibrary,
  quantityLibrary,
  stringsLibrary,
  setsLibrary,
  ipLibrary,
  cidrLibrary,
  formatLibrary,
  semverLibrary,
  listsLibrary,
];
