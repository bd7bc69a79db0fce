import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InProcessServer } from '../../start/in-process-server.fixture.ts';
import { FlowDeliveries, type Writer } from './flow-deliveries.ts';

let deliveries: FlowDeliveries;
let bills: Record<string, number>;

beforeEach(() => {
  deliveries = new FlowDeliveries();
  bills = {};
});

afterEach(() => {
  vi.restoreAllMocks();
});

function writer(name: string): Writer {
  return {
    charge: (ms) => {
      bills[name] = (bills[name] ?? 0) + ms;
    },
  };
}

describe('sending events to watchers', () => {
  it('is divided among the writers by the watchers of their events', () => {
    deliveries.wrote('/a', writer('ann'));
    deliveries.wrote('/b', writer('bob'));
    deliveries.offered('/a', 3);
    deliveries.offered('/b', 1);
    deliveries.roundBegins();
    deliveries.spent(8);
    expect(bills).toEqual({ ann: 6, bob: 2 });
  });

  it('costs nothing for a write that nobody watches', () => {
    deliveries.wrote('/unwatched', writer('ann'));
    deliveries.wrote('/b', writer('bob'));
    deliveries.offered('/b', 1);
    deliveries.roundBegins();
    deliveries.spent(8);
    expect(bills).toEqual({ bob: 8 });
  });

  it('is charged to the same writers until the round is over, and to others in the next one', () => {
    deliveries.wrote('/a', writer('ann'));
    deliveries.offered('/a', 100);
    deliveries.roundBegins();
    deliveries.wrote('/b', writer('bob'));
    deliveries.offered('/b', 100);
    for (let slice = 0; slice < 5; slice += 1) deliveries.spent(2);
    deliveries.roundBegins();
    deliveries.spent(2);
    expect(bills).toEqual({ ann: 10, bob: 2 });
  });

  it('is charged to nobody for events of other servers, also of an object that was written here before', () => {
    deliveries.wrote('/a', writer('ann'));
    deliveries.offered('/a', 1);
    deliveries.roundBegins();
    deliveries.spent(2);
    deliveries.offered('/a', 1);
    deliveries.offered('/b', 1);
    deliveries.roundBegins();
    deliveries.spent(2);
    expect(bills).toEqual({ ann: 2 });
  });

  it('counts the watchers of all versions of a kind', () => {
    deliveries.wrote('/a', writer('ann'));
    deliveries.offered('/a', 1);
    deliveries.offered('/a', 1);
    deliveries.roundBegins();
    deliveries.spent(2);
    expect(bills).toEqual({ ann: 2 });
  });

  it('forgets the oldest of more than a thousand writers whose events never come', () => {
    for (let index = 0; index <= 1000; index += 1) deliveries.wrote(`/${index}`, writer(`w${index}`));
    deliveries.offered('/0', 1);
    deliveries.offered('/1', 1);
    deliveries.roundBegins();
    deliveries.spent(2);
    expect(bills).toEqual({ w1: 1 });
  });
});

it('the server offers an event under the key of its write, if anybody watches the object', async () => {
  const wrote = vi.spyOn(FlowDeliveries.prototype, 'wrote');
  const offered = vi.spyOn(FlowDeliveries.prototype, 'offered');
  await using api = await InProcessServer.start({ authorization: 'AlwaysAllow' });
  const ann = { user: { name: 'ann', groups: ['system:authenticated'] } };
  const path = '/api/v1/namespaces/default/configmaps';
  const watch = { method: 'GET', path: `${path}?watch=true&resourceVersion=0`, headers: {} };
  expect((await api.server.handle(watch, ann)).status).toBe(200);
  wrote.mockClear();
  await api.ok('POST', path, { metadata: { name: 'a' } }, ann);
  await vi.waitFor(() => expect(offered.mock.calls).toEqual([[wrote.mock.calls[0]?.[0], 1]]));
  await api.ok('POST', '/api/v1/namespaces/kube-system/configmaps', { metadata: { name: 'b' } }, ann);
  await api.ok('POST', path, { metadata: { name: 'c' } }, ann);
  await vi.waitFor(() => expect(offered.mock.calls).toHaveLength(2));
  expect(offered.mock.calls[1]).toEqual([wrote.mock.calls[2]?.[0], 1]);
});
