/** Decodes objects that stand in a row. */

import type { ObjectDecoder } from '../cluster.ts';
import { COMMA, skipBlanks } from './json-byte.ts';

/** Decodes objects with commas between them. Throws what `next` throws, and a SyntaxError when there is no comma. */
export function decodeRun<T>(next: NonNullable<ObjectDecoder<T>['next']>, json: Uint8Array): readonly T[] {
  const objects: T[] = [];
  let at = 0;
  for (;;) {
    const { object, end } = next(json, at);
    objects.push(object);
    at = skipBlanks(json, end);
    if (at === json.length) return objects;
    if (json[at] !== COMMA) throw new SyntaxError(`no comma behind an item, at ${at}`);
    at += 1;
  }
}
