/** The media types of patches. */

import { MEDIA_TYPE } from '@listwatch/api';
import type { Patch } from '../object-part.ts';

/** The `Content-Type` of each form. What is applied is JSON too, which is YAML. */
export const PATCH_TYPE: Readonly<Record<Patch['type'], string>> = {
  apply: MEDIA_TYPE.applyPatch,
  json: MEDIA_TYPE.jsonPatch,
  merge: MEDIA_TYPE.mergePatch,
  strategic: MEDIA_TYPE.strategicMergePatch,
};
