/** The status of a PersistentVolumeClaim: its capacity, and the progress of a resize. */

import { checkQualifiedName, type FieldError, fieldInvalid, fieldNotSupported } from '@listwatch/api';
import { type JsonRecord, Quantity, recordOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

type Errors = readonly FieldError[];

const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** The rules for the status of a claim. */
export function validateClaimStatus({ capacity, allocatedResources, allocatedResourceStatuses }: JsonRecord): Errors {
  const states = 'status.allocatedResourceStatuses';
  const allocated = 'status.allocatedResources';
  return [
    ...itemErrors(Object.entries(recordOf(capacity)), ([name, amount]) =>
      validateAmount(amount, `status.capacity[${name}]`),
    ),
    ...itemErrors(Object.entries(recordOf(allocatedResourceStatuses)), ([name, state]) => [
      ...validateKey(name, states),
      ...(RESIZE_STATES.includes(textOf(state)) ? [] : [fieldNotSupported(states, name, RESIZE_STATES)]),
    ]),
    ...itemErrors(Object.entries(recordOf(allocatedResources)), ([name, amount]) => {
      const wrong = validateKey(name, allocated);
      return wrong.length > 0 ? wrong : validateAmount(amount, `${allocated}[${name}]`);
    }),
  ];
}

function validateAmount(amount: unknown, field: string): Errors {
  const value = Quantity.from(amount)?.value() ?? 0n;
  return value < 0n ? [fieldInvalid(field, Number(value), 'must be a valid resource quantity')] : [];
}

/** Resource names without a domain, or under kubernetes.io, must be `storage`. */
function validateKey(name: string, field: string): Errors {
  const complaints = checkQualifiedName(name).map((why) => fieldInvalid(field, name, why));
  if (complaints.length > 0) return complaints;
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return isNative && name !== 'storage' ? [fieldNotSupported(field, name, ['storage'])] : [];
}
