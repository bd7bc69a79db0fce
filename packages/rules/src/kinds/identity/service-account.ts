/** ServiceAccount: the identity of a pod towards the API. */

import { recordsOf } from '@listwatch/api/values';
import { namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';

/** The rules of ServiceAccount. */
export const serviceAccount: KindRules = {
  columns: namedTable([], () => []),
  onCreate: namesOnly,
  onUpdate: namesOnly,
  strategy: { returnsDeletedObject: true },
};

/** Keeps only the names of secrets: they are in the namespace of the account. */
function namesOnly(object: KubeObject): KubeObject {
  const secrets = recordsOf(object['secrets']);
  if (secrets.every((secret) => Object.keys(secret).every((field) => field === 'name'))) return object;
  return { ...object, secrets: secrets.map(({ name }) => ({ name })) };
}
