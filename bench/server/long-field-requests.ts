/** Requests out of the schemas: every list and every map of every built-in kind, as long as the limits allow. */

import { isRecord, textOf } from '@listwatch/api/values';
import { FUZZ_KINDS, type FuzzKind } from '@listwatch/conformance/fuzz';
import { KIND_TABLE, type KindData, loadSchemas } from '@listwatch/kinds/data';
import { type ResolvedSchema, type Schema, type SchemaSet } from '@listwatch/schema';
import type { OwnedBody } from '../../packages/server/test/kind-bodies/owned-body.ts';
import { WHOLE_BODIES } from '../../packages/server/test/kind-bodies/whole-bodies.ts';
import type { HeavyRequest } from './heavy-requests.ts';
import { repeatedItems } from './repeated-items.ts';

type Path = readonly (number | string)[];

/** What the body of a request may have, and what a stored object may have with some room for its managers. */
const MAX_BYTES = 3 * 1024 * 1024;
const STORED_BYTES = 1_000_000;

/** More than the members and the parts of a body beside those of the long field. */
const OTHER_PARTS = 900;

const BODIES: readonly OwnedBody[] = [...WHOLE_BODIES, ...FUZZ_KINDS.map(fuzzed)];

function fuzzed({ root, plural, namespaced, object }: FuzzKind): OwnedBody {
  const { kind, metadata: _metadata, apiVersion: _version, ...body } = object;
  return { apiVersion: root.replace(/^\/apis?\//u, ''), kind: textOf(kind), plural, namespaced, body };
}

/** The items of a long field. */
type ItemForm = 'bad' | 'empty' | 'good';

/** A body with one long field. */
interface LongBody {
  /** The kind, the field and the form of its items. */
  readonly title: string;
  readonly form: ItemForm;
  readonly collection: string;
  readonly name: string;
  readonly body: () => string;
}

/**
 * A creation for every list and every map, with items that are empty, that each have a mistake, and that are good; and changes of
 * the objects with good ones, as far as these can be created. A body is made when it is asked for: all of them have 2 GB.
 */
export async function longFieldRequests(): Promise<readonly HeavyRequest[]> {
  const schemas = await loadSchemas();
  // The first body of a kind has the most fields.
  const all = BODIES.flatMap((body) => [...longBodies(schemas, body)]).toReversed();
  const bodies = new Map(all.map((one) => [one.title, one]));
  return [...bodies.values()].flatMap(requestsOf);
}

function requestsOf({ title, form, collection, name, body }: LongBody): readonly HeavyRequest[] {
  const request = (what: string, method: string, path: string, type: string, isChange: boolean): HeavyRequest => ({
    name: `${what} ${title}`,
    method,
    path,
    type,
    get body() {
      return isChange ? body().replace('"app":"a"', '"app":"b"') : body();
    },
    get before() {
      return isChange ? ([collection, body()] as const) : undefined;
    },
  });
  const path = `${collection}/${name}`;
  const create = request('create', 'POST', collection, 'application/json', false);
  if (form !== 'good') return [create];
  return [
    create,
    request('merge', 'PATCH', path, 'application/merge-patch+json', true),
    request('strategic', 'PATCH', path, 'application/strategic-merge-patch+json', true),
    request('apply', 'PATCH', `${path}?fieldManager=bench&force=true`, 'application/apply-patch+yaml', true),
  ];
}

function* longBodies(schemas: SchemaSet, owned: OwnedBody): Iterable<LongBody> {
  const { apiVersion, kind, plural, namespaced, name = 'rich', body } = owned;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const collection = `${root}/${namespaced ? 'namespaces/default/' : ''}${plural}`;
  const data = kindOf(owned);
  const object = { apiVersion, kind, metadata: { name, labels: { app: 'a' } }, ...body };
  for (const { path, schema } of longFields(schemas, data.type, new Set(), [])) {
    // All kinds share the rules of metadata, and nearly all workloads those of templates.
    if (path[0] === 'metadata' && kind !== 'ConfigMap') continue;
    if (path.join('.').includes('template.spec.') && kind !== 'Deployment') continue;
    for (const form of ['empty', 'bad', 'good'] as const) {
      if (form === 'good' && valueAt(object, path) === undefined) continue;
      const title = `${data.type} ${path.join('.')} ${form}`;
      yield { title, form, collection, name, body: () => filled(schemas, object, path, schema, form) };
    }
  }
}

function kindOf({ apiVersion, kind }: OwnedBody): KindData {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found = KIND_TABLE.find((one) => one.group === group && one.version === version && one.kind === kind);
  if (found === undefined) throw new Error(`there is no kind ${apiVersion} ${kind}`);
  return found;
}

/** Every list and map below a schema. A struct that is met again is not entered again. */
function* longFields(
  schemas: SchemaSet,
  schema: Schema,
  seen: Set<ResolvedSchema>,
  path: Path,
): Iterable<{ readonly path: Path; readonly schema: ResolvedSchema }> {
  const resolved = schemas.resolve(schema);
  if ('list' in resolved || 'map' in resolved) {
    yield { path, schema: resolved };
    const inner = 'list' in resolved ? resolved.list : resolved.map;
    yield* longFields(schemas, inner, seen, [...path, 'list' in resolved ? 0 : 'k']);
  } else if ('fields' in resolved) {
    if (seen.has(resolved)) return;
    seen.add(resolved);
    for (const [name, field] of Object.entries(resolved.fields)) {
      if (name === 'managedFields') continue;
      yield* longFields(schemas, field, seen, [...path, name]);
    }
  }
}

const BAD_TEXT = 'A b!';
const BAD: Readonly<Record<string, unknown>> = {
  bool: true,
  bytes: 'AAEC',
  duration: '-1s',
  float64: -1.5,
  int32: -1,
  int64: -1,
  intOrString: -1,
  microTime: '2026-01-01T00:00:00.000000Z',
  quantity: '-1',
  string: BAD_TEXT,
  time: '2026-01-01T00:00:00Z',
};

/** The smallest value with a mistake of its own. */
function badValue(schemas: SchemaSet, schema: Schema, depth = 0): unknown {
  const resolved = schemas.resolve(schema);
  if ('fields' in resolved) {
    if (depth > 1) return {};
    const fields = Object.entries(resolved.fields).slice(0, depth === 0 ? 4 : 1);
    return Object.fromEntries(fields.map(([name, field]) => [name, badValue(schemas, field, depth + 1)]));
  }
  if ('list' in resolved) return depth > 1 ? [] : [badValue(schemas, resolved.list, depth + 1)];
  if ('map' in resolved) return { [BAD_TEXT]: depth > 1 ? null : badValue(schemas, resolved.map, depth + 1) };
  return BAD[resolved.type] ?? {};
}

function emptyValue(schemas: SchemaSet, schema: Schema): unknown {
  const resolved = schemas.resolve(schema);
  if ('list' in resolved) return [];
  if ('fields' in resolved || 'map' in resolved) return {};
  const zeros: Readonly<Record<string, unknown>> = { bool: false, float64: 0, int32: 0, int64: 0, intOrString: 0 };
  return (
    zeros[resolved.type] ??
    (BAD[resolved.type] === BAD_TEXT || resolved.type === 'bytes' ? '' : (BAD[resolved.type] ?? {}))
  );
}

const MARK = '#HERE#';

function filled(schemas: SchemaSet, object: unknown, path: Path, schema: ResolvedSchema, form: ItemForm): string {
  const isList = 'list' in schema;
  const inner = isList ? schema.list : 'map' in schema ? schema.map : 'string';
  const known = valueAt(object, path);
  const good = Array.isArray(known) ? known[0] : isRecord(known) ? Object.values(known)[0] : undefined;
  const item =
    form === 'empty' ? emptyValue(schemas, inner) : form === 'bad' ? badValue(schemas, inner) : numbered(good);
  const text = `${isList ? '' : form === 'bad' ? `"${BAD_TEXT}#":` : '"k#":'}${JSON.stringify(item)}`;
  const rest = JSON.stringify(withValue(object, path, MARK));
  const [before = '', after = ''] = rest.split(JSON.stringify(MARK));
  const items = repeatedItems(text, {
    bytes: form === 'good' ? STORED_BYTES : MAX_BYTES - rest.length,
    otherParts: OTHER_PARTS,
  });
  return `${before}${isList ? '[' : '{'}${items}${isList ? ']' : '}'}${after}`;
}

/** An item whose names have a number, so that no two of a list are the same. */
function numbered(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return NAMES.test(key) || key === '' ? `${value}#` : value;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner], index) => [
      name,
      index === 0 || NAMES.test(name) ? numbered(inner, name) : inner,
    ]),
  );
}

const NAMES = /^(?:name|key|type|mountPath|devicePath|uid|ip|host|path)$/u;

function valueAt(object: unknown, path: Path): unknown {
  let value = object;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isRecord(value)) value = step === 'k' && !('k' in value) ? Object.values(value)[0] : value[step];
    else return undefined;
  }
  return value;
}

function withValue(object: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const items = Array.isArray(object) ? object : [];
    return [withValue(items[0], rest, value), ...items.slice(1)];
  }
  const record = isRecord(object) ? object : {};
  return { ...record, [first]: withValue(record[first], rest, value) };
}
