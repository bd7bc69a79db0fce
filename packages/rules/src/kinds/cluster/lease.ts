/** Lease: the holder of a lock or the heartbeat of a node, with its duration. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';

/** The rules of Lease. */
export const lease: KindRules = {
  columns: namedTable([column('Holder', 'Who holds the lease.')], (object) => [
    textOf(recordOf(object['spec'])['holderIdentity']),
  ]),
  onCreate: withoutGatedFields,
  onUpdate: withoutGatedFields,
  validate,
  strategy: { allowsUnconditionalUpdate: false, allowsCreateOnUpdate: true },
};

/** Drops the fields of coordinated leader election, whose feature gate is off in Kubernetes. */
function withoutGatedFields(object: KubeObject): KubeObject {
  const { strategy, preferredHolder, ...spec } = recordOf(object['spec']);
  return strategy === undefined && preferredHolder === undefined ? object : { ...object, spec };
}

function validate(object: KubeObject): readonly FieldError[] {
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = recordOf(object['spec']);
  const errors: FieldError[] = [];
  if (typeof seconds === 'number' && seconds <= 0) {
    errors.push(fieldInvalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
  }
  if (typeof transitions === 'number' && transitions < 0) {
    errors.push(fieldInvalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  }
  return errors;
}
