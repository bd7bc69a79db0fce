/** Reads a CustomResourceDefinition without its schemas: they are most of its bytes, and few of them are ever used. */

import { isRecord } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { decodeJson } from './exact-json.ts';
import { endOfObject } from './json-scan.ts';

/**
 * A quote that ends a name is followed by a colon, and quotes within texts have a backslash before them: these bytes are the
 * name of a member, wherever they stand.
 */
const SCHEMA = Buffer.from('"openAPIV3Schema":{');
const EMPTY = Buffer.from('{}');

/**
 * The definition with empty schemas. The bytes must be in the server's own form, without blanks. Throws a `SyntaxError` when they are
 * no object; errors within a schema appear when that schema is read.
 */
export function definitionHead(bytes: Uint8Array): KubeObject {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let rest = 0;
  for (let at = whole.indexOf(SCHEMA); at !== -1; at = whole.indexOf(SCHEMA, rest)) {
    const start = at + SCHEMA.length - 1;
    parts.push(whole.subarray(rest, start), EMPTY);
    rest = endOfObject(whole, start);
  }
  const object = decodeJson(parts.length === 0 ? whole : Buffer.concat([...parts, whole.subarray(rest)]));
  if (!isRecord(object) || !isRecord(object['metadata'])) throw new SyntaxError('a definition has no metadata');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- objects with metadata are objects of the API
  return object as unknown as KubeObject;
}
