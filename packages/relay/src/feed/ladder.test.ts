import { describe, expect, it } from 'vitest';
import type { FreshnessEnd } from './freshness.ts';
import { event, PlayedUpstream, pod } from './played-upstream.fixture.ts';

/** Of one request; `end` once it has one. */
interface Climb {
  end: FreshnessEnd | undefined;
  readonly leave: () => void;
}

/** A request comes. */
async function climb(played: PlayedUpstream, isSmall = false): Promise<Climb> {
  const gone = new AbortController();
  const one: Climb = { end: undefined, leave: () => gone.abort(new Error('gone')) };
  void (async () => {
    one.end = await played.feed.ladder.climb(isSmall, gone.signal).catch(() => undefined);
  })();
  await played.clock.advance(0);
  return one;
}

const proven = (revision: bigint): FreshnessEnd => ({ type: 'proven', revision });
/** The kind is at 10; something else was written at 40. */
const QUIET = 40;

describe('what is true now', () => {
  it('is in the cache when it has the version of a probe that was sent after the request came', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const one = await climb(played);
    expect(one.end).toBeUndefined();
    await played.answerProbe(10);
    expect(one.end).toEqual(proven(10n));
    expect(played.beats).toEqual([]);
  });

  it('is there when the feed brings that version within 100 ms', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const one = await climb(played);
    await played.answerProbe(12);
    await played.clock.advance(99);
    expect(one.end).toBeUndefined();
    played.stream.send('MODIFIED', pod('one', 12));
    await played.clock.advance(0);
    expect(one.end).toEqual(proven(12n));
  });

  it('is left to the upstream after that when the answer is small', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const one = await climb(played, true);
    await played.answerProbe(QUIET);
    await played.clock.advance(100);
    expect(one.end).toEqual({ type: 'unproven', why: 'quiet' });
    expect(played.beats).toEqual([]);
  });

  it('is not known by a probe that was sent before the request came: requests that come meanwhile share the next one', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const first = await climb(played);
    const [second, third] = [await climb(played), await climb(played)];
    expect(played.probes).toHaveLength(1);
    await played.answerProbe(10);
    expect([first.end, second.end, third.end]).toEqual([proven(10n), undefined, undefined]);
    expect(played.probes).toHaveLength(1);
    played.stream.send('MODIFIED', pod('one', 12));
    await played.answerProbe(12);
    expect([second.end, third.end]).toEqual([proven(12n), proven(12n)]);
    expect(played.probes).toEqual([]);
    expect(played.feed.proofs).toMatchObject({ probes: 2, atOnce: 3 });
  });

  it('is unknown when the upstream does not answer, or says that it is behind what it has shown', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const one = await climb(played);
    await played.answerProbe(undefined);
    const other = await climb(played);
    await played.answerProbe(9);
    expect([one.end, other.end]).toEqual([
      { type: 'unproven', why: 'away' },
      { type: 'unproven', why: 'doubt' },
    ]);
    expect(played.feed.proofs).toMatchObject({ probes: 1, failedProbes: 1, away: 1, doubt: 1 });
  });
});

/** A large request on a quiet kind: a second watch is open. */
async function beating(): Promise<{ readonly played: PlayedUpstream; readonly one: Climb }> {
  const played = await PlayedUpstream.loaded('pods', pod);
  const one = await climb(played);
  await played.answerProbe(QUIET);
  await played.clock.advance(100);
  return { played, one };
}

