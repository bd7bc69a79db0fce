/** CSIStorageCapacity: how much a driver can still give out in a part of the cluster. */

import { checkDnsSubdomain, type FieldError, fieldInvalid } from '@listwatch/api';
import { quantitySign, textOf } from '@listwatch/api/values';
import { DEFAULT_TABLE } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { immutable } from '../../validation/immutable-field.ts';
import { validateLabelSelector } from '../../validation/label-selector-rules.ts';

/** The rules of CSIStorageCapacity. */
export const csiStorageCapacity: KindRules = {
  columns: DEFAULT_TABLE,
  validate,
  validateUpdate: (object, old) => [
    ...validate(object),
    ...immutable('nodeTopology', object['nodeTopology'], old['nodeTopology']),
    ...immutable('storageClassName', object['storageClassName'], old['storageClassName']),
  ],
  strategy: { allowsUnconditionalUpdate: false },
};

function validate({ nodeTopology, storageClassName, capacity }: KubeObject): readonly FieldError[] {
  const name = textOf(storageClassName);
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...checkDnsSubdomain(name).map((complaint) => fieldInvalid('storageClassName', name, complaint)),
    ...(capacity !== undefined && quantitySign(capacity) < 0
      ? [fieldInvalid('capacity', capacity, 'must be greater than or equal to 0')]
      : []),
  ];
}
