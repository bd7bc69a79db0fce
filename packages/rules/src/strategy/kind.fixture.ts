/** What the tests of kinds share: objects of a kind, prepared and judged as the verbs do it. */

import { fieldErrorsText } from '@listwatch/api';
import { finish } from '@listwatch/schema';
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

/** What is wrong with a new object; `''` when nothing is. */
export function complaints(definition: KindDefinition, fields: Fields = {}, metadata: Fields = {}): string {
  const object = created(definition, fields, metadata);
  const { validate, judge } = definition.strategy;
  return fieldErrorsText([
    ...validate(object),
    ...(judge === undefined ? [] : finish(judge(object, undefined, '')).errors),
  ]);
}

/** What is wrong with a change of a stored object. */
export function changeComplaints(definition: KindDefinition, old: KubeObject, fields: Fields): string {
  const changed = definition.strategy.prepareForUpdate({ ...old, ...fields }, old, 0);
  const { validateUpdate, judge } = definition.strategy;
  const judged = judge === undefined ? [] : finish(judge(changed, old, '')).errors;
  return fieldErrorsText([...validateUpdate(changed, old), ...judged]);
}
