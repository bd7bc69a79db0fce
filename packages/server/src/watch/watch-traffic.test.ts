import { expect, it } from 'vitest';
import { WatchTraffic } from './watch-traffic.ts';

it('counts the frames and bytes of every watcher, also those that share an array', () => {
  const traffic = new WatchTraffic();
  const shared = [Buffer.from('abc'), Buffer.from('de')];
  traffic.add(shared);
  traffic.add(shared);
  traffic.add([Buffer.from('f')]);
  traffic.add(shared);
  traffic.add([]);
  expect([traffic.events, traffic.bytes]).toEqual([7, 16]);
});

it('counts events and not pieces where frames come in pieces', () => {
  const traffic = new WatchTraffic();
  traffic.add([Buffer.from('{'), Buffer.from('abc'), Buffer.from('}')], 1);
  expect([traffic.events, traffic.bytes]).toEqual([1, 5]);
});
