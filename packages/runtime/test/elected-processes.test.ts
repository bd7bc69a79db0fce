import { resource } from '@listwatch/api';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ElectedProcess, sharedSpans } from './elected-process.ts';

/** A busy machine takes seconds to start two processes. */
const TIMEOUT_MS = 90_000;
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

let env: TestEnvironment;
let pair: ElectedProcess[] = [];
let leases = 0;

beforeAll(async () => {
  env = await startTestServer({ listen: true });
});

afterEach(async () => {
  await Promise.all(pair.map((one) => one.close()));
  pair = [];
});

afterAll(() => env.close());

/** Two processes for one lease: the one that leads and reconciles, and the other. */
async function startPair(): Promise<{ readonly leader: ElectedProcess; readonly other: ElectedProcess }> {
  const lease = `pair-${++leases}`;
  await env.cluster.create(configMaps, { metadata: { name: lease, namespace: 'default' } });
  const token = /token: (\S+)/u.exec(env.kubeconfig)?.[1] ?? '';
  pair = await Promise.all(['a', 'b'].map((name) => ElectedProcess.start(name, lease, { url: env.url, token })));
  const leading = (): ElectedProcess | undefined => pair.find(({ leads, reconciles }) => leads && reconciles);
  await eventually('a leader that reconciles', () => leading() !== undefined);
  const leader = leading();
  const other = pair.find((one) => one !== leader);
  if (leader === undefined || other === undefined) throw new Error('no pair');
  return { leader, other };
}

const takesOver = (other: ElectedProcess): Promise<unknown> =>
  eventually('the other leads and writes', () => other.leads && other.reconciles);

/** The reconcile of a process that leads no more has ended. */
const isCancelled = (loser: ElectedProcess): Promise<unknown> =>
  eventually('the loser is cancelled', () => loser.count('lost') > 0 && (loser.leads || !loser.reconciles));

/** No time in which both led, and no write outside of the writer's own time. */
function checkPair(): void {
  const [one, other] = pair;
  if (one === undefined || other === undefined) throw new Error('no pair');
  expect(sharedSpans(one, other)).toEqual([]);
  for (const { name, said } of pair) {
    let leads = false;
    for (const { type } of said) {
      if (type === 'lead' || type === 'lost') leads = type === 'lead';
      if (type === 'write') expect(leads, `a write of ${name} outside of its time`).toBe(true);
    }
  }
}

it(
  'a leader that is stopped by SIGSTOP finds itself cancelled when it goes on',
  async () => {
    const { leader, other } = await startPair();
    leader.stop();
    await takesOver(other);
    leader.resume();
    await isCancelled(leader);
    checkPair();
  },
  TIMEOUT_MS,
);

it(
  'a leader that is killed is followed by the other when its lease has expired',
  async () => {
    const { leader, other } = await startPair();
    await leader.kill();
    await takesOver(other);
    checkPair();
  },
  TIMEOUT_MS,
);

it(
  'a leader whose connections fall silent is cancelled before the other leads',
  async () => {
    const { leader, other } = await startPair();
    leader.proxy.stall();
    await takesOver(other);
    await isCancelled(leader);
    leader.proxy.flow();
    checkPair();
  },
  TIMEOUT_MS,
);

it(
  'a leader whose connections are cut and refused is cancelled before the other leads',
  async () => {
    const { leader, other } = await startPair();
    leader.proxy.refuse();
    leader.proxy.cut();
    await takesOver(other);
    await isCancelled(leader);
    await leader.proxy.accept();
    checkPair();
  },
  TIMEOUT_MS,
);

it(
  'clocks that jump by an hour change nothing, and a leader that ends lets the other lead',
  async () => {
    const { leader, other } = await startPair();
    for (const ms of [3_600_000, -7_200_000]) {
      leader.jump(ms);
      other.jump(-ms);
      const before = leader.count('write') + other.count('write');
      // Longer than the lease.
      await eventually('writes go on', () => leader.count('write') + other.count('write') > before + 100);
    }
    if (leader.leads) await leader.end();
    await takesOver(other);
    checkPair();
  },
  TIMEOUT_MS,
);
