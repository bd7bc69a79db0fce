import {
  amount,
  type EtcdProcess,
  etcdTitle,
  needs,
  startEtcd,
  startEtcdCluster,
  startTcpProxy,
} from '@listwatch/conformance/parts';
import { type Entry, isStorageError, type Revision, type StorageEngine, type StorageEvent } from '@listwatch/storage';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEtcdEngine, type EtcdEngine } from './index.ts';

/** Debian's 3.4.23 answers progress requests out of order: events would be lost. */
const PROGRESS_REQUESTS = !etcdTitle().startsWith('etcd 3.4.');
const value = Buffer.alloc(300, 'x');
/** etcd would hang up on clients that ping as often as these tests do. */
const FAST_PINGS = ['--grpc-keepalive-min-time=50ms'];

/** Runs `task` for 0 to `count - 1`, `concurrency` at a time. */
async function inParallel(count: number, concurrency: number, task: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await task(next - 1);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Writers that go on through every failure until they are stopped, each key once. */
class Writers {
  readonly acknowledged = new Map<string, Revision>();
  #started = 0;
  #stopped = false;
  readonly #done: Promise<unknown>;

  constructor(engine: StorageEngine, count: number) {
    this.#done = Promise.all(Array.from({ length: count }, () => this.#write(engine)));
  }

  async reach(count: number): Promise<void> {
    await vi.waitFor(() => expect(this.acknowledged.size).toBeGreaterThan(count), { timeout: 20_000, interval: 20 });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #write(engine: StorageEngine): Promise<void> {
    while (!this.#stopped) {
      this.#started += 1;
      const key = `key-${this.#started}`;
      try {
        const result = await engine.commit({ type: 'put', key, value, expected: 0n });
        if (result.committed) this.acknowledged.set(key, result.revision);
      } catch (error) {
        if (!isStorageError(error, 'UNAVAILABLE')) throw error;
      }
    }
  }
}

/** Collects what a watch delivers. */
class Collected {
  readonly events: StorageEvent[] = [];
  readonly #controller = new AbortController();
  readonly #done: Promise<void>;

  constructor(engine: StorageEngine, after: Revision) {
    this.#done = this.#run(engine, after);
  }

  async until(condition: () => boolean): Promise<void> {
    await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 30_000, interval: 20 });
    this.#controller.abort();
    await this.#done;
  }

  async #run(engine: StorageEngine, after: Revision): Promise<void> {
    try {
      for await (const batch of engine.watch('', { after, signal: this.#controller.signal })) {
        this.events.push(...batch.events);
      }
    } catch (error) {
      if (!this.#controller.signal.aborted) throw error;
    }
  }
}

/** What the store holds must be what was acknowledged at least, and what the watch saw exactly. */
function compare(
  entries: readonly Entry[],
  acknowledged: ReadonlyMap<string, Revision>,
  seen: readonly StorageEvent[],
): void {
  const stored = new Map(entries.map(({ key, modRevision }) => [key, modRevision]));
  const lost = [...acknowledged].filter(([key, revision]) => stored.get(key) !== revision);
  expect(lost).toEqual([]);
  const inOrder = entries.toSorted((a, b) => Number(a.modRevision - b.modRevision));
  expect(seen.map(({ key, revision }) => `${revision} ${key}`)).toEqual(
    inOrder.map(({ key, modRevision }) => `${modRevision} ${key}`),
  );
}

describe('an etcd that fails', needs('etcd'), () => {
  const engines: EtcdEngine[] = [];
  const members: EtcdProcess[] = [];

  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await Promise.all(members.splice(0).map((member) => member.stop()));
  });

  function open(endpoints: readonly string[], keepAliveMs = 1000): EtcdEngine {
    const keepAlive = { interval: keepAliveMs, timeout: keepAliveMs };
    const engine = createEtcdEngine({
      endpoints,
      root: '/faults/',
      compaction: 'off',
      keepAlive,
      requestTimeout: '5s',
      progressRequests: PROGRESS_REQUESTS,
    });
    engines.push(engine);
    return engine;
  }

  it('many events reach a watcher in order and once through cuts, stalls and half-closed connections', async () => {
    const total = amount(6000, 20_000);
    const etcd = await startEtcd({ flags: FAST_PINGS });
    members.push(etcd);
    await using proxy = await startTcpProxy(etcd.port);
    // Nothing happens to the writer: a busy machine must not be taken for a dead etcd.
    const writer = open([etcd.endpoint], 30_000);
    const after = await writer.revision();
    await inParallel(total, 256, async (i) => {
      await writer.commit({ type: 'put', key: `key-${i}`, value });
    });

    const stalls: Promise<unknown>[] = [];
    const faults = [
      () => proxy.cut(),
      () => proxy.cutAfter(100_000),
      () => proxy.halfClose(),
      () => {
        const { accepted } = proxy;
        proxy.stall();
        // Nothing but the keep-alive can notice; then the watch comes back over a new connection.
        stalls.push(
          vi
            .waitFor(() => expect(proxy.accepted).toBeGreaterThan(accepted), { timeout: 10_000 })
            .finally(() => proxy.flow()),
        );
      },
    ];
    const reader = open([proxy.endpoint], 200);
    const revisions: number[] = [];
    let made = 0;
    const patience = AbortSignal.timeout(120_000);
    try {
      const watch = reader.watch('', { after, signal: patience });
      for await (const batch of watch) {
        for (const event of batch.events) revisions.push(Number(event.revision));
        // Progress must not be reported over events that are still to come.
        watch.requestProgress();
        if (revisions.length >= total) break;
        if (revisions.length > made * (total / 16)) {
          faults[made % faults.length]?.();
          made += 1;
        }
      }
    } catch (error) {
      // What is missing says more than that the time was up.
      if (!patience.aborted) throw error;
    }
    await Promise.all(stalls);
    expect(revisions).toHaveLength(total);
    const first = Number(after) + 1;
    expect(revisions).toEqual(Array.from({ length: total }, (_, i) => first + i));
    expect(made).toBeGreaterThan(amount(3, 12));
    expect(proxy.accepted).toBeGreaterThan(amount(3, 8));
  }, 180_000);

  it('killed and restarted under load, it keeps what was acknowledged, and a watch sees everything once', async () => {
    const etcd = await startEtcd({ flags: FAST_PINGS });
    members.push(etcd);
    const engine = open([etcd.endpoint]);
    const after = await engine.revision();
    const watch = new Collected(engine, after);
    const writers = new Writers(engine, 32);
    for (const target of [300, 900]) {
      await writers.reach(target);
      await etcd.kill();
      await etcd.restart();
    }
    await writers.reach(1500);
    await writers.stop();
    const { entries } = await vi.waitFor(() => engine.range(''), 20_000);
    await watch.until(() => watch.events.length >= entries.length);
    compare(entries, writers.acknowledged, watch.events);
  }, 180_000);

  it('a cluster that loses the member in use serves on through another, and a watch goes on', async () => {
    const cluster = await startEtcdCluster(3, {
      flags: [...FAST_PINGS, '--heartbeat-interval=50', '--election-timeout=500'],
    });
    members.push(...cluster);
    const engine = open(cluster.map(({ endpoint }) => endpoint));
    const after = await engine.revision();
    const watch = new Collected(engine, after);
    const writers = new Writers(engine, 16);
    for (const target of [200, 500]) {
      await writers.reach(target);
      const used = engine.endpoint;
      const member = cluster.find(({ endpoint }) => endpoint === used);
      await member?.kill();
      await vi.waitFor(() => expect(engine.endpoint).not.toBe(used), 20_000);
      await writers.reach(target + 200);
      await member?.restart();
    }
    await writers.stop();
    const { entries } = await vi.waitFor(() => engine.range(''), 20_000);
    await watch.until(() => watch.events.length >= entries.length);
    compare(entries, writers.acknowledged, watch.events);
  }, 180_000);
});
