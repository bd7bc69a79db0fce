/** The watch on streams that a test scripts: what it asks for, when it goes on, and when it gives up. */

import { FakeClock } from '@listwatch/api/fake-clock';
import { StorageError, type WatchBatch } from '@listwatch/storage';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EtcdClient, OpenedStream } from './etcd-client.ts';
import { EtcdWatch, type EtcdWatchOptions } from './etcd-watch.ts';
import type { GrpcStream } from './grpc/grpc-connection.ts';
import { GRPC_STATUS, GrpcError } from './grpc/grpc-error.ts';
import { KeySpace } from './key-space.ts';
import { ProtoWriter } from './proto-writer.ts';
import { RevisionReader } from './revision-reader.ts';
import { encodeWatchCreate, encodeWatchProgress } from './watch-messages.ts';

/** A message of etcd: its fields are written by `fill`, back to front. */
function message(revision: number, fill: (writer: ProtoWriter) => void = () => undefined): Buffer {
  const writer = new ProtoWriter(1000);
  fill(writer);
  const header = writer.mark();
  writer.int(3, revision);
  writer.nest(1, header);
  return writer.finish();
}

const created = (revision: number): Buffer => message(revision, (writer) => writer.int(3, 1));
const compacted = (revision: number): Buffer =>
  message(revision, (writer) => {
    writer.int(5, revision);
    writer.int(4, 1);
  });
const canceled = (reason: string): Buffer =>
  message(1, (writer) => {
    writer.bytes(6, Buffer.from(reason));
    writer.int(4, 1);
  });

/** Puts of `k`; `isNew`: it creates the key, so that there is no value before it. */
function puts(revisions: readonly number[], isNew = true): Buffer {
  return message(Math.max(...revisions), (writer) => {
    for (const revision of revisions.toReversed()) {
      const event = writer.mark();
      const kv = writer.mark();
      writer.bytes(5, Buffer.from('v'));
      writer.int(4, isNew ? 1 : 2);
      writer.int(3, revision);
      writer.int(2, isNew ? revision : 1);
      writer.bytes(1, Buffer.from('/r/k'));
      writer.nest(2, kv);
      writer.nest(11, event);
    }
  });
}

const put = (revision: number): Buffer => puts([revision]);

class ScriptedStream implements GrpcStream {
  readonly sent: Buffer[] = [];
  error: Error | undefined;
  isCancelled = false;
  #messages: Buffer[] = [];
  #isOver = false;
  #wake: (() => void) | undefined;

  push(...messages: readonly Buffer[]): void {
    this.#messages.push(...messages);
    this.#wake?.();
  }

  end(error?: Error): void {
    this.error = error;
    this.#isOver = true;
    this.#wake?.();
  }

  send(request: Buffer): void {
    this.sent.push(request);
  }

  take(): Buffer | undefined {
    return this.#messages.shift();
  }

