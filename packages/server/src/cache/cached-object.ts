/** An object in the cache: its bytes as they are served, and the few facts that selectors ask for. */

import type { Labels } from '@listwatch/api';
import type { Entry } from '@listwatch/storage';
import type { ObjectLayout } from '../kinds/object-layout.ts';
import type { KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { decodeJson } from '../kinds/shapes/exact-json.ts';
import type { WrittenObject } from '../kinds/written-objects.ts';

/** Never changed: a change of the object is another one of these. */
export interface CachedObject {
  /** The path below the kind's folder: `namespace/name`, or `name` for cluster-scoped kinds. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  /** The commit that made it so. */
  readonly revision: bigint;
  /** JSON, resourceVersion included. Shared by every answer: never write into it. */
  readonly bytes: Buffer;
  readonly labels: Labels;
  /** Selectable fields by name, metadata.name and metadata.namespace included. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Turns what the store holds into what the cache holds: the one place where an object is parsed, unless `written` is what
 * the verb that wrote it has left.
 */
export function cacheObject(
  definition: ResourceDefinition,
  layout: ObjectLayout,
  root: string,
  { key: storageKey, value, modRevision }: Entry,
  written?: WrittenObject,
): CachedObject {
  const bytes = written?.served(modRevision) ?? layout.withRevision(value, modRevision);
  const key = storageKey.slice(root.length);
  const slash = definition.resource.namespaced ? key.indexOf('/') : -1;
  const namespace = slash === -1 ? '' : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const { labels, fields: own } = written ?? factsOf(definition, parseObject(bytes));
  const fields = { ...own, 'metadata.name': name, 'metadata.namespace': namespace };
  return { key, namespace, name, revision: modRevision, bytes, labels, fields };
}

function factsOf(definition: ResourceDefinition, object: KubeObject): Pick<CachedObject, 'fields' | 'labels'> {
  return { labels: object.metadata.labels, fields: definition.fieldsOf(object) };
}

/** The object that bytes of ours hold. */
export function parseObject(bytes: Uint8Array): KubeObject {
  const object = decodeJson(bytes);
  if (!isKubeObject(object)) throw new SyntaxError('a stored object has no metadata');
  return object;
}

function isKubeObject(value: unknown): value is KubeObject {
  return typeof value === 'object' && value !== null && 'metadata' in value && typeof value.metadata === 'object';
}
