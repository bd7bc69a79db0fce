/** ServiceAccount: the identity of a pod towards the API. */

import { recordsOf } from '../../json/json-value.ts';
import type { KindRules } from '../../kind-rules.ts';
import type { KubeObject } from '../../resource-definition.ts';
import { namedTable } from '../../table-column.ts';

/** The rules of ServiceAccount. */
export const serviceAccount: KindRules = {
  columns: namedTable([], () => []),
  onCreate: namesOnly,
  onUpdate: namesOnly,
  strategy: { returnsDeletedObject: true },
};

/** A secret is of the same namespace: its name says all. */
function namesOnly(object: KubeObject): KubeObject {
  const secrets = recordsOf(object['secrets']);
  if (secrets.every((secret) => Object.keys(secret).every((field) => field === 'name'))) return object;
  return { ...object, secrets: secrets.map(({ name }) => ({ name })) };
}
