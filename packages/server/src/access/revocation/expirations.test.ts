import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { Expirations, type WithExpirations } from './expirations.ts';

const START = 1_700_000_000_000;

function started(): { clock: FakeClock; expired: string[]; items: Expirations<Named> } {
  const clock = new FakeClock({ now: START });
  const expired: string[] = [];
  return { clock, expired, items: new Expirations<Named>(clock, ({ name }) => expired.push(name)) };
}

interface Named extends WithExpirations {
  readonly name: string;
}

const named = (name: string, ...after: readonly number[]): Named => ({
  name,
  expirations: after.map((ms) => START + ms),
});

it('an item expires at each of its times, and not before', async () => {
  const { clock, expired, items } = started();
  for (const item of [named('late', 90_000), named('twice', 1000, 5000), named('never')]) items.add(item);
  await clock.advance(999);
  expect(expired).toEqual([]);
  await clock.advance(1);
  expect(expired).toEqual(['twice']);
  await clock.advance(4000);
  expect(expired).toEqual(['twice', 'twice']);
  await clock.advance(84_999);
  expect(expired).toHaveLength(2);
  await clock.advance(1);
  expect(expired).toEqual(['twice', 'twice', 'late']);
  expect([items.size, clock.pending]).toEqual([0, 0]);
});

it('all items have one timer, and none is left with the last of them', () => {
  const { clock, items } = started();
  const all = Array.from({ length: 1000 }, (_, index) => named(`${index}`, 1000 * (1000 - index)));
  for (const item of all) items.add(item);
  expect([items.size, clock.pending]).toEqual([1000, 1]);
  for (const item of all) items.delete(item);
  expect([items.size, clock.pending]).toEqual([0, 0]);
});

it('a clock that is set forward is noticed within a minute, and one that is set back expires nothing too early', async () => {
  const { clock, expired, items } = started();
  items.add(named('a', 3_600_000));
  clock.set(START + 3_600_000);
  await clock.advance(60_000);
  expect(expired).toEqual(['a']);
  items.add(named('b', 3_700_000));
  clock.set(START);
  await clock.advance(3_600_000);
  expect(expired).toEqual(['a']);
  await clock.advance(100_000);
  expect(expired).toEqual(['a', 'b']);
});

it('times that no clock shows are left out', () => {
  const { clock, items } = started();
  items.add(named('odd', Number.NaN, Number.POSITIVE_INFINITY));
  expect([items.size, clock.pending]).toEqual([0, 0]);
});

it('a time that has passed expires in the next turn of the clock', async () => {
  const { clock, expired, items } = started();
  items.add(named('old', -1));
  await clock.advance(0);
  expect(expired).toEqual(['old']);
});
