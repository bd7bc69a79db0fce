import { describe, expect, it } from 'vitest';
import { event, PlayedUpstream, pod } from './played-upstream.fixture.ts';

/** The first pause before another attempt is not longer. */
const PAUSE_MS = 3000;

describe('a feed', () => {
  it('has nothing to read before the whole state has come, and then has it with its bytes at the version of the marker', async () => {
    const played = await PlayedUpstream.start('pods');
    played.streams[0]?.send('ADDED', pod('one', 3));
    await played.clock.advance(0);
    expect([played.cache.generation, played.feed.state.type]).toEqual([undefined, 'loading']);
    played.streams[0]?.bookmark('10', true);
    await played.clock.advance(0);
    expect(played.cache.generation?.revision).toBe(10n);
    expect(played.cache.generation?.get('a/one')?.bytes.toString()).toBe(pod('one', 3));
    expect(played.feed.state.type).toBe('live');
  });

  it('rises by its own events and bookmarks, and by nothing else', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    played.streams[0]?.send('MODIFIED', pod('one', 12));
    await played.clock.advance(0);
    expect(played.cache.generation?.revision).toBe(12n);
    played.streams[0]?.bookmark('40');
    await played.clock.advance(0);
    expect(played.cache.generation?.revision).toBe(40n);
    await played.clock.advance(20_000);
    expect(played.cache.generation?.revision).toBe(40n);
  });

  it('wakes who waits for a version when that has come, and not before', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    let isReached = false;
    const waiting = async (): Promise<void> => {
      isReached = (await played.cache.generation?.reached(12n)) ?? false;
    };
    void waiting();
    played.streams[0]?.send('MODIFIED', pod('one', 11));
    await played.clock.advance(0);
    expect(isReached).toBe(false);
    played.streams[0]?.send('MODIFIED', pod('one', 12));
    await played.clock.advance(0);
    expect(isReached).toBe(true);
  });

  it('that is told of a 410 serves what it had until the new state is whole', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const before = played.cache.generation;
    played.streams[0]?.expire();
    await played.clock.advance(0);
    expect(played.feed.state.type).toBe('away');
    await played.clock.advance(PAUSE_MS);
    const next = played.streams.at(-1);
    expect(next).not.toBe(played.streams[0]);
    next?.send('ADDED', pod('two', 50));
    await played.clock.advance(0);
    expect(played.names).toEqual(['one']);
    next?.bookmark('60', true);
    await played.clock.advance(0);
    expect(played.names).toEqual(['two']);
    expect(before?.isEnded).toBe(true);
  });

  it('of an upstream that was restored ends what it had before it shows anything else', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    played.streams[0]?.bookmark('5');
    for (let i = 0; i < 10 && played.streams.length < 2; i += 1) await played.clock.advance(PAUSE_MS);
    expect(played.names).toEqual(['one']);
    played.streams[1]?.send('ADDED', pod('old', 2));
    await played.clock.advance(0);
    expect(played.cache.generation).toBeUndefined();
  });

  it('of another cluster than before ends what it had at once', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    played.uid = 'cluster-2';
    played.streams[0]?.expire();
    await played.clock.advance(PAUSE_MS);
    expect(played.names).toEqual(['one']);
    played.streams.at(-1)?.send('ADDED', pod('two', 50));
    await played.clock.advance(0);
    expect(played.cache.generation).toBeUndefined();
    expect(played.errors.join()).toContain('another cluster');
  });

  it('whose objects begin in another way is not shown: a list would not be the one of the upstream', async () => {
    const played = await PlayedUpstream.start('pods');
    expect(() =>
      played.streams[0]?.send('ADDED', `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","namespace":"a"}}`),
    ).toThrow(SyntaxError);
    expect(played.cache.generation).toBeUndefined();
  });

  it('takes items of a list without their type, and makes of them what a watch would show', async () => {
    const played = await PlayedUpstream.start('pods');
    played.streams[0]?.send('ADDED', '{"metadata":{"name":"one","namespace":"a","resourceVersion":"3"}}');
    played.streams[0]?.bookmark('10', true);
    await played.clock.advance(0);
    expect(played.cache.generation?.get('a/one')?.bytes.toString()).toBe(pod('one', 3));
  });

  it('that grows too large passes, and asks for the whole state again ever less often', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    played.streams[0]?.send('MODIFIED', pod('one', 12, `,"spec":"${'x'.repeat(1000)}"`));
    await played.clock.advance(0);
    expect(played.cache.generation).toBeUndefined();
    expect(played.errors.join()).toContain('more than 1000 bytes');
    const attempts: number[] = [];
    for (let minute = 0; minute < 12; minute += 1) {
      const before = played.streams.length;
      for (let second = 0; second < 60; second += 1) {
        const open = played.streams.at(-1);
        if (open?.isEnded === false) open.send('ADDED', pod('one', 12, `,"spec":"${'x'.repeat(1000)}"`));
        await played.clock.advance(1000);
      }
      attempts.push(played.streams.length - before);
    }
    expect(attempts[0]).toBeLessThan(8);
    expect(attempts.slice(6).reduce((sum, count) => sum + count, 0)).toBeLessThan(4);
  });

  it('that stops ends its watches and its requests', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const before = played.cache.generation;
    played.feeds.stop();
    await played.clock.advance(0);
    expect([before?.isEnded, played.cache.state.type]).toEqual([true, 'stopped']);
  });
});

describe('a kind whose objects expire', () => {
  it('holds a deletion until something later has come: others may be deleted at the same version', async () => {
    const played = await PlayedUpstream.loaded('events', event);
    played.streams[0]?.send('ADDED', event('two', 11));
    played.streams[0]?.send('DELETED', event('one', 20));
    await played.clock.advance(0);
    expect(played.cache.generation?.revision).toBe(11n);
    played.streams[0]?.send('DELETED', event('two', 20));
    await played.clock.advance(0);
    expect([played.cache.generation?.revision, played.names]).toEqual([11n, ['one', 'two']]);
    played.streams[0]?.send('ADDED', event('three', 25));
    await played.clock.advance(0);
    expect([played.cache.generation?.revision, played.names]).toEqual([25n, ['three']]);
  });

  it('counts a bookmark as later', async () => {
    const played = await PlayedUpstream.loaded('events', event);
    played.streams[0]?.send('DELETED', event('one', 20));
    played.streams[0]?.bookmark('20');
    await played.clock.advance(0);
    expect([played.cache.generation?.revision, played.names]).toEqual([20n, []]);
  });
});
