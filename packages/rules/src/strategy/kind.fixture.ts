/** Helpers for tests of kinds: prepare and validate objects as the verbs do. */

import { fieldErrorsText } from '@listwatch/api';
import type { KubeObject } from '../kube-object.ts';
import type { KindDefinition } from './kind-definition.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object as a client sends it; `metadata` is added to a name and a namespace. */
export function sent(definition: KindDefinition, fields: Fields = {}, metadata: Fields = {}): KubeObject {
  const { group, version, kind, namespaced } = definition.resource;
  return {
    kind,
    apiVersion: group === '' ? version : `${group}/${version}`,
    metadata: { name: 'a', ...(namespaced ? { namespace: 'n' } : {}), ...metadata },
    ...fields,
  };
}

/** The object as it is stored after its creation. */
export function created(definition: KindDefinition, fields: Fields = {}, metadata: Fields = {}): KubeObject {
  return definition.strategy.prepareForCreate(sent(definition, fields, metadata), 0);
}

/** The errors of a new object; `''` when it is valid. */
export function complaints(definition: KindDefinition, fields: Fields = {}, metadata: Fields = {}): string {
  const object = created(definition, fields, metadata);
  return fieldErrorsText(definition.strategy.validate(object, undefined, '').errors);
}

/** The errors of a change of a stored object. */
export function changeComplaints(definition: KindDefinition, old: KubeObject, fields: Fields): string {
  const changed = definition.strategy.prepareForUpdate({ ...old, ...fields }, old, 0);
  return fieldErrorsText(definition.strategy.validate(changed, old, '').errors);
}