  async next(): Promise<Buffer | undefined> {
    while (this.#messages.length === 0 && !this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#messages.shift();
  }

  cancel(): void {
    this.isCancelled = true;
    this.#messages = [];
    this.end(this.error);
  }
}

const KEYS = new KeySpace('/r/');
const RANGE = KEYS.range('');
const UNAVAILABLE = new GrpcError(GRPC_STATUS.UNAVAILABLE, 'gone');

let clock: FakeClock;
let streams: ScriptedStream[];
/** Streams that were reported as failed: why, and whether their connections serve. */
let failed: (readonly [failure: string, serves: boolean])[];
/** How the next openings of a stream fail. */
let refusals: GrpcError[];
/** Where the cluster stands; undefined: it does not answer. */
let standsAt: number | undefined;
let answered: number;
let running: Set<EtcdWatch>;
let isClosed: boolean;

beforeEach(() => {
  clock = new FakeClock();
  [streams, failed, refusals, standsAt, answered, running, isClosed] = [[], [], [], 1000, 0, new Set(), false];
});

function watchAfter(after: number, options: Partial<EtcdWatchOptions> & { readonly isRenewable?: boolean } = {}) {
  const { isRenewable = false, ...rest } = options;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a client that a watch uses
  const client = {
    get closed() {
      return isClosed;
    },
    renewable: isRenewable,
    loginMayRecover: false,
    endpoint: 'http://etcd:2379',
    stream: async (): Promise<OpenedStream> => {
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
      const scripted = new ScriptedStream();
      streams.push(scripted);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a watch uses the stream alone
      return { stream: scripted } as unknown as OpenedStream;
    },
    streamFailed: (_: OpenedStream, failure: string, serves: boolean) => failed.push([failure, serves]),
    streamAnswered: () => {
      answered += 1;
    },
    call: async (): Promise<Buffer> => {
      if (standsAt === undefined) throw new StorageError('UNAVAILABLE', 'no leader');
      return message(standsAt);
    },
  } as unknown as EtcdClient;
  const revisions = new RevisionReader(client, KEYS, clock);
  revisions.saw(after);
  const parts = {
    client,
    clock,
    waitClock: clock,
    range: RANGE,
    rootBytes: KEYS.rootBytes,
    after,
    signal: undefined,
    createTimeoutMs: 5000,
  };
  const watch = new EtcdWatch({ ...parts, revisions, progressRequests: false, running, ...rest });
  const iterator = watch[Symbol.asyncIterator]();
  return { watch, iterator, next: () => outcome(iterator.next()) };
}

/** `5: put@5`, `done`, or the code or message of the failure. */
async function outcome(next: Promise<IteratorResult<WatchBatch, undefined>>): Promise<string> {
  try {
    const { done, value } = await next;
    if (done === true) return 'done';
    return [`${value.revision}`, ...value.events.map(({ type, revision }) => `${type}@${revision}`)].join(' ');
  } catch (error) {
    return error instanceof StorageError ? error.code : String(error);
  }
}

/** The stream that was opened as number `count`, once it is there. */
async function stream(count: number): Promise<ScriptedStream> {
  for (let turn = 0; turn < 50 && streams.length < count; turn += 1) await clock.advance(100);
  return streams[count - 1] ?? expect.fail(`there are ${streams.length} streams`);
}

describe('a watch of etcd', () => {
  it('asks for what comes after its position, and delivers it; what comes before is dropped', async () => {
    const { next } = watchAfter(10);
    const first = next();
    const one = await stream(1);
    expect(one.sent).toEqual([encodeWatchCreate(RANGE, 10)]);
    one.push(created(12), put(10), put(11));
    expect(await first).toBe('11 put@11');
    expect([answered, failed, running.size, one.isCancelled]).toEqual([1, [], 1, false]);
  });

  it('goes on from its position when a stream ends, at once if that was healthy', async () => {
    const { next } = watchAfter(10);
    const first = next();
    const one = await stream(1);
    one.push(created(12), put(12));
    expect(await first).toBe('12 put@12');
    const second = next();
    one.end(UNAVAILABLE);
    await clock.advance(0);
    const two = await stream(2);
    expect([two.sent, failed]).toEqual([[encodeWatchCreate(RANGE, 12)], [['unknown', false]]]);
    two.push(created(13), put(12), put(13));
    expect(await second).toBe('13 put@13');
  });

  it('waits longer and longer for streams that bring nothing, and not when they were open for ten seconds', async () => {
    const { next } = watchAfter(10);
    void next();
    (await stream(1)).end(UNAVAILABLE);
    await clock.advance(24);
    expect(streams).toHaveLength(1);
    await clock.advance(26);
    expect(streams).toHaveLength(2);
    streams[1]?.end(UNAVAILABLE);
    await clock.advance(49);
    expect(streams).toHaveLength(2);
    await clock.advance(51);
    expect(streams).toHaveLength(3);
    streams[2]?.push(created(10));
    await clock.advance(10_001);
    streams[2]?.end(UNAVAILABLE);
    await clock.advance(0);
    expect(streams).toHaveLength(4);
  });

  it('tries again when no stream can be had', async () => {
    refusals = [UNAVAILABLE, UNAVAILABLE];
    const { next } = watchAfter(10);
    const first = next();
    (await stream(1)).push(created(11), put(11));
    expect([await first, failed]).toEqual(['11 put@11', []]);
  });

  it('gives up a stream that does not confirm it in time', async () => {
    const { next } = watchAfter(10);
    const first = next();
    const one = await stream(1);
    await clock.advance(4899);
    expect(one.isCancelled).toBe(false);
    await clock.advance(200);
    expect(one.isCancelled).toBe(true);
    (await stream(2)).push(created(11), put(11));
    expect([await first, failed]).toEqual(['11 put@11', [['unknown', false]]]);
    await clock.advance(10_000);
    expect(streams[1]?.isCancelled).toBe(false);
  });

  it('of a member that is behind asks the cluster: it goes on, or ends because etcd was restored', async () => {
    const { next } = watchAfter(10);
    const first = next();
    (await stream(1)).push(created(9), put(11));
    expect(await first).toBe('11 put@11');
    standsAt = 9;
    const restored = watchAfter(10);
    const second = restored.next();
    (await stream(2)).push(created(9));
    expect([await second, await restored.next()]).toEqual(['COMPACTED', 'done']);
  });

  it('of a member that is behind goes to another one when the cluster does not answer', async () => {
    standsAt = undefined;
    const { next } = watchAfter(10);
    const first = next();
    const one = await stream(1);
    one.push(created(9), put(11));
    const two = await stream(2);
    expect([one.isCancelled, failed]).toEqual([true, [['unknown', true]]]);
    two.push(created(10), put(11));
    expect(await first).toBe('11 put@11');
  });

  it('ends with COMPACTED when its changes are gone, and is over then', async () => {
    const { next } = watchAfter(10);
    const first = next();
    const one = await stream(1);
    one.push(created(20), compacted(15));
    expect([await first, await next(), one.isCancelled, running.size]).toEqual(['COMPACTED', 'done', true, 0]);
  });

  it('looks again when a value is missing, and ends with CORRUPT when it is missing then', async () => {
    const { next } = watchAfter(10);
    const first = next();
    (await stream(1)).push(created(20), puts([11], false));
    (await stream(2)).push(created(20), puts([11], false));
    expect([await first, failed]).toEqual(['CORRUPT', [['unsent', true]]]);
  });

  it('ends with CORRUPT for events that are out of order, or come before the watch', async () => {
    const { next } = watchAfter(10);
    const first = next();
    (await stream(1)).push(created(20), puts([12, 11]));
    expect(await first).toBe('CORRUPT');
    const other = watchAfter(10);
    const second = other.next();
    (await stream(2)).push(put(12));
    expect(await second).toBe('CORRUPT');
  });

  it.each([
    [false, 1],
    [true, 3],
  ])('that may not read ends, with a token that can be renewed (%s) at attempt %i', async (isRenewable, attempts) => {
    const { next } = watchAfter(10, { isRenewable });
    const first = next();
    for (let attempt = 1; attempt <= attempts; attempt += 1)
      (await stream(attempt)).push(canceled('rpc error: permission denied'));
    expect(await first).toBe('UNAVAILABLE');
    expect(failed).toEqual(Array.from({ length: attempts }, () => ['unauthenticated', true]));
  });

  it('that may read again counts its refusals anew', async () => {
    const { next } = watchAfter(10, { isRenewable: true });
    const first = next();
    for (let attempt = 1; attempt <= 5; attempt += 1)
      (await stream(attempt)).push(created(10), canceled('rpc error: permission denied'));
    (await stream(6)).push(created(11), put(11));
    expect(await first).toBe('11 put@11');
  });

  it('ends with the error of a stream that another one cannot cure, in the words of etcd', async () => {
    const { iterator } = watchAfter(10);
    const first = iterator.next();
    (await stream(1)).end(new GrpcError(GRPC_STATUS.INVALID_ARGUMENT, 'etcdserver: what is this'));
    await expect(first).rejects.toThrow('etcd at http://etcd:2379: etcdserver: what is this');
    expect(running.size).toBe(0);
  });

  it('that etcd cancels for another reason goes on with another stream', async () => {
    const { next } = watchAfter(10);
    const first = next();
    (await stream(1)).push(created(10), canceled('mvcc: watcher is overloaded'));
    (await stream(2)).push(created(11), put(11));
    expect([await first, failed]).toEqual(['11 put@11', [['unknown', true]]]);
  });

  it('ends with the reason of its signal, wherever it waits', async () => {
    const reason = new Error('enough');
    for (const wait of ['before', 'opening', 'confirmation', 'events', 'retry']) {
      const controller = new AbortController();
      [streams, running] = [[], new Set()];
      if (wait === 'before') controller.abort(reason);
      if (wait === 'retry') refusals = [UNAVAILABLE];
      const { next } = watchAfter(10, { signal: controller.signal, running });
      const first = next();
      if (wait === 'confirmation' || wait === 'events') await stream(1);
      if (wait === 'events') streams[0]?.push(created(10));
      if (wait !== 'opening') await clock.advance(1);
      controller.abort(reason);
      expect([wait, await first, await next(), running.size]).toEqual([wait, 'Error: enough', 'done', 0]);
      for (const one of streams) expect(one.isCancelled).toBe(true);
    }
    await clock.advance(10_000);
    expect(clock.pending).toBe(0);
  });

  it('that its reader leaves is over, and so is one whose engine closes, which says so once', async () => {
    const { iterator, next } = watchAfter(10);
    const first = next();
    const one = await stream(1);
    expect(await outcome(iterator.return?.() ?? expect.unreachable())).toBe('done');
    expect([await first, await next(), one.isCancelled, running.size]).toEqual(['done', 'done', true, 0]);
    const other = watchAfter(10);
    const second = other.next();
    await stream(2);
    for (const open of running) open.close();
    expect([await second, await other.next(), running.size]).toEqual(['CLOSED', 'done', 0]);
    isClosed = true;
    expect(await watchAfter(10).next()).toBe('CLOSED');
  });

  it('has one reader', () => {
    const { watch } = watchAfter(10);
    expect(() => watch[Symbol.asyncIterator]()).toThrow('a watch has one consumer');
  });

  it('asks how far it has come when it is told to, and once a minute when it is quiet', async () => {
    const { watch, next } = watchAfter(10, { progressRequests: true });
    standsAt = 20;
    const first = next();
    const one = await stream(1);
    watch.requestProgress();
    expect(one.sent).toHaveLength(1);
    one.push(created(12));
    await clock.advance(0);
    expect(one.sent[1]).toEqual(encodeWatchProgress());
    one.push(message(20));
    expect(await first).toBe('20');
    const asked = one.sent.length;
    const second = next();
    await clock.advance(59_000);
    expect(one.sent).toHaveLength(asked);
    await clock.advance(1_000);
    expect(one.sent.length).toBeGreaterThan(asked);
    one.push(message(21));
    expect(await second).toBe('21');
  });
});
