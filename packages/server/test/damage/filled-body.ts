/** An object with every field that its type has, each list and each map with several items. */

import { isRecord, type ResolvedSchema, type Schema, type SchemaSet } from '@listwatch/schema';

const SCALARS: Readonly<Record<string, unknown>> = {
  bool: true,
  bytes: 'AAEC',
  duration: '1s',
  float64: 1,
  int32: 1,
  int64: 1,
  intOrString: 1,
  microTime: '2026-01-01T00:00:00.000000Z',
  quantity: '1',
  string: 'a',
  time: '2026-01-01T00:00:00Z',
};

/** The value with what it lacks. What it has stays, and each of its lists gets another item. */
export function filledBody(schemas: SchemaSet, type: Schema, value: unknown, seen: readonly Schema[] = []): unknown {
  const schema = schemas.resolve(type);
  if ('fields' in schema) return filledFields(schemas, schema, value, [...seen, type]);
  if ('list' in schema) {
    const items = Array.isArray(value) ? value : [];
    const filled = items.map((item) => filledBody(schemas, schema.list, item, seen));
    return [
      ...filled,
      ...(isClosed(schemas, schema.list, seen) ? [] : [filledBody(schemas, schema.list, undefined, seen)]),
    ];
  }
  if ('map' in schema) {
    const added = isClosed(schemas, schema.map, seen) ? {} : { a: undefined, b: undefined };
    const entries = Object.entries({ ...added, ...(isRecord(value) ? value : {}) });
    return Object.fromEntries(entries.map(([key, item]) => [key, filledBody(schemas, schema.map, item, seen)]));
  }
  return value ?? schema.enum?.[0] ?? SCALARS[schema.type];
}

function filledFields(
  schemas: SchemaSet,
  { fields }: Extract<ResolvedSchema, { fields: unknown }>,
  value: unknown,
  seen: readonly Schema[],
): object {
  const present = isRecord(value) ? value : {};
  const names = Object.keys(fields).filter((name) => {
    if (Object.hasOwn(present, name)) return true;
    const field = fields[name];
    return field !== undefined && !isMetadata(seen, name) && !isClosed(schemas, field, seen);
  });
  const filled = names.map((name) => {
    const isKept = isMetadata(seen, name);
    return [name, isKept ? present[name] : filledBody(schemas, fields[name] ?? 'string', present[name], seen)] as const;
  });
  return { ...present, ...Object.fromEntries(filled) };
}

/** The names of an object are its own. */
function isMetadata(seen: readonly Schema[], name: string): boolean {
  return seen.length === 1 && (name === 'apiVersion' || name === 'kind' || name === 'metadata');
}

/** A type within itself (a schema within a schema) is not filled, nor one that JSON writes in a form of its own. */
function isClosed(schemas: SchemaSet, schema: Schema, seen: readonly Schema[]): boolean {
  const resolved = schemas.resolve(schema);
  if ('list' in resolved) return isClosed(schemas, resolved.list, seen);
  if ('map' in resolved) return isClosed(schemas, resolved.map, seen);
  const name = nameOf(schema);
  return ('form' in resolved && resolved.form !== undefined) || seen.some((outer) => nameOf(outer) === name);
}

function nameOf(schema: Schema): string | undefined {
  if (typeof schema === 'string') return schema;
  return 'type' in schema ? schema.type : undefined;
}

/** The value with every item of its lists twice, at every depth: all of their names are taken. */
export function doubledLists(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(doubledLists);
    return [...items, ...items];
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, doubledLists(member)]));
}
