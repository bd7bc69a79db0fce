import { describe, expect, it } from 'vitest';
import { WorkerInputs } from './shared-inputs.ts';

const value = (key: string, length = 1) => ({ key, bytes: new Uint8Array(length) });
const keys = ({ share, forget }: ReturnType<WorkerInputs['require']>) => [share.map(({ key }) => key), forget];

describe('the shared values of a worker', () => {
  it('a value is sent once, and again after it was forgotten', () => {
    const values = new WorkerInputs({ maxValues: 2, maxBytes: 100 });
    expect(keys(values.require([value('a')]))).toEqual([['a'], []]);
    expect(keys(values.require([value('a')]))).toEqual([[], []]);
    values.require([value('b')]);
    values.require([value('a')]);
    expect(keys(values.require([value('c')]))).toEqual([['c'], ['b']]);
    expect(keys(values.require([value('b')]))).toEqual([['b'], ['a']]);
  });

  it('forgets until the bytes fit, but never what the job needs', () => {
    const values = new WorkerInputs({ maxValues: 10, maxBytes: 10 });
    values.require([value('a', 4)]);
    values.require([value('b', 4)]);
    expect(keys(values.require([value('c', 3)]))).toEqual([['c'], ['a']]);
    expect(keys(values.require([value('large', 20)]))).toEqual([['large'], ['b', 'c']]);
    expect(keys(values.require([value('a', 4), value('large', 20)]))).toEqual([['a'], []]);
  });
});
