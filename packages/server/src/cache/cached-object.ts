/** An object in the cache: its bytes as they are served, and the labels and fields that selectors match. */

import type { Labels } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { Entry } from '@listwatch/storage';
import type { ReadKind } from '../kinds/read-kind.ts';
import { definitionHead } from '../stored/definition-head.ts';
import { decodeJson } from '../stored/exact-json.ts';
import { objectHead } from '../stored/object-head.ts';
import { isOwned } from '../stored/owned-object.ts';
import type { ReadLayout } from '../stored/read-layout.ts';
import type { WrittenObject } from '../stored/written-objects.ts';

/** Immutable: a changed object is a new one of these. */
export interface CachedObject {
  /** The path below the kind's folder: `namespace/name`, or `name` for cluster-scoped kinds. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  /** The revision of its commit. */
  readonly revision: bigint;
  /** JSON, resourceVersion included. Answers share it: never write into it. */
  readonly bytes: Buffer;
  readonly labels: Labels;
  /** Selectable fields by name, metadata.name and metadata.namespace included. */
  readonly fields: Readonly<Record<string, string>>;
  /** Does it concern the garbage collector? See `isOwned`. */
  readonly owned: boolean;
  /** The store has it in another form (custom kinds). Absent: it does not. */
  readonly isRewritten?: boolean | undefined;
  /** See `ShownObject`. Absent: it is not. */
  readonly isStale?: boolean | undefined;
}

/** What an object takes beside its bytes: its keys, its fields and a few labels. Each label has its bytes and an entry of a table. */
const OBJECT_BYTES = 400;
const LABEL_BYTES = 80;

/** About how much memory an object takes. Thousands of short labels take five times their bytes. */
export function objectBytes({ bytes, labels }: CachedObject): number {
  let count = 0;
  for (const _ in labels) count += 1;
  return bytes.length + OBJECT_BYTES + count * LABEL_BYTES;
}

/** How much of the objects of a type has to be read for their facts. Default: their heads. */
const FACT_READERS: Readonly<Record<TypeName, (bytes: Uint8Array) => KubeObject>> = {
  'apiextensions/v1.CustomResourceDefinition': definitionHead,
  // Their fields are read from members of either version.
  'core/v1.Event': parseObject,
  'events/v1.Event': parseObject,
};

function readFacts({ data }: ReadKind, bytes: Buffer): KubeObject {
  return FACT_READERS[data.type]?.(bytes) ?? objectHead(bytes, data.selectableFields);
}

/**
 * Decodes an entry of the store. It is parsed here and nowhere else on the way to a reader, and not even here when
 * `written` is what the verb that wrote it knows. Throws for a value that is not an object of the kind.
 */
export function cacheObject(
  definition: ReadKind,
  layout: ReadLayout,
  root: string,
  { key: storageKey, value, modRevision }: Entry,
  written?: WrittenObject,
): CachedObject {
  const shown = written === undefined ? definition.form?.show(value) : undefined;
  const bytes = written?.served(modRevision) ?? layout.withRevision(shown?.value ?? value, modRevision);
  const key = storageKey.slice(root.length);
  const slash = definition.resource.namespaced ? key.indexOf('/') : -1;
  const namespace = slash === -1 ? '' : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const { labels, fields: own, owned } = written ?? factsOf(definition, shown?.object ?? readFacts(definition, bytes));
  const fields = { ...own, 'metadata.name': name, 'metadata.namespace': namespace };
  return {
    key,
    namespace,
    name,
    revision: modRevision,
    bytes,
    labels,
    fields,
    owned,
    ...(shown?.isRewritten === true ? { isRewritten: true } : {}),
    ...(shown?.isStale === true ? { isStale: true } : {}),
  };
}

/** As `cacheObject`; undefined for a value that cannot be decoded. */
export function tryCacheObject(...args: Parameters<typeof cacheObject>): CachedObject | undefined {
  try {
    return cacheObject(...args);
  } catch {
    return undefined;
  }
}

function factsOf(definition: ReadKind, object: KubeObject): Pick<CachedObject, 'fields' | 'labels' | 'owned'> {
  const { metadata } = object;
  return { labels: metadata.labels, fields: definition.fieldsOf(object), owned: isOwned(metadata) };
}

/** Parses an object that this server encoded. */
export function parseObject(bytes: Uint8Array): KubeObject {
  const object = decodeJson(bytes);
  if (!isKubeObject(object)) throw new SyntaxError('a stored object has no metadata');
  return object;
}

function isKubeObject(value: unknown): value is KubeObject {
  return typeof value === 'object' && value !== null && 'metadata' in value && typeof value.metadata === 'object';
}
