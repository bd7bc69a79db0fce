import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { endWithRequest } from './request-signal.ts';

const alive = new AbortController().signal;

describe('the patience with a store', () => {
  it('gives a signal to an engine that others share, and makes none for one within the process', () => {
    const engine = createMemoryEngine();
    const shared = Object.create(engine, { capabilities: { value: { ...engine.capabilities, shared: true } } });
    const request = { signal: alive, throwIfAborted: () => {} };
    expect(endWithRequest(shared, request).signal).toBe(alive);
    const costly = {
      throwIfAborted: () => {},
      get signal(): AbortSignal {
        return expect.unreachable();
      },
    };
    expect(endWithRequest(engine, costly)).toEqual({});
  });

  it('asks no engine for a request that is over', () => {
    const gone = AbortSignal.abort(new Error('gone'));
    const request = { signal: gone, throwIfAborted: () => gone.throwIfAborted() };
    expect(() => endWithRequest(createMemoryEngine(), request)).toThrow('gone');
  });
});
