/** `jsonpatch.escapeKey`: a key as a part of a path in a JSON patch. */
import type { CelLibrary } from '../standard/cel-library.ts';
import { STRING } from '../types/cel-type.ts';
import { functions, plainOverload } from './declare.ts';

/** The library of JSON patches. */
export const jsonPatchLibrary: CelLibrary = {
  name: 'kubernetes.jsonpatch',
  functions: functions({
    'jsonpatch.escapeKey': [plainOverload('string_jsonpatch_escapeKey_string', [STRING], STRING, escapeKey)],
  }),
};

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
