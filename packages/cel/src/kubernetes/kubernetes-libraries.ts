/** The libraries that Kubernetes gives to all expressions. */
import { authorizerLibrary } from '../extensions/authorizer-library.ts';
import { cidrLibrary } from '../extensions/cidr-library.ts';
import { formatLibrary } from '../extensions/format-library.ts';
import { ipLibrary } from '../extensions/ip-library.ts';
import { listFunctionsLibrary } from '../extensions/list-functions-library.ts';
import { listsLibrary } from '../extensions/lists-library.ts';
import { quantityLibrary } from '../extensions/quantity-library.ts';
import { regexLibrary } from '../extensions/regex-library.ts';
import { semverLibrary } from '../extensions/semver-library.ts';
import { setsLibrary } from '../extensions/sets-library.ts';
import { stringsLibrary } from '../extensions/strings-library.ts';
import { urlLibrary } from '../extensions/url-library.ts';
import type { CelLibrary } from '../standard/cel-library.ts';

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
