/** Lease: the holder of a lock or the heartbeat of a node, with its duration. */

import { checkQualifiedName, type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { defineKind } from '../define-kind.ts';
import type { KubeObject, ResourceDefinition } from '../resource-definition.ts';
import { recordOf, textOf } from '../shapes/json-value.ts';
import { objectShape } from '../shapes/object-meta-shape.ts';
import { struct } from '../shapes/shape.ts';
import { column, namedTable } from '../table-column.ts';

const LEASE_SPEC = struct('LeaseSpec', {
  holderIdentity: '*string',
  leaseDurationSeconds: '*int32',
  acquireTime: '*microTime',
  renewTime: '*microTime',
  leaseTransitions: '*int32',
  strategy: '*string',
  preferredHolder: '*string',
});

/** The definition of Lease. */
export const lease: ResourceDefinition = defineKind({
  resource: { group: 'coordination.k8s.io', plural: 'leases', kind: 'Lease' },
  shape: objectShape('Lease', {
    spec: { ...LEASE_SPEC, always: true },
  }),
  columns: namedTable([column('Holder', 'Who holds the lease.')], (object) => [
    textOf(recordOf(object['spec'])['holderIdentity']),
  ]),
  validate,
  strategy: { allowsUnconditionalUpdate: false, allowsCreateOnUpdate: true },
});

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
