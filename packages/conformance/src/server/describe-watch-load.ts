/** Watch guarantees under load: many watchers of every kind, random writes, random disconnects. */

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { StorageEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { amount } from '../parts/long-run.ts';
import { eventually } from '../storage/eventually.ts';
import { ApiClient, WATCH_TRANSPORTS } from './api-client.ts';
import { LoadWatcher, type WatcherStart } from './load-watcher.ts';
import { type PresentObjects, writeAtRandom } from './random-writer.ts';
import { SeededRandom } from './seeded-random.ts';
import type { ServerTarget } from './server-target.ts';
import { type StoredChange, storedChange } from './stored-change.ts';
import { type LoadWorld, randomSelection } from './watched-selection.ts';
import { checkWatcher } from './watcher-record.ts';

/** A server whose store can be looked into. */
export interface LoadedServer extends ServerTarget, AsyncDisposable {
  /** The engine that the server runs on: it tells what really happened. */
  readonly engine: StorageEngine;
  /** A second server on the same store. */
  readonly startAnother: () => Promise<ServerTarget & AsyncDisposable>;
}

export interface WatchLoadSuite {
  readonly name: string;
  readonly connect: () => Promise<LoadedServer>;
  /** Default: 50. */
  readonly watchers?: number | undefined;
  /** Default: `WATCH_LOAD_WRITES`, or 3 000, or 8 000 in a long run. */
  readonly writes?: number | undefined;
  /** Default: another one each time; a failure names it. */
  readonly seed?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Where ConfigMaps are stored. */
const PREFIX = '/registry/configmaps/';
const STARTS: readonly WatcherStart[] = ['list', 'newest', 'past', 'watch-list'];
const WRITERS = 24;
/**
 * How often a watcher is cut off, on average. The cuts go by writes, not by time: on a fast machine few watches reach
 * their own end, and a run with few cuts proves little.
 */
const CUTS_EACH = 4;
/** A watch ends after 8 seconds at most and begins again: on a busy machine the last events may need several of them. */
const TOLD_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** Declares the test for one server. */
export function describeWatchLoad(suite: WatchLoadSuite): void {
  const { watchers = 50, timeoutMs = 300_000 } = suite;
  const writes = suite.writes ?? Number(process.env['WATCH_LOAD_WRITES'] ?? amount(3000, 8000));
  const seed = suite.seed ?? Number(process.env['TEST_SEED'] ?? 1);
  const title = `${watchers} watchers see every one of ${writes} writes once and in order, whatever cuts them off`;
  describe(`watch guarantees: ${suite.name}`, () => {
    it(title, async () => runLoad(suite, { watchers, writes, seed }), timeoutMs);
  });
}

interface Load {
  readonly watchers: number;
  readonly writes: number;
  readonly seed: number;
}

async function runLoad(suite: WatchLoadSuite, load: Load): Promise<void> {
  await using server = await suite.connect();
  const random = new SeededRandom(load.seed);
  const writer = new ApiClient(server, { maxSockets: WRITERS });
  const world = await createWorld(writer);
  await using truth = await TruthRecorder.open(server.engine);
  const make = (client: ApiClient, index: number): LoadWatcher => {
    const transport = WATCH_TRANSPORTS[index % WATCH_TRANSPORTS.length] ?? 'http/1.1';
    const start = random.pick(STARTS);
    const selection = randomSelection(random, world);
    const name = `watcher ${index} (${transport}, ${start}, ${selection.path} ${JSON.stringify(selection.query)})`;
    return new LoadWatcher({ name, client, transport, selection, start, random, past: truth.start });
  };
  const clients = [new ApiClient(server), new ApiClient(server)];
  const early = Array.from({ length: Math.floor(load.watchers / 2) }, (_, index) =>
    make(clients[index % clients.length] ?? writer, index),
  );
  await Promise.all(early.map((watcher) => watcher.start()));
  const present: PresentObjects = new Set();
  const cutEvery = Math.max(1, Math.floor(load.writes / (CUTS_EACH * load.watchers)));
  const write = (writes: number, watchers: readonly LoadWatcher[], onWrite = (_count: number): void => {}) =>
    writeAtRandom({
      client: writer,
      world,
      random,
      present,
      writes,
      concurrency: WRITERS,
      onWrite: (count) => {
        if (random.below(cutEvery) === 0) random.pick(watchers).cut();
        onWrite(count);
      },
    });
  const firstHalf = Math.floor(load.writes / 2);
  await write(firstHalf, early);
  // This one has only seen the second half: who asks it for the first gets that from the store.
  await using another = await server.startAnother();
  clients.push(new ApiClient(another), new ApiClient(another));
  const late = Array.from({ length: load.watchers - early.length }, (_, index) =>
    make(clients[index % clients.length] ?? writer, early.length + index),
  );
  const watchers = [...early, ...late];
  const starting: Promise<void>[] = [];
  await write(load.writes - firstHalf, watchers, (count) => {
    const due = Math.ceil((count / (load.writes - firstHalf)) * late.length);
    while (starting.length < due) starting.push(late[starting.length]?.start() ?? Promise.resolve());
  });
  await Promise.all(starting);
  await judge(watchers, truth, await server.engine.revision(), load);
  for (const client of [...clients, writer]) client.close();
}

/** Waits until all watchers have been told of everything, ends them, and looks at what they saw. */
async function judge(watchers: readonly LoadWatcher[], truth: TruthRecorder, last: bigint, load: Load): Promise<void> {
  await truth.reached(last);
  const broken = (watcher: LoadWatcher): string | undefined => {
    const violation = checkWatcher(truth.changes, watcher.record, last);
    return violation && `${violation.guarantee}: ${watcher.record.name}: ${violation.message} (seed ${load.seed})`;
  };
  await told(watchers, (watcher) => broken(watcher) === undefined);
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  expect(truth.changes).toHaveLength(load.writes);
  // As one text: a failed comparison of lists shows only how long they are.
  expect(watchers.flatMap((watcher) => broken(watcher) ?? []).join('\n')).toBe('');
  expect(watchers.reduce((sum, watcher) => sum + watcher.connections, 0)).toBeGreaterThan(2 * load.watchers);
  // How many there are depends on the drawn starts and on how long the run takes; without any the run would prove less.
  expect(watchers.reduce((sum, watcher) => sum + watcher.bookmarks, 0)).toBeGreaterThan(0);
}

/**
 * Resolves when each watcher has been told of everything, or after a minute: the checker then says what is missing. A check walks through
 * all writes, so a watcher is checked only when something has come since, and one in a turn: otherwise the checks take the time that
 * the servers, which run in this process, need to send.
 */
async function told(watchers: readonly LoadWatcher[], isTold: (watcher: LoadWatcher) => boolean): Promise<void> {
  const pending = new Map(watchers.map((watcher) => [watcher, -1]));
  const deadline = performance.now() + TOLD_WITHIN_MS;
  while (pending.size > 0 && performance.now() < deadline) {
    for (const [watcher, checked] of pending) {
      const { received } = watcher;
      if (received === checked) continue;
      if (isTold(watcher)) pending.delete(watcher);
      else pending.set(watcher, received);
      await nextTurn();
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function createWorld(client: ApiClient): Promise<LoadWorld> {
  const namespaces = ['load-a', 'load-b', 'load-c', 'load-d'];
  for (const name of namespaces) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const answer = await client.request('POST', '/api/v1/namespaces', { body });
    if (answer.status !== 201) throw new Error(`${name} could not be created: ${answer.text}`);
  }
  return { namespaces, names: Array.from({ length: 3 * WRITERS }, (_, index) => `object-${index}`) };
}

/** Every change of the ConfigMaps, from the store itself. */
class TruthRecorder implements AsyncDisposable {
  readonly changes: StoredChange[] = [];
  /** Before the first change. */
  readonly start: bigint;
  readonly #end = new AbortController();
  readonly #recording: Promise<void>;
  #revision: bigint;

  private constructor(engine: StorageEngine, after: bigint) {
    this.start = after;
    this.#revision = after;
    this.#recording = this.#record(engine, after);
  }

  static async open(engine: StorageEngine): Promise<TruthRecorder> {
    return new TruthRecorder(engine, await engine.revision());
  }

  async reached(revision: bigint): Promise<void> {
    await eventually(`the store to report ${revision}`, () => this.#revision >= revision);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#recording;
  }

  async #record(engine: StorageEngine, after: bigint): Promise<void> {
    try {
      for await (const batch of engine.watch(PREFIX, { after, signal: this.#end.signal })) {
        for (const event of batch.events) this.changes.push(storedChange(event, PREFIX));
        this.#revision = batch.revision;
      }
    } catch (error) {
      if (!this.#end.signal.aborted) throw error;
    }
  }
}
