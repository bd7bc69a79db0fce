/** Contract, by property: random histories, read and watched at every revision, equal the model. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Entry, Revision, StorageEngine } from '@listwatch/storage';
import fc from 'fast-check';
import { expect } from 'vitest';
import { bytes, text } from './bytes.ts';
import { CommittedHistory } from './committed-history.ts';
import { compactUnlessDone } from './compact-unless-done.ts';
import { storageError } from './expect-error.ts';
import type { StorageSection } from './storage-suite.ts';
import { checkWatchHistory } from './watch-history.ts';
import { WatchRecorder } from './watch-recorder.ts';

/** Few keys that are prefixes of one another, so that random changes meet. */
const KEYS = ['/a', '/a/1', '/a/10', '/a/2', '/b/é', '/b/\u{1F600}'] as const;
const PREFIXES = ['', '/a', '/a/', '/a/1', '/b/', '/c'] as const;

/** A step of a random history. `expected` says how the writer guesses the key's revision. */
type Step =
  | { readonly type: 'put'; readonly key: string; readonly expected: Guess }
  | { readonly type: 'delete'; readonly key: string; readonly expected: Exclude<Guess, 'absent'> }
  /** Compactions that begin at the same time, each to so many revisions back. */
  | { readonly type: 'compact'; readonly backs: readonly number[] };
type Guess = 'any' | 'right' | 'stale' | 'absent';

const key = fc.constantFrom(...KEYS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('put' as const),
      key,
      expected: fc.constantFrom<Guess>('any', 'right', 'stale', 'absent'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('delete' as const),
      key,
      expected: fc.constantFrom<Exclude<Guess, 'absent'>>('any', 'right', 'stale'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('compact' as const),
      backs: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
    }),
  },
);

interface Played {
  readonly history: CommittedHistory;
  /** The revision before the first step. */
  readonly start: Revision;
  /** The oldest revision that can be read. */
  readonly oldest: Revision;
  readonly newest: Revision;
}

async function play(engine: StorageEngine, steps: readonly Step[]): Promise<Played> {
  const history = new CommittedHistory(engine);
  const start = await engine.revision();
  let [oldest, newest] = [start, start];
  for (const [index, one] of steps.entries()) {
    if (one.type === 'compact') {
      oldest = await compactTogether(engine, one.backs, oldest, newest);
      continue;
    }
    const current = history.current(one.key)?.modRevision;
    const expected = guess(one.expected, current, newest);
    if (one.type === 'delete' && expected === 0n) continue;
    const result = await history.commit({ type: one.type, key: one.key, value: bytes(`v${index}`), expected });
    expect(result.committed).toBe(model(one, expected, current));
    if (result.committed) newest += 1n;
    else expect(plain(result.current)).toBe(plain(history.current(one.key)));
    expect(result.revision).toBe(newest);
  }
  return { history, start, oldest, newest };
}

/** The oldest revision that can be read afterwards: that of the furthest compaction, whatever their order was. */
async function compactTogether(
  engine: StorageEngine,
  backs: readonly number[],
  oldest: Revision,
  newest: Revision,
): Promise<Revision> {
  const targets = backs.map((back) => newest - BigInt(back)).filter((target) => target > oldest);
  const compactions: Promise<void>[] = [];
  for (const target of targets) {
    compactions.push(compactUnlessDone(engine, target));
    await nextTurn();
  }
  await Promise.all(compactions);
  return targets.reduce((furthest, target) => (target > furthest ? target : furthest), oldest);
}

function guess(how: Guess, current: Revision | undefined, newest: Revision): Revision | undefined {
  if (how === 'any') return undefined;
  if (how === 'absent') return 0n;
  return how === 'right' ? (current ?? 0n) : (current ?? newest) - 1n;
}

function model(one: { readonly type: 'put' | 'delete' }, expected: Revision | undefined, current?: Revision): boolean {
  if (one.type === 'delete' && current === undefined) return false;
  return expected === undefined || expected === (current ?? 0n);
}

async function checkReads(engine: StorageEngine, { history, start: first, oldest, newest }: Played): Promise<void> {
  for (let at = oldest; at <= newest; at += 1n) {
    for (const prefix of PREFIXES) {
      const expected = history.stateAt(at, prefix);
      const whole = await engine.range(prefix, { at });
      expect(whole.entries.map(plain)).toEqual(expected.map(plain));
      expect(whole).toMatchObject({ more: false, count: expected.length, revision: at });
    }
    const expected = history.stateAt(at);
    let start: string | undefined;
    for (const [index, entry] of expected.entries()) {
      const page = await engine.range('', { at, limit: 1, start });
      expect(page.entries.map(plain)).toEqual([plain(entry)]);
      expect(page).toMatchObject({ more: index < expected.length - 1, count: expected.length - index });
      expect((await engine.get(entry.key, { at })).entry?.modRevision).toBe(entry.modRevision);
      start = `${entry.key}\0`;
    }
  }
  for (let at = first; at < oldest; at += 1n) {
    expect(await storageError(engine.range('', { at }))).toMatchObject({ code: 'COMPACTED', revision: oldest });
  }
  expect(await storageError(engine.range('', { at: newest + 1n }))).toMatchObject({ code: 'FUTURE_REVISION' });
}

function plain(entry: Entry | undefined): string {
  return entry === undefined ? 'nothing' : `${entry.key} ${text(entry.value)} ${entry.modRevision}`;
}

async function checkWatches(engine: StorageEngine, { history, oldest, newest }: Played): Promise<void> {
  const last = history.events.at(-1);
  for (let after = oldest; after < newest; after += 1n) {
    const prefix = PREFIXES[Number(after) % PREFIXES.length] ?? '';
    const recorder = WatchRecorder.open(engine, { prefix, after });
    const due = history.events.findLast((event) => event.revision > after && event.key.startsWith(prefix));
    if (due !== undefined) await recorder.reached(due.revision);
    expect(checkWatchHistory(history.events, recorder.record)).toEqual([]);
    await recorder.stop();
  }
  expect(last?.revision ?? newest).toBe(newest);
}

export const modelCases: StorageSection = {
  title: 'model',
  cases: [
    {
      title: 'random histories: every commit is decided, and every past revision read and paged, as the model says',
      timeoutMs: 120_000,
      run: async (_engine, { open, suite }) => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
            const engine = await open();
            await checkReads(engine, await play(engine, steps));
            await engine.close();
          }),
          { numRuns: suite.runs ?? 50 },
        );
      },
    },
    {
      title: 'random histories: a watch from every kept revision gives exactly the model’s events',
      timeoutMs: 120_000,
      run: async (_engine, { open, suite }) => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
            const engine = await open();
            await checkWatches(engine, await play(engine, steps));
            await engine.close();
          }),
          { numRuns: suite.runs ?? 50 },
        );
      },
    },
  ],
};
