import { once } from 'node:events';
import { inspect } from 'node:util';
import { configMaps, flowSchemas, priorityLevelConfigurations } from '@listwatch/kinds';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { startTestServer } from '@listwatch/testing';
import { expect, it, vi } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { doctor } from './doctor-command.ts';
import { reportOf, summariesOf } from './doctor-report.fixture.ts';

const EVE = 'eve';
const LEVEL = 'shop';

/** A store that takes no ConfigMap called `held-...` before it is let go on. */
function slowStore(): { readonly engine: StorageEngine; readonly goOn: () => void } {
  const memory = createMemoryEngine();
  const gate = new AbortController();
  const opened = once(gate.signal, 'abort');
  const commit: StorageEngine['commit'] = async (change, options) => {
    if (inspect(change).includes('/held-')) await opened;
    return memory.commit(change, options);
  };
  const engine = new Proxy(memory, {
    get: (target, name) => {
      const value: unknown = name === 'commit' ? commit : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { engine, goOn: () => gate.abort() };
}

it('the doctor of a server names the user who holds the seats that others wait for', async () => {
  const { engine, goOn } = slowStore();
  await using env = await startTestServer({ engine, authorization: 'AlwaysAllow' });
  const queuing = { queues: 8, handSize: 2, queueLengthLimit: 50 };
  await env.cluster.create(priorityLevelConfigurations, {
    metadata: { name: LEVEL },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 1, borrowingLimitPercent: 0, limitResponse: { type: 'Queue', queuing } },
    },
  });
  const subjects = [EVE, 'ann'].map((name) => ({ kind: 'User', user: { name } }));
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
  await env.cluster.create(flowSchemas, {
    metadata: { name: LEVEL },
    spec: {
      matchingPrecedence: 50,
      priorityLevelConfiguration: { name: LEVEL },
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects, resourceRules: [all] }],
    },
  });
  const eve = env.as(EVE);
  const waiting = Array.from({ length: 8 }, (_, index) =>
    eve.create(configMaps, { metadata: { namespace: 'default', name: `held-${index}` } }),
  );
  try {
    await vi.waitFor(
      async () => {
        const host = fakeHost();
        await doctor({ output: 'json', only: 'fairness' }, host, async () =>
          env.connectAs({ name: 'test-admin', groups: ['system:masters'] }),
        );
        expect(summariesOf(host, 'fairness')).toMatch(
          /^eve \(FlowSchema shop\) holds \d of \d seats\. \d requests wait for a seat of the level shop\./u,
        );
        expect(reportOf(host).verdict).toBe('warn');
      },
      { timeout: 20_000 },
    );
  } finally {
    goOn();
    await Promise.all(waiting);
  }
});
