import { describe, expect, it } from 'vitest';
import { checkChange } from './refusal.ts';
import type { Change } from './storage-engine.ts';

const value = Buffer.from('v');
const put: Change = { type: 'put', key: 'a', value, expected: 0n };
const other = { key: 'b', value, expected: 0n };

describe('a change that makes no sense', () => {
  it.each<[string, object, string]>([
    ['writes what is no bytes', { ...put, value: 'v' }, 'value must be bytes'],
    ['expects what is no revision', { ...put, expected: -1n }, 'expected must be a revision of 0n or more, got -1'],
    ['deletes what must not be there', { ...put, type: 'delete' }, 'a delete cannot expect the key to be absent'],
    [
      'writes its own key beside itself',
      { ...put, alongside: [{ ...other, key: 'a' }] },
      'alongside writes the key "a"',
    ],
    ['writes a key twice', { ...put, alongside: [other, other] }, 'alongside writes the key "b" twice'],
    ['writes no bytes beside itself', { ...put, alongside: [{ ...other, value: 'v' }] }, 'value of alongside must be'],
    ['expects nothing there', { ...put, alongside: [{ ...other, expected: 1 }] }, 'expected of alongside must be a'],
    ['expects nothing of its own', { ...put, expected: undefined, alongside: [other] }, 'needs an expected of its own'],
    ['guards its own key', { ...put, guards: [{ key: 'a', revision: 1n }] }, 'guards its own key'],
    ['guards what it writes', { ...put, alongside: [other], guards: [{ key: 'b', revision: 1n }] }, 'which is guarded'],
  ])('is refused: it %s', (_, change, message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers in JavaScript are not held to the type
    expect(() => checkChange(change as Change, true)).toThrow(message);
  });

  it('is any with alongside where an engine takes none', () => {
    const change: Change = { ...put, alongside: [other] };
    expect(() => checkChange(change)).toThrow('this engine commits one key at a time');
    expect(() => checkChange(change, true)).not.toThrow();
  });
});
