import { FakeClock } from '@listwatch/api/fake-clock';
import { StorageError } from '@listwatch/storage';
import { expect, it } from 'vitest';
import { ClusterReach, type EtcdReachEvent } from './cluster-reach.ts';

it('tells once that the cluster is lost, after three seconds without an answer, and once that it is back', async () => {
  const clock = new FakeClock();
  const told: EtcdReachEvent[] = [];
  const reach = new ClusterReach(clock, (event) => told.push(event));
  const error = new StorageError('UNAVAILABLE', 'no connection');
  reach.failed(() => error);
  await clock.advance(2000);
  // A member that answers ends it: another one may be down for as long as it likes.
  reach.answered('a');
  reach.failed(() => error);
  await clock.advance(2999);
  reach.failed(() => error);
  expect(told).toEqual([]);
  await clock.advance(1);
  for (let i = 0; i < 3; i += 1) reach.failed(() => error);
  expect(told).toEqual([{ type: 'lost', error }]);
  await clock.advance(4000);
  reach.answered('b');
  reach.answered('b');
  expect(told.slice(1)).toEqual([{ type: 'back', endpoint: 'b', afterMs: 7000 }]);
  reach.failed(() => error);
  expect(told).toHaveLength(2);
});
