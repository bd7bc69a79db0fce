import { randomUUID } from 'node:crypto';
import { type EtcdProcess, needs, startEtcd, startTcpProxy } from '@listwatch/conformance/parts';
import { type Revision, requireCommitted, type StorageEngine, type WatchBatch } from '@listwatch/storage';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createEtcdEngine, type EtcdEngine, type EtcdEngineOptions } from './index.ts';

const KEEPALIVE = { interval: 300, timeout: 300 } as const;

async function put(engine: StorageEngine, key: string, value = 'v'): Promise<Revision> {
  return requireCommitted(await engine.commit({ type: 'put', key, value: Buffer.from(value) }), key);
}

async function firstBatch(engine: StorageEngine, after: Revision): Promise<WatchBatch | undefined> {
  for await (const batch of engine.watch('', { after })) return batch;
  return undefined;
}

describe('the etcd engine', needs('etcd'), () => {
  let etcd: EtcdProcess;
  const opened: EtcdEngine[] = [];

  beforeAll(async () => {
    etcd = await startEtcd({ flags: ['--grpc-keepalive-min-time=100ms'] });
  });

  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close();
  });

  afterAll(async () => {
    await etcd.stop();
  });

  function open(options: Partial<EtcdEngineOptions> = {}): EtcdEngine {
    const root = `/${randomUUID()}/`;
    const engine = createEtcdEngine({ endpoints: [etcd.endpoint], root, compaction: 'off', ...options });
    opened.push(engine);
    return engine;
  }

  it('names the compacted revision in every error for what was compacted, and serves the revision itself', async () => {
    const engine = open();
    const first = await put(engine, 'a', 'one');
    await put(engine, 'a', 'two');
    const compacted = await put(engine, 'b');
    const deleted = requireCommitted(await engine.commit({ type: 'delete', key: 'a' }), 'a');
    await engine.compact(compacted);

    const gone = { code: 'COMPACTED', revision: compacted };
    await expect(engine.get('a', { at: first })).rejects.toMatchObject(gone);
    await expect(engine.range('', { at: first })).rejects.toMatchObject(gone);
    await expect(engine.compact(first)).rejects.toMatchObject(gone);
    await expect(engine.compact(compacted)).rejects.toMatchObject(gone);
    await expect(firstBatch(engine, first)).rejects.toMatchObject(gone);
    // etcd itself would let this one in, without the previous value of what it delivers.
    await expect(firstBatch(engine, compacted - 1n)).rejects.toMatchObject(gone);

    expect((await engine.range('', { at: compacted })).entries.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(await firstBatch(engine, compacted)).toMatchObject({
      events: [{ type: 'delete', key: 'a', previous: { value: new Uint8Array(Buffer.from('two')) } }],
      revision: deleted,
    });
  });

  it('a consumer that stops reading while its changes are compacted gets COMPACTED, and no event without its past', async () => {
    const engine = open();
    const value = 'x'.repeat(100_000);
    const start = await put(engine, 'k', value);
    // More than the stream reads ahead, so that etcd has not looked up all previous values when it compacts.
    for (let i = 0; i < 250; i += 1) await put(engine, 'k', value);
    const iterator = engine.watch('', { after: start })[Symbol.asyncIterator]();
    const seen: Revision[] = [];
    const read = async (): Promise<void> => {
      const { value: batch } = await iterator.next();
      for (const event of batch?.events ?? []) {
        expect(event.previous?.modRevision).toBe(event.revision - 1n);
        seen.push(event.revision);
      }
    };
    await read();
    const newest = await put(engine, 'k', value);
    await engine.compact(newest);
    const rest = async (): Promise<void> => {
      for (;;) await read();
    };
    await expect(rest()).rejects.toMatchObject({ code: 'COMPACTED', revision: newest });
    expect(seen).toEqual(seen.map((_, i) => start + BigInt(i) + 1n));
  });

  it('keys that expire in one revision arrive in one batch, also when etcd sends it in fragments', async () => {
    const engine = open();
    const value = Buffer.alloc(60_000, 'x');
    const after = await engine.revision();
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => engine.commit({ type: 'put', key: `k${i}`, value, ttlSeconds: 1 })),
    );
    const batches: WatchBatch[] = [];
    for await (const batch of engine.watch('', { after })) {
      batches.push(batch);
      if (batch.events.some(({ type }) => type === 'delete')) break;
    }
    const expiry = batches.at(-1)?.events.filter(({ type }) => type === 'delete') ?? [];
    expect(new Set(expiry.map(({ revision }) => revision)).size).toBe(1);
    expect(expiry).toHaveLength(60);
    expect(expiry.every(({ previous }) => previous?.value.length === 60_000)).toBe(true);
  });

  it('with one key per lease, keys that expire together are deleted at their own revisions', async () => {
    const engine = open({ leaseMaxKeys: 1 });
    expect(engine.capabilities.expiryRevisions).toBe('own');
    const value = Buffer.from('v');
    await Promise.all(['a', 'b', 'c'].map((key) => engine.commit({ type: 'put', key, value, ttlSeconds: 1 })));
    const deleted = new Set<Revision>();
    for await (const batch of engine.watch('', { after: await engine.revision() })) {
      for (const event of batch.events) deleted.add(event.revision);
      if (deleted.size === 3) break;
    }
    expect(deleted.size).toBe(3);
  });

  it('a value beyond etcd’s request limit is TOO_LARGE, and nothing is written', async () => {
    const engine = open();
    for (const size of [1_700_000, 5_000_000]) {
      const value = Buffer.alloc(size);
      await expect(engine.commit({ type: 'put', key: 'k', value })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    }
    expect((await engine.get('k')).entry).toBeUndefined();
  });

  it('roots do not see one another', async () => {
    const [one, two] = [open({ root: '/x/' }), open({ root: '/x/y/' })];
    await put(two, 'k');
    const { entries } = await one.range('');
    expect(entries.map(({ key }) => key)).toEqual(['y/k']);
    expect((await two.range('')).entries.map(({ key }) => key)).toEqual(['k']);
    expect((await open({ root: '/z/' }).range('')).entries).toEqual([]);
  });

  it('compaction is taken in turns, on the key of Kubernetes, and leaves the age that was asked for', async () => {
    const history = { age: '1s' } as const;
    const [one, two] = [open({ compaction: 'coordinated', history }), open({ compaction: 'coordinated', history })];
    const old = await put(one, 'k');
    await vi.waitFor(() => expect(two.get('k', { at: old })).rejects.toMatchObject({ code: 'COMPACTED' }), {
      timeout: 20_000,
      interval: 100,
    });
    const fresh = await put(one, 'k');
    expect(await two.get('k', { at: fresh })).toMatchObject({ revision: fresh });
    const token = await open({ root: '' }).get('compact_rev_key');
    expect(Buffer.from(token.entry?.value ?? []).toString()).toMatch(/^\d+$/);
  });

  it('says that the cluster cannot be reached, and that nothing happened', async () => {
    const engine = open({ endpoints: ['http://127.0.0.1:1'], requestTimeout: 1000 });
    await expect(engine.revision()).rejects.toThrow(/127\.0\.0\.1:1.*ECONNREFUSED/);
    const change = { type: 'put', key: 'k', value: Buffer.from('v') } as const;
    await expect(engine.commit(change)).rejects.toMatchObject({ code: 'UNAVAILABLE', uncertain: false });
  });

  it('a commit that was handed over and not answered is uncertain; a read goes on over a new connection', async () => {
    await using proxy = await startTcpProxy(etcd.port);
    const engine = open({ endpoints: [proxy.endpoint], requestTimeout: 1000, keepAlive: KEEPALIVE });
    await put(engine, 'k');
    proxy.stall();
    const change = { type: 'put', key: 'k', value: Buffer.from('v') } as const;
    await expect(engine.commit(change)).rejects.toMatchObject({ code: 'UNAVAILABLE', uncertain: true });
    const reading = engine.get('k');
    await vi.waitFor(() => expect(proxy.accepted).toBe(2), 20_000);
    proxy.flow();
    expect((await reading).entry).toMatchObject({ key: 'k' });
  });

  it('a connection that is accepted and then silent is given up for another one', async () => {
    await using proxy = await startTcpProxy(etcd.port);
    proxy.stall();
    const engine = open({ endpoints: [proxy.endpoint] });
    const reading = engine.get('k');
    const watch = engine.watch('', { after: await open().revision() });
    const watching = watch[Symbol.asyncIterator]().next();
    await vi.waitFor(() => expect(proxy.accepted).toBeGreaterThan(1), 20_000);
    proxy.flow();
    expect((await reading).entry).toBeUndefined();
    await put(engine, 'k');
    expect((await watching).value).toMatchObject({ events: [{ key: 'k' }] });
  });

  it('an abort while the cluster is away ends with the reason, for reads, commits and watches', async () => {
    const engine = open({ endpoints: ['http://127.0.0.1:1'] });
    const reason = new Error('enough');
    const controller = new AbortController();
    const { signal } = controller;
    const change = { type: 'put', key: 'k', value: Buffer.from('v'), ttlSeconds: 5 } as const;
    const watching = engine.watch('', { after: 1n, signal })[Symbol.asyncIterator]().next();
    const all = Promise.allSettled([
      engine.get('k', { signal }),
      engine.range('', { signal }),
      engine.commit(change, { signal }),
      watching,
    ]);
    setTimeout(() => controller.abort(reason), 50);
    expect(await all).toEqual(Array.from({ length: 4 }, () => ({ status: 'rejected', reason })));
  });
});
