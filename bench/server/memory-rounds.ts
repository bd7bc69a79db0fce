/**
 * Memory after rounds of the same load: lists, watch-lists, a burst of updates to 500 watchers, and creates of objects that are
 * removed again. Each round ends with as many objects as it began with, so that what grows from round to round is held by nobody's data.
 */

import { FrameCounter } from './frame-counter.ts';
import { configMap, configMapPath, NAMESPACE, OBJECTS, objectName, spread } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { resident } from './process-facts.ts';
import { resourceVersion } from './resource-version.ts';
import { record } from './result.ts';
import type { MemoryParts, Target } from './target.ts';

const ROUNDS = 4;
const LISTS = 20;
const WATCHERS = 500;
const UPDATES = 800;
const WRITERS = 32;
const PASSING = 'bench-passing';
const MEGABYTE = 1e6;
const GOAL_MEGABYTES = 300;
/** What rounds two to four may add together: code caches and the heap's own growth. */
const GOAL_GROWTH_MEGABYTES = 60;
const WATCH_LIST = `${configMapPath()}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

export async function benchMemoryRounds(target: Target): Promise<void> {
  await withConnections(target, 'h1', 1, async ([connection]) => {
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: PASSING } };
    await connection?.ask({ method: 'POST', path: '/api/v1/namespaces', body: JSON.stringify(namespace) });
  });
  const own: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await readAll(target);
    await fanOut(target, round);
    await createAndRemove(target);
    const parts = await target.memory?.();
    const memory = resident(target.pid);
    own.push(memory.own);
    record(target, {
      bench: `memory after round ${round}`,
      value: memory.now / MEGABYTE,
      unit: 'MB',
      peakMb: Math.round(memory.peak / MEGABYTE),
      ownMb: Math.round(memory.own / MEGABYTE),
      ...inMegabytes(parts),
    });
  }
  const { now } = resident(target.pid);
  record(target, {
    bench: 'memory after four rounds',
    value: now / MEGABYTE,
    unit: 'MB',
    goal: { atMost: GOAL_MEGABYTES },
  });
  const growth = ((own.at(-1) ?? 0) - (own[0] ?? 0)) / MEGABYTE;
  record(target, { bench: 'memory growth', value: growth, unit: 'MB', goal: { atMost: GOAL_GROWTH_MEGABYTES } });
}

function inMegabytes(parts: MemoryParts | undefined): Record<string, number> {
  return Object.fromEntries(Object.entries(parts ?? {}).map(([part, bytes]) => [part, Math.round(bytes / MEGABYTE)]));
}

async function readAll(target: Target): Promise<void> {
  for (const protocol of ['h1', 'h2'] as const) {
    await withConnections(target, protocol, LISTS, async (connections) => {
      for (const connection of connections) {
        const { status } = await connection.ask({ path: configMapPath() });
        if (status !== 200) throw new Error(`a list was answered with ${status}`);
      }
      for (const connection of connections) await events(connection.watch.bind(connection), WATCH_LIST, OBJECTS + 1);
    });
  }
}

async function fanOut(target: Target, round: number): Promise<void> {
  await withConnections(target, 'h1', WATCHERS, async (readers) => {
    const from = await resourceVersion(target);
    const path = `${configMapPath()}?watch=true&resourceVersion=${from}`;
    const seen = readers.map((reader) => events(reader.watch.bind(reader), path, UPDATES));
    await withConnections(target, 'h1', WRITERS, async (writers) => {
      await spread(writers, UPDATES, async (writer, i) => {
        // Another value in each round: an update that changes nothing is no event.
        const body = configMap(i, round * UPDATES + i, NAMESPACE);
        const { status } = await writer.ask({ method: 'PUT', path: configMapPath(objectName(i)), body });
        if (status !== 200) throw new Error(`an update was answered with ${status}`);
      });
    });
    await Promise.all(seen);
  });
}

async function createAndRemove(target: Target): Promise<void> {
  await withConnections(target, 'h1', WRITERS, async (writers) => {
    await spread(writers, OBJECTS, async (writer, i) => {
      const body = configMap(i, 0, PASSING);
      const { status } = await writer.ask({ method: 'POST', path: configMapPath(undefined, PASSING), body });
      if (status !== 201) throw new Error(`a create was answered with ${status}`);
    });
    await spread(writers, OBJECTS, async (writer, i) => {
      const { status } = await writer.ask({ method: 'DELETE', path: configMapPath(objectName(i), PASSING) });
      if (status !== 200) throw new Error(`a deletion was answered with ${status}`);
    });
  });
}

/** Resolves when so many events have come; the watch goes on until its connection is closed. */
function events(
  watch: (path: string, onData: (chunk: Buffer) => void) => Promise<unknown>,
  path: string,
  count: number,
): Promise<void> {
  const counter = new FrameCounter();
  let missing = count;
  return new Promise((resolve, reject) => {
    watch(path, (chunk) => {
      missing -= counter.count(chunk);
      if (missing <= 0) resolve();
    }).catch(reject);
  });
}
