/** Goes through all schemas within a schema, without recursion. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';

const ONE = ['items', 'not', 'additionalProperties', 'additionalItems'] as const;
const LISTS = ['allOf', 'anyOf', 'oneOf', 'items'] as const;
const MAPS = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

/** The schemas right below a schema. */
export function schemasBelow(schema: JsonRecord): readonly JsonRecord[] {
  const found: JsonRecord[] = [];
  for (const name of ONE) {
    const one = schema[name];
    if (isRecord(one)) found.push(one);
  }
  for (const name of LISTS) {
    const list = schema[name];
    if (Array.isArray(list)) pushSchemas(found, list);
  }
  for (const name of MAPS) {
    const map = schema[name];
    if (isRecord(map)) pushSchemas(found, Object.values(map));
  }
  return found;
}

/** Not with a spread: a hundred thousand arguments are too many for a call. */
function pushSchemas(found: JsonRecord[], values: readonly unknown[]): void {
  for (const value of values) {
    if (isRecord(value)) found.push(value);
  }
}

const BELOW: ReadonlySet<string> = new Set([...ONE, ...LISTS, ...MAPS]);

/** May there be schemas below? Most schemas are those of scalars. */
function hasBelow(schema: JsonRecord): boolean {
  for (const word in schema) if (BELOW.has(word)) return true;
  return false;
}

/** A schema and all within it, outer ones first. */
export function* allSchemas(schema: JsonRecord): Generator<JsonRecord, void, undefined> {
  const waiting = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    if (hasBelow(next)) pushSchemas(waiting, schemasBelow(next).toReversed());
  }
}

/** Does a schema, or one within it, have this property? */
export function hasSchema(schema: JsonRecord, test: (schema: JsonRecord) => boolean): boolean {
  for (const one of allSchemas(schema)) {
    if (test(one)) return true;
  }
  return false;
}

/** How deep schemas stand in one another; `max` at most. */
export function schemaDepth(schema: JsonRecord, max: number): number {
  let level: readonly JsonRecord[] = [schema];
  let depth = 0;
  while (level.length > 0 && depth < max) {
    depth += 1;
    level = level.flatMap(schemasBelow);
  }
  return depth;
}
