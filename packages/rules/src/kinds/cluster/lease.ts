/** Lease: the holder of a lock or the heartbeat of a node, with its duration. */

import { checkQualifiedName, type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';

/** The rules of Lease. */
export const lease: KindRules = {
  columns: namedTable([column('Holder', 'Who holds the lease.')], (object) => [
    textOf(recordOf(object['spec'])['holderIdentity']),
  ]),
  validate,
  strategy: { allowsUnconditionalUpdate: false, allowsCreateOnUpdate: true },
};

function validate(object: KubeObject): readonly FieldError[] {
  const spec = recordOf(object['spec']);
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions, preferredHolder } = spec;
  const errors: FieldError[] = [];
  if (typeof seconds === 'number' && seconds <= 0) {
    errors.push(fieldInvalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
  }
  if (typeof transitions === 'number' && transitions < 0) {
    errors.push(fieldInvalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  }
  const strategy = spec['strategy'];
  if (typeof strategy === 'string') errors.push(...validateStrategy(strategy));
  if (textOf(preferredHolder) !== '' && textOf(strategy) === '') {
    errors.push(fieldForbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
  }
  return errors;
}

function validateStrategy(strategy: string): readonly FieldError[] {
  // The repeated word is what Kubernetes answers.
  const field = 'spec.strategy.strategy';
  if (strategy.includes('/')) {
    return checkQualifiedName(strategy).map((complaint) => fieldInvalid(field, strategy, complaint));
  }
  return strategy === 'OldestEmulationVersion' ? [] : [fieldNotSupported(field, strategy, ['OldestEmulationVersion'])];
}
