import { fieldErrorsText } from '@listwatch/api';
import { expect, it } from 'vitest';
import { validateClaimStatus } from './claim-status.ts';

const STATES =
  '"ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"';

it.each([
  ['nothing', {}, ''],
  [
    'a known state',
    { allocatedResourceStatuses: { storage: 'NodeResizePending', 'example.com/x': 'NodeResizePending' } },
    '',
  ],
  [
    'an unknown state',
    { allocatedResourceStatuses: { storage: '' } },
    `status.allocatedResourceStatuses: Unsupported value: "storage": supported values: ${STATES}`,
  ],
  [
    'another resource',
    { allocatedResources: { cpu: '1' } },
    'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
  ],
  [
    'a name that is none',
    { allocatedResources: { '': '1' } },
    expect.stringMatching(/^\[status\.allocatedResources: Invalid value: "": name part must be non-empty/),
  ],
  [
    'less than nothing',
    { capacity: { storage: '-1' }, allocatedResources: { storage: '-1' } },
    '[status.capacity[storage]: Invalid value: -1: must be a valid resource quantity, status.allocatedResources[storage]: Invalid value: -1: must be a valid resource quantity]',
  ],
])('the status of a claim with %s is validated', (_, status, expected) => {
  expect(fieldErrorsText(validateClaimStatus(status))).toEqual(expected);
});
