import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { DelayedKeys } from './delayed-keys.ts';

const NEVER = 1_000_000_000;

function delayedKeys(): { readonly clock: FakeClock; readonly keys: DelayedKeys<string>; readonly due: string[] } {
  const clock = new FakeClock();
  const due: string[] = [];
  return { clock, keys: new DelayedKeys(clock, (key) => due.push(key)), due };
}

describe('waits that are over take no memory', () => {
  it('when a key is delayed to an earlier time, over and over', async () => {
    const { clock, keys, due } = delayedKeys();
    for (let index = 0; index < 10_000; index++) keys.add('a', NEVER - index, 0);
    expect(keys.size).toBe(1);
    expect(keys.held).toBeLessThanOrEqual(65);
    await clock.advance(NEVER);
    expect(due).toEqual(['a']);
  });

  it('when a key is delayed and waits no more, while another one waits for longer or shorter', async () => {
    const { clock, keys, due } = delayedKeys();
    keys.add('first', 1000, 0);
    keys.add('last', NEVER, 0);
    for (let index = 0; index < 10_000; index++) {
      keys.add('a', 2000 + index, 0);
      keys.delete('a');
    }
    expect(keys.size).toBe(2);
    expect(keys.held).toBeLessThanOrEqual(65);
    await clock.advance(NEVER);
    expect(due).toEqual(['first', 'last']);
  });

  it('when a key is delayed to the same time or a later one, which changes nothing', () => {
    const { keys } = delayedKeys();
    for (let index = 0; index < 10; index++) keys.add('a', 1000 + index, 0);
    expect([keys.size, keys.held]).toEqual([1, 1]);
  });

  it('and few of them are not looked for, which would cost more than they do', () => {
    const { keys } = delayedKeys();
    for (let index = 0; index < 64; index++) keys.add('a', NEVER - index, 0);
    expect([keys.size, keys.held]).toEqual([1, 64]);
    keys.add('a', 1000, 0);
    expect([keys.size, keys.held]).toEqual([1, 1]);
  });

  it('and nothing is held once all have come, or been dropped', async () => {
    const { clock, keys } = delayedKeys();
    for (const key of ['a', 'b', 'c']) keys.add(key, 1000, 0);
    await clock.advance(1000);
    expect([keys.size, keys.held, clock.pending]).toEqual([0, 0, 0]);
    for (const key of ['a', 'b', 'c']) keys.add(key, 1000, 0);
    keys.clear();
    expect([keys.size, keys.held, clock.pending]).toEqual([0, 0, 0]);
  });

  it('and those that are not over stay, however many they are', async () => {
    const { clock, keys, due } = delayedKeys();
    const names = Array.from({ length: 500 }, (_, index) => `k${index}`);
    for (const [index, name] of names.entries()) keys.add(name, 10_000 - index, 0);
    for (const name of names.slice(0, 300)) keys.delete(name);
    expect([keys.size, keys.held]).toEqual([200, expect.any(Number)]);
    expect(keys.held).toBeLessThanOrEqual(400);
    expect(keys.held).toBeGreaterThan(keys.size);
    await clock.advance(10_000);
    expect(due).toEqual(names.slice(300).toReversed());
  });
});
