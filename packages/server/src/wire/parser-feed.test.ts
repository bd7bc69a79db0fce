import { Socket } from 'node:net';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { ParserFeed } from './parser-feed.ts';

it('a connection that is slowed down each second for a minute keeps nothing of it', async () => {
  const clock = new FakeClock();
  const socket = new Socket();
  const feed = new ParserFeed(socket, () => false);
  const before = socket.listenerCount('close');
  for (let second = 0; second < 60; second += 1) {
    feed.holdFor(clock, 1000);
    await clock.advance(1000);
  }
  expect([socket.listenerCount('close'), clock.pending]).toEqual([before, 0]);
  socket.destroy();
});