describe('a beat', () => {
  it('begins where the feed is, and its bookmark proves what no event does', async () => {
    const { played, one } = await beating();
    expect(played.beats.map(({ query }) => query.resourceVersion)).toEqual(['10']);
    played.beats[0]?.bookmark('40');
    await played.clock.advance(0);
    expect(one.end).toEqual(proven(40n));
    expect(played.cache.generation?.revision).toBe(40n);
    expect(played.feed.proofs.beats).toEqual({ opened: 1, proven: 1 });
  });

  it('ends when nobody waits any more, and one is enough for all who wait', async () => {
    const { played, one } = await beating();
    const others = [await climb(played), await climb(played)];
    await played.answerProbe(QUIET);
    await played.clock.advance(100);
    await played.answerProbe(QUIET).catch(() => {});
    await played.clock.advance(100);
    expect(played.beats).toHaveLength(1);
    one.leave();
    for (const { leave } of others) leave();
    await played.clock.advance(0);
    expect(played.beats[0]?.isEnded).toBe(true);
  });

  it('proves nothing by a bookmark that is older than the probe', async () => {
    const { played, one } = await beating();
    played.beats[0]?.bookmark('39');
    await played.clock.advance(0);
    expect([one.end, played.cache.generation?.revision]).toEqual([undefined, 39n]);
    played.beats[0]?.bookmark('41');
    await played.clock.advance(0);
    expect(one.end).toEqual(proven(40n));
  });

  it('proves nothing before the feed has what the beat was sent before its bookmark; each version is applied once', async () => {
    const { played, one } = await beating();
    const [feed, beat] = played.streams;
    beat?.send('MODIFIED', pod('one', 38, ',"spec":{"nodeName":"n"}'));
    beat?.bookmark('40');
    await played.clock.advance(0);
    expect([one.end, played.cache.generation?.revision]).toEqual([undefined, 10n]);
    feed?.send('MODIFIED', pod('one', 38, ',"spec":{"nodeName":"n"}'));
    await played.clock.advance(0);
    expect(one.end).toEqual(proven(40n));
    expect(played.cache.generation?.window.end).toBe(1);
    expect(played.feed.counts.events).toBe(1);
  });

  it('that brings nothing in 2.5 s leaves the request to the upstream', async () => {
    const { played, one } = await beating();
    await played.clock.advance(2499);
    expect(one.end).toBeUndefined();
    await played.clock.advance(1);
    expect(one.end).toEqual({ type: 'unproven', why: 'no proof' });
    expect(played.beats[0]?.isEnded).toBe(true);
  });

  it('that is refused is tried again a second later while somebody waits', async () => {
    const { played, one } = await beating();
    played.beats[0]?.end(new Error('refused'));
    await played.clock.advance(999);
    expect(played.beats).toHaveLength(1);
    await played.clock.advance(1);
    expect(played.beats).toHaveLength(2);
    played.beats[1]?.bookmark('40');
    await played.clock.advance(0);
    expect(one.end).toEqual(proven(40n));
  });

  it('that comes from another cluster proves nothing', async () => {
    const { played, one } = await beating();
    played.uid = 'cluster-2';
    const late = await climb(played);
    await played.answerProbe(QUIET);
    played.beats[0]?.end(new Error('cut'));
    await played.clock.advance(1000);
    played.beats[1]?.bookmark('40');
    await played.clock.advance(0);
    expect([one.end, late.end]).not.toContainEqual(proven(40n));
  });

  it('is given up for a minute after three that brought nothing', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await climb(played);
      await played.answerProbe(QUIET);
      await played.clock.advance(2700);
    }
    expect([played.beats.length, played.feed.ladder.isHopeless]).toEqual([3, true]);
    const one = await climb(played);
    await played.answerProbe(QUIET);
    await played.clock.advance(100);
    expect(one.end).toEqual({ type: 'unproven', why: 'no proof' });
    await played.clock.advance(60_000);
    expect(played.feed.ladder.isHopeless).toBe(false);
  });

  it('of a kind whose objects expire waits for the deletions that may belong together', async () => {
    const played = await PlayedUpstream.loaded('events', event);
    played.stream.send('DELETED', event('one', 30));
    await played.clock.advance(0);
    const one = await climb(played);
    await played.answerProbe(QUIET);
    await played.clock.advance(100);
    played.beats[0]?.send('DELETED', event('one', 30));
    played.beats[0]?.bookmark('40');
    await played.clock.advance(0);
    expect([one.end, played.names]).toEqual([undefined, ['one']]);
    played.streams[0]?.bookmark('40');
    await played.clock.advance(0);
    expect([one.end, played.names]).toEqual([proven(40n), []]);
  });
});

describe('a request that has begun already', () => {
  it('asks again, three times', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const outcome = played.feed.ladder.proven(new AbortController().signal).then(
      (revision) => revision,
      (error: unknown) => String(error),
    );
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await played.clock.advance(0);
      await played.answerProbe(undefined);
      await played.clock.advance(1000);
    }
    expect(await outcome).toContain('nothing proves how far the cache is');
    expect(played.feed.proofs.away).toBe(3);
  });
});
