/** The libraries that Kubernetes gives to all expressions. */

import type { CelLibrary } from '../standard/cel-library.ts';
import { authorizerLibrary } from './authorizer-library.ts';
import { cidrLibrary } from './cidr-library.ts';
import { formatLibrary } from './format-library.ts';
import { ipLibrary } from './ip-library.ts';
import { listFunctionsLibrary } from './list-functions-library.ts';
import { listsLibrary } from './lists-library.ts';
import { quantityLibrary } from './quantity-library.ts';
import { regexLibrary } from './regex-library.ts';
import { semverLibrary } from './semver-library.ts';
import { setsLibrary } from './sets-library.ts';
import { stringsLibrary } from './strings-library.ts';
import { urlLibrary } from './url-library.ts';

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
