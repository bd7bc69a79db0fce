/** Converts between the bytes that an engine stores and the objects that verbs work on. */

import { apiVersionOf } from '@listwatch/api';
import { extended, isRecord } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { Entry } from '@listwatch/storage';
import type { ReadKind } from '../kinds/read-kind.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { decodeJson } from './exact-json.ts';
import { ObjectLayout } from './object-layout.ts';
import { isOwned } from './owned-object.ts';
import type { ShownEntry } from './shown-entry.ts';
import { undecodableError } from './undecodable-error.ts';
import { WrittenObject } from './written-objects.ts';

const layouts = new WeakMap<ReadKind, ObjectLayout>();

/** The layout of a kind's bytes: made once for each definition. */
export function layoutOf(definition: ReadKind): ObjectLayout {
  const known = layouts.get(definition);
  if (known !== undefined) return known;
  const { resource } = definition;
  const layout = new ObjectLayout({ kind: resource.kind, apiVersion: apiVersionOf(resource) }, definition.convert);
  layouts.set(definition, layout);
  return layout;
}

/** An object that is about to be written, with its bytes. */
export function writtenObject(definition: ResourceDefinition, object: KubeObject): WrittenObject {
  const layout = layoutOf(definition);
  return new WrittenObject(definition, layout, {
    value: layout.encode(object),
    labels: object.metadata.labels,
    fields: definition.fieldsOf(object),
    owned: isOwned(object.metadata),
  });
}

/** The object of an entry, with the resourceVersion of its commit. Throws `CORRUPT` for a value that is not an object. */
export function storedObject(definition: ReadKind, entry: ShownEntry): KubeObject {
  const { key, value, modRevision } = entry;
  const object = entry.object ?? parsed(value);
  if (!isKubeObject(object)) throw undecodableError(key, modRevision);
  const { convert, resource } = definition;
  const own = convert === undefined || object.apiVersion === apiVersionOf(resource) ? object : convert(object);
  return { ...own, metadata: extended(own.metadata, { resourceVersion: String(modRevision) }) };
}

const CLOSING_BRACE = 0x7d;
const SPACE = 0x20;

/** The bytes of an entry as they are served, not parsed. Throws `CORRUPT` for a value that is truncated or has another form. */
export function servedBytes(definition: ReadKind, { key, value, modRevision }: Entry): Buffer {
  let last = value.length - 1;
  while ((value[last] ?? CLOSING_BRACE) <= SPACE) last -= 1;
  if (value[last] !== CLOSING_BRACE) throw undecodableError(key, modRevision);
  try {
    return layoutOf(definition).withRevision(value, modRevision);
  } catch {
    throw undecodableError(key, modRevision);
  }
}

function parsed(value: Uint8Array): unknown {
  try {
    return decodeJson(value);
  } catch {
    return undefined;
  }
}

/** Is the value an object of the API? Other programs may write other values to the store. */
function isKubeObject(value: unknown): value is KubeObject {
  return isRecord(value) && isRecord(value['metadata']) && typeof value['kind'] === 'string';
}
