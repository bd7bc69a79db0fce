import { describe, expect, it } from 'vitest';
import { POD_COLUMNS } from './pod-columns.ts';

const now = Date.parse('2024-01-01T01:00:00Z');
const running = { name: 'c', ready: true, state: { running: {} } };

function cells(status: object, spec: object = {}, metadata: object = {}): readonly unknown[] {
  const object = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', creationTimestamp: '2024-01-01T00:59:00Z', ...metadata },
    spec: { containers: [{ name: 'c' }], ...spec },
    status,
  };
  return POD_COLUMNS.cells(object, now);
}

describe('the table of pods', () => {
  it('has a cell for each column', () => {
    expect(cells({})).toHaveLength(POD_COLUMNS.definitions.length);
  });

  it.each([
    ['waits', { phase: 'Pending' }, {}, {}, '0/1', 'Pending', '0'],
    ['runs', { phase: 'Running', containerStatuses: [running] }, {}, {}, '1/1', 'Running', '0'],
    [
      'fails to pull',
      { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull' } } }] },
      {},
      {},
      '0/1',
      'ErrImagePull',
      '0',
    ],
    [
      'has two troubles',
      { phase: 'Pending', containerStatuses: ['A', 'B'].map((reason) => ({ state: { waiting: { reason } } })) },
      {},
      {},
      '0/1',
      'A',
      '0',
    ],
    [
      'ended badly',
      { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] },
      {},
      {},
      '0/1',
      'ExitCode:3',
      '0',
    ],
    [
      'was killed',
      { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 1, signal: 9 } } }] },
      {},
      {},
      '0/1',
      'Signal:9',
      '0',
    ],
    ['was evicted', { phase: 'Failed', reason: 'Evicted' }, {}, {}, '0/1', 'Evicted', '0'],
    [
      'is behind a gate',
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] },
      {},
      {},
      '0/1',
      'SchedulingGated',
      '0',
    ],
    [
      'restarted',
      {
        phase: 'Running',
        containerStatuses: [
          { ...running, restartCount: 2, lastState: { terminated: { finishedAt: '2024-01-01T00:55:00Z' } } },
        ],
      },
      {},
      {},
      '1/1',
      'Running',
      '2 (5m ago)',
    ],
    [
      'initializes',
      { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { running: {} } }] },
      { initContainers: [{ name: 'i' }] },
      {},
      '0/1',
      'Init:0/1',
      '0',
    ],
    [
      'fails to initialize',
      {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'i', restartCount: 3, state: { terminated: { exitCode: 1, reason: 'Error' } } },
        ],
      },
      { initContainers: [{ name: 'i' }] },
      {},
      '0/1',
      'Init:Error',
      '3',
    ],
    [
      'runs with a sidecar',
      {
        phase: 'Running',
        initContainerStatuses: [{ name: 's', started: true, ready: true, state: { running: {} } }],
        containerStatuses: [running],
      },
      { initContainers: [{ name: 's', restartPolicy: 'Always' }] },
      {},
      '2/2',
      'Running',
      '0',
    ],
    [
      'goes',
      { phase: 'Running', containerStatuses: [running] },
      {},
      { deletionTimestamp: '2024-01-01T00:59:30Z' },
      '1/1',
      'Terminating',
      '0',
    ],
    [
      'is done and goes',
      { phase: 'Succeeded' },
      {},
      { deletionTimestamp: '2024-01-01T00:59:30Z' },
      '0/1',
      'Succeeded',
      '0',
    ],
    [
      'has one container done and one running',
      {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }, running],
      },
      {},
      {},
      '1/1',
      'Running',
      '0',
    ],
  ])('a pod that %s', (_, status, spec, metadata, ready, word, restarts) => {
    expect(cells(status, spec, metadata).slice(1, 4)).toEqual([ready, word, restarts]);
  });

  it('shows where a pod is', () => {
    const status = { podIPs: [{ ip: '10.0.0.1' }], conditions: [{ type: 'g', status: 'True' }] };
    const spec = { nodeName: 'n1', readinessGates: [{ conditionType: 'g' }, { conditionType: 'h' }] };
    expect(cells(status, spec).slice(4)).toEqual(['60s', '10.0.0.1', 'n1', '<none>', '1/2']);
  });
});
