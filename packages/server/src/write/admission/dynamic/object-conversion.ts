/** Converts an object to another version in which it is served, for `matchPolicy: Equivalent`. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { layoutOf } from '../../../stored/stored-object.ts';

/** The object in the version of `to`. Rejects when the conversion webhook of a custom kind fails. */
export async function convertObject(
  from: ResourceDefinition,
  to: ResourceDefinition,
  object: KubeObject,
): Promise<KubeObject> {
  if (from === to) return object;
  if (to.form === undefined || from.form === undefined) return builtIn(to, object);
  const stored = await from.form.store(layoutOf(from).encode(object));
  const entry = { key: '', value: stored, modRevision: 0n };
  const [converted = entry] = (await to.form.convert?.([entry])) ?? [entry];
  const { object: shown } = to.form.show(converted.value);
  // The version of the store is not in the stored form.
  const { resourceVersion } = object.metadata;
  return resourceVersion === undefined ? shown : { ...shown, metadata: { ...shown.metadata, resourceVersion } };
}

async function builtIn(to: ResourceDefinition, object: KubeObject): Promise<KubeObject> {
  await to.load();
  if (to.convert === undefined) throw new TypeError(`${to.resource.kind} is served in one version only`);
  return to.convert(object);
}
