import type { KubeObject } from '@listwatch/rules/internal';
import { expect, it } from 'vitest';
import { withDangling } from './dangling-condition.ts';

const SCHEMA: KubeObject = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name: 'a' },
  spec: { priorityLevelConfiguration: { name: 'l' } },
  status: { conditions: [{ type: 'Other' }] },
};

it('the time of the condition moves with its status alone, and a right one is left as it is', () => {
  const missing = withDangling(SCHEMA, false, Date.parse('2026-01-01T00:00:00Z'));
  const reference = 'This FlowSchema references the PriorityLevelConfiguration object named';
  expect(missing['status']).toEqual({
    conditions: [
      { type: 'Other' },
      {
        type: 'Dangling',
        status: 'True',
        reason: 'NotFound',
        message: `${reference} "l" but there is no such object`,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  });
  expect(withDangling(missing, false, Date.parse('2026-01-02T00:00:00Z'))).toBe(missing);
  const renamed = { ...missing, spec: { priorityLevelConfiguration: { name: 'm' } } };
  expect(withDangling(renamed, false, Date.parse('2026-01-02T00:00:00Z'))).toMatchObject({
    status: {
      conditions: [
        {},
        { message: expect.stringContaining('"m"') as unknown, lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  });
  const found = withDangling(missing, true, Date.parse('2026-01-03T00:00:00Z'));
  expect(found).toMatchObject({
    metadata: {
      managedFields: [
        { manager: 'api-priority-and-fairness-config-consumer-v1', operation: 'Apply', subresource: 'status' },
      ],
    },
    status: {
      conditions: [{}, { status: 'False', reason: 'Found', lastTransitionTime: '2026-01-03T00:00:00Z' }],
    },
  });
});
