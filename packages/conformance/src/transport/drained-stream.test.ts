import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { drained } from './drained-stream.ts';

it('many waits for one stream share its listeners, and all of them end', async () => {
  const stream = new EventEmitter();
  const waits = Array.from({ length: 20 }, () => drained(stream));
  expect(stream.listenerCount('drain')).toBe(1);
  expect(stream.listenerCount('close')).toBe(1);
  stream.emit('drain');
  await Promise.all(waits);
  expect(stream.eventNames()).toEqual([]);
});

it('a wait after the last one has ended waits for the next drain', async () => {
  const stream = new EventEmitter();
  const first = drained(stream);
  stream.emit('drain');
  await first;
  let isOver = false;
  const second = drained(stream).then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  stream.emit('close');
  await second;
});
