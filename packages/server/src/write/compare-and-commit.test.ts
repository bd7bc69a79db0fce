import { createMemoryEngine, type Entry, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { compareAndCommit, type Decision } from './compare-and-commit.ts';
import type { RequestSignal } from './request-signal.ts';

const KEY = '/registry/things/a';
const OPTIONS = { request: requestSignalOf(new AbortController().signal), dryRun: false };

function requestSignalOf(signal: AbortSignal): RequestSignal {
  return { signal, throwIfAborted: () => signal.throwIfAborted() };
}

let engine: StorageEngine;

beforeEach(() => {
  engine = createMemoryEngine();
});

async function put(text: string): Promise<bigint> {
  return requireCommitted(await engine.commit({ type: 'put', key: KEY, value: Buffer.from(text) }), KEY);
}

async function stored(): Promise<string | undefined> {
  const { entry } = await engine.get(KEY);
  return entry && Buffer.from(entry.value).toString();
}

/** Appends to what is there, after another writer has come in between `intruders` times. */
function appendAfter(
  intruders: number,
  write: 'delete' | 'put' = 'put',
): Parameters<typeof compareAndCommit<string>>[2] {
  let left = intruders;
  return async (entry): Promise<Decision<string>> => {
    const seen = entry === undefined ? '' : Buffer.from(entry.value).toString();
    if (left-- > 0) await put(`${seen}!`);
    return write === 'delete' ? { write, result: seen } : { write, value: Buffer.from(`${seen}+`), result: seen };
  };
}

async function putEntry(text: string): Promise<Entry> {
  return { key: KEY, value: Buffer.from(text), modRevision: await put(text) };
}

/** Decides by `decide` and counts the reads of the store. */
async function decided(
  cached: Entry,
  decide: (seen: string) => Decision<string>,
): Promise<{ readonly result: string; readonly stored: string | undefined; readonly reads: number }> {
  const reads = vi.spyOn(engine, 'get');
  const act = (current: Entry | undefined): Decision<string> =>
    decide(current === undefined ? '' : Buffer.from(current.value).toString());
  const { result } = await compareAndCommit(engine, KEY, act, { ...OPTIONS, cached });
  const count = reads.mock.calls.length;
  return { result, stored: await stored(), reads: count };
}

function append(seen: string): Decision<string> {
  return {
    write: 'put',
    value: Buffer.from(`${seen}+`),
    result: seen,
  };
}

function refuseFirst(seen: string): Decision<string> {
  if (seen === '0') throw new Error('refused');
  return append(seen);
}

function skipFirst(seen: string): Decision<string> {
  return seen === '0' ? { write: 'none', result: seen } : append(seen);
}

describe('compare and commit', () => {
  it('decides again on the newest state until nobody comes in between', async () => {
    await put('0');
    const outcome = await compareAndCommit(engine, KEY, appendAfter(3), OPTIONS);
    expect([outcome.result, await stored()]).toEqual(['0!!!', '0!!!+']);
    expect(outcome.revision).toBe(await engine.revision());
    expect(outcome.previous?.modRevision).toBe((await engine.revision()) - 1n);
  });

  it('does not remove a state that it has not seen', async () => {
    await put('0');
    const outcome = await compareAndCommit(engine, KEY, appendAfter(1, 'delete'), OPTIONS);
    expect([outcome.result, await stored()]).toEqual(['0!', undefined]);
  });

  it('creates a key only when there is none', async () => {
    const outcome = await compareAndCommit(engine, KEY, appendAfter(1), OPTIONS);
    expect([outcome.result, await stored()]).toEqual(['!', '!+']);
  });

  it('a dry run decides and writes nothing', async () => {
    await put('0');
    const before = await engine.revision();
    const outcome = await compareAndCommit(engine, KEY, appendAfter(0), { ...OPTIONS, dryRun: true });
    expect([outcome.result, outcome.revision, await engine.revision()]).toEqual(['0', undefined, before]);
  });

  describe('on an entry of a cache', () => {
    it('commits without a read, and decides again when the entry is old', async () => {
      const old = await putEntry('0');
      expect(await decided(old, append)).toEqual({ result: '0', stored: '0+', reads: 0 });
      expect(await decided(old, append)).toMatchObject({ result: '0+', stored: '0++' });
    });

    it('refuses only what the newest entry is refused for', async () => {
      const old = await putEntry('0');
      await expect(decided(old, refuseFirst)).rejects.toThrow('refused');
      await put('1');
      expect(await decided(old, refuseFirst)).toMatchObject({ result: '1', stored: '1+' });
    });

    it('writes nothing only when the newest entry needs nothing', async () => {
      const old = await putEntry('0');
      expect(await decided(old, skipFirst)).toMatchObject({ result: '0', stored: '0' });
      await put('1');
      expect(await decided(old, skipFirst)).toMatchObject({ result: '1', stored: '1+' });
    });

    it('of a key that is gone finds out', async () => {
      const old = await putEntry('0');
      await engine.commit({ type: 'delete', key: KEY });
      expect(await decided(old, append)).toMatchObject({ result: '', stored: '+' });
    });
  });

  it('ends with the request, however busy the key is', async () => {
    const controller = new AbortController();
    let rounds = 0;
    const busy = async (): Promise<Decision<undefined>> => {
      await put(String(rounds));
      if (++rounds === 5) controller.abort(new Error('gone'));
      return { write: 'put', value: Buffer.from('x'), result: undefined };
    };
    const work = compareAndCommit(engine, KEY, busy, { request: requestSignalOf(controller.signal), dryRun: false });
    await expect(work).rejects.toThrow('gone');
    expect(rounds).toBe(5);
  });
});
