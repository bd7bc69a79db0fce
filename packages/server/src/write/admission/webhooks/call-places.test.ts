import { setMaxListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CallPlaces, TooManyCalls } from './call-places.ts';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

async function full(): Promise<CallPlaces> {
  const places = new CallPlaces();
  for (let index = 0; index < 64; index += 1) await places.enter(NEVER);
  return places;
}

describe('the places of a webhook', () => {
  it('are given to those that wait in their order', async () => {
    const places = await full();
    const order: string[] = [];
    const waiting = ['a', 'b'].map((name) => places.enter(NEVER).then(() => order.push(name)));
    expect([places.inFlight, places.waiting]).toEqual([64, 2]);
    places.leave();
    await waiting[0];
    expect([order, places.inFlight, places.waiting]).toEqual([['a'], 64, 1]);
    places.leave();
    await waiting[1];
    places.leave();
    expect([order, places.inFlight, places.waiting]).toEqual([['a', 'b'], 63, 0]);
  });

  it('are not kept for those that have gone', async () => {
    const places = await full();
    const gone = new AbortController();
    const waiting = places.enter(gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(places.waiting).toBe(0);
    await expect(places.enter(gone.signal)).rejects.toThrow('gone');
  });

  it('have a queue with an end', async () => {
    const places = await full();
    const waiting = Array.from({ length: 1000 }, () => places.enter(NEVER));
    await expect(places.enter(NEVER)).rejects.toThrow(TooManyCalls);
    for (const _ of waiting) places.leave();
    await Promise.all(waiting);
  });
});
