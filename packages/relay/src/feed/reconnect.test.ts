import { describe, expect, it } from 'vitest';
import { oldAge } from './feed-state.ts';
import { event, PlayedUpstream, pod } from './played-upstream.fixture.ts';

/** Pauses are random: a longer step may pass over two attempts at once. */
const STEP_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

const ageOf = ({ feed, clock }: PlayedUpstream): number | undefined => oldAge(feed.state, clock.monotonic());

/** Until the feed has connected once more. */
async function reconnected(played: PlayedUpstream, streams: number): Promise<void> {
  for (let waited = 0; waited < LONGEST_PAUSE_MS && played.streams.length < streams; waited += STEP_MS) {
    await played.clock.advance(STEP_MS);
  }
  expect(played.streams).toHaveLength(streams);
}

describe('a feed whose watch is cut', () => {
  it('between two deletions at one version hears of the second one too', async () => {
    const played = await PlayedUpstream.loaded('events', event);
    played.stream.send('ADDED', event('two', 11));
    played.stream.send('DELETED', event('one', 20));
    await played.clock.advance(0);
    played.version = '30';
    played.stream.end();
    await reconnected(played, 2);
    // From the version of the first deletion nothing would tell of the second.
    expect(played.stream.query.resourceVersion).toBe('11');
    played.stream.send('DELETED', event('one', 20));
    played.stream.send('DELETED', event('two', 20));
    played.stream.bookmark('30');
    await played.clock.advance(0);
    expect([played.names, played.cache.generation?.revision]).toEqual([[], 30n]);
    expect(played.feed.counts.loads).toBe(1);
    expect(played.errors).toEqual([]);
  });

  it('goes on from its last event where only one object changes at a version', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    played.stream.send('MODIFIED', pod('one', 20));
    await played.clock.advance(0);
    played.version = '30';
    played.listed = '20';
    played.stream.end();
    await reconnected(played, 2);
    expect(played.stream.query.resourceVersion).toBe('20');
  });

  it('applies nothing of another cluster, though its versions would fit', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    const before = played.cache.generation;
    played.version = '30';
    played.listed = '3';
    played.uid = 'cluster-2';
    played.stream.end();
    await reconnected(played, 2);
    played.stream.send('ADDED', pod('foreign', 40));
    await played.clock.advance(0);
    expect(before?.isEnded).toBe(true);
    expect(before?.get('a/foreign')).toBeUndefined();
    expect(played.errors.join()).toContain('another cluster');
  });

  it('keeps what it has while the upstream does not say which cluster it is, and then goes on without a list', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    played.version = '30';
    played.listed = '3';
    played.uid = new Error('no answer');
    played.stream.end();
    await reconnected(played, 2);
    played.stream.send('ADDED', pod('two', 40));
    await played.clock.advance(0);
    expect([played.names, played.feed.state.type]).toEqual([['one'], 'away']);
    played.uid = 'cluster-1';
    await reconnected(played, 3);
    expect(played.stream.query.resourceVersion).toBe('10');
    played.stream.send('ADDED', pod('two', 40));
    await played.clock.advance(0);
    expect([played.names, played.feed.state.type]).toEqual([['one', 'two'], 'live']);
    expect([played.feed.counts.loads, played.errors]).toEqual([1, []]);
  });
});

describe('the age of a cache', () => {
  it('counts from the last thing that came, not from the moment at which the cut line was noticed', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    await played.clock.advance(40_000);
    expect(ageOf(played)).toBeUndefined();
    played.stream.end(new Error('reset'));
    await played.clock.advance(0);
    expect(ageOf(played)).toBeGreaterThanOrEqual(39_000);
  });

  it('is said of a line that is silent for longer than a bookmark takes, although nobody has noticed a cut', async () => {
    const played = await PlayedUpstream.loaded('pods', pod);
    await played.clock.advance(74_000);
    expect(ageOf(played)).toBeUndefined();
    await played.clock.advance(5_000);
    expect([played.feed.state.type, ageOf(played)]).toEqual(['live', expect.any(Number)]);
    played.stream.bookmark('11');
    await played.clock.advance(0);
    expect(ageOf(played)).toBeUndefined();
  });
});
