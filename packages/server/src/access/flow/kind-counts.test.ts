import { expect, it } from 'vitest';
import { KindCounts, kindOfVerb } from './kind-counts.ts';

it('shows the most requests that waited in the last second', () => {
  const counts = new KindCounts(100, 0);
  for (let index = 0; index < 5; index += 1) counts.waits(1, 100);
  for (let index = 0; index < 4; index += 1) counts.waits(-1, 200);
  expect([counts.inQueue(300), counts.inQueue(1300)]).toEqual([5, 5]);
  expect(counts.inQueue(2400)).toBe(1);
  counts.waits(-1, 2500);
  expect([counts.inQueue(2600), counts.inQueue(9000)]).toEqual([1, 0]);
});

it('counts each nanosecond with the part of the limit that was in use', () => {
  const counts = new KindCounts(10, 0);
  counts.executes(1, 1000);
  counts.executes(-1, 3000);
  const { bounds, counts: seen } = counts.uses.executing.read(4000);
  expect([seen[bounds.indexOf(0)], seen[bounds.indexOf(0.1)]]).toEqual([2e9, 2e9]);
});

it.each([
  ['get', 'readOnly'],
  ['list', 'readOnly'],
  ['watch', 'readOnly'],
  ['patch', 'mutating'],
  ['deletecollection', 'mutating'],
])('%s is %s', (verb, kind) => expect(kindOfVerb(verb)).toBe(kind));
