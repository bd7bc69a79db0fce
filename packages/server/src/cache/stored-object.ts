/** Between the bytes that an engine keeps and the objects that verbs work on. */

import { apiVersionOf } from '@listwatch/api';
import type { Entry } from '@listwatch/storage';
import { ObjectLayout } from '../kinds/object-layout.ts';
import type { KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { decodeJson } from '../kinds/shapes/exact-json.ts';
import { extended, isRecord } from '../kinds/shapes/json-value.ts';
import { WrittenObject } from '../kinds/written-objects.ts';

const layouts = new WeakMap<ResourceDefinition, ObjectLayout>();

/** The layout of a kind's bytes: made once for each definition. */
export function layoutOf(definition: ResourceDefinition): ObjectLayout {
  const known = layouts.get(definition);
  if (known !== undefined) return known;
  const { resource } = definition;
  const layout = new ObjectLayout({ kind: resource.kind, apiVersion: apiVersionOf(resource) }, definition.convert);
  layouts.set(definition, layout);
  return layout;
}

/** An object that is about to be written, with its bytes. */
export function writtenObject(definition: ResourceDefinition, object: KubeObject): WrittenObject {
  return new WrittenObject(definition, layoutOf(definition), object);
}

/** The object of an entry, as its kind has it, with the resourceVersion of its commit. */
export function storedObject(definition: ResourceDefinition, { key, value, modRevision }: Entry): KubeObject {
  const object = decodeJson(value);
  if (!isKubeObject(object)) throw new SyntaxError(`what is stored under ${key} is no object of the API`);
  const { convert, resource } = definition;
  const own = convert === undefined || object.apiVersion === apiVersionOf(resource) ? object : convert(object);
  return { ...own, metadata: extended(own.metadata, { resourceVersion: String(modRevision) }) };
}

/** The bytes of an entry as they are served. */
export function servedBytes(definition: ResourceDefinition, { value, modRevision }: Entry): Buffer {
  return layoutOf(definition).withRevision(value, modRevision);
}

/** The verbs alone write below the registry; this tells what they write from what strangers might have put there. */
function isKubeObject(value: unknown): value is KubeObject {
  return isRecord(value) && isRecord(value['metadata']) && typeof value['kind'] === 'string';
}
