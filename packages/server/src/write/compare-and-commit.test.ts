import { createMemoryEngine, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { beforeEach, describe, expect, it } from 'vitest';
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
