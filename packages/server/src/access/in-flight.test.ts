import { expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

it('refuses one too many, each kind for itself', () => {
  const counters = new InFlight({ read: 1, mutating: 1, watch: 0 });
  counters.enter('read');
  expect(() => counters.enter('read')).toThrow('Too many requests, please try again later.');
  counters.enter('mutating');
  counters.enter('watch');
  counters.enter('watch');
});

it('takes another one when one has left, and counts it out once only', () => {
  const counters = new InFlight({ read: 1, mutating: 1, watch: 0 });
  const leave = counters.enter('read');
  leave();
  leave();
  counters.enter('read');
  expect(counters.counts.read).toBe(1);
});
