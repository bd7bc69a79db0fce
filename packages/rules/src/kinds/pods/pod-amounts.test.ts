import { describe, expect, it } from 'vitest';
import { pod } from '../../strategy/built-in-definitions.fixture.ts';
import { complaints, created } from '../../strategy/kind.fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

const container = (resources: Fields = {}, name = 'c'): Fields => ({ name, image: 'i', resources });
const spec = (resources: Fields, ...containers: readonly Fields[]): Fields => ({
  spec: { resources, containers: containers.length === 0 ? [container()] : containers },
});

describe('the resources of a whole pod', () => {
  it.each<[string, Fields, unknown]>([
    ['limits alone are requested', spec({ limits: { cpu: '1' } }), { limits: { cpu: '1' }, requests: { cpu: '1' } }],
    [
      'what the containers request is requested',
      spec(
        { limits: { cpu: '1' } },
        container({ requests: { cpu: '100m' } }),
        container({ limits: { cpu: '2' } }, 'd'),
      ),
      { limits: { cpu: '1' }, requests: { cpu: '2100m' } },
    ],
    ['requests alone stay alone', spec({ requests: { cpu: '1' } }), { requests: { cpu: '1' } }],
    [
      'huge pages of containers become limits',
      spec({ limits: { cpu: '1' } }, container({ limits: { cpu: '1', 'hugepages-2Mi': '4Mi' } })),
      { limits: { cpu: '1', 'hugepages-2Mi': '4Mi' }, requests: { cpu: '1', 'hugepages-2Mi': '4Mi' } },
    ],
  ])('%s', (_, fields, expected) => {
    expect(created(pod, fields)['spec']).toMatchObject({ resources: expected });
  });

  it('without amounts stay as they are', () => {
    expect(created(pod, spec({}))['spec']).toMatchObject({ resources: {} });
  });

  it.each<[Fields, string]>([
    [
      spec({ requests: { cpu: '1' } }, container({ requests: { cpu: '2' } })),
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
    ],
    [
      spec({ limits: { cpu: '1' } }, container({ limits: { cpu: '2' }, requests: { cpu: '1' } })),
      'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
    ],
    [
      spec({ limits: { 'ephemeral-storage': '1' } }),
      'spec.resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
    ],
  ])('%j are refused', (fields, why) => {
    expect(complaints(pod, fields)).toBe(why);
  });

  it('are not for Windows', () => {
    const fields = { spec: { ...Object(spec({})['spec']), os: { name: 'windows' } } };
    expect(complaints(pod, fields)).toBe('spec.resources: Forbidden: may not be set for a windows pod');
  });
});
