import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { CustomPart } from '../kinds/relayed-kind.ts';
import { PlayedUpstream, pod } from './played-upstream.fixture.ts';

const STEP_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

function started(part: Partial<CustomPart> = {}): Promise<PlayedUpstream> {
  const custom = { schema: 'one', settled: undefined, after: () => undefined, verify: async () => {}, ...part };
  return PlayedUpstream.start('pods', undefined, {}, custom);
}

/** Its whole state comes, at this version. */
async function load(played: PlayedUpstream, version: string): Promise<void> {
  played.stream.send('ADDED', pod('one', 3));
  played.stream.bookmark(version, true);
  await played.clock.advance(0);
}

/** Until the feed has connected once more. */
async function reconnected(played: PlayedUpstream, streams: number): Promise<void> {
  for (let waited = 0; waited < LONGEST_PAUSE_MS && played.streams.length < streams; waited += STEP_MS)
    await played.clock.advance(STEP_MS);
  expect(played.streams).toHaveLength(streams);
}

describe('the feed of a kind that a definition defines', () => {
  it('loads what is true now: what the upstream has cached may be older than the definition', async () => {
    const played = await started();
    expect(played.stream.query.resourceVersion ?? '').toBe('');
    await load(played, '10');
    expect(played.names).toEqual(['one']);
  });

  it('applies nothing of a new line before it knows that the definition is the same', async () => {
    let other = false;
    const verify = async (): Promise<void> => {
      if (other) throw new Error('its definition has changed');
    };
    const played = await started({ verify });
    await load(played, '10');
    other = true;
    played.version = '30';
    played.listed = '3';
    played.stream.end();
    await reconnected(played, 2);
    played.stream.send('ADDED', pod('two', 40));
    await played.clock.advance(0);
    expect(played.names).toEqual(['one']);
    expect(played.cache.generation?.revision).toBe(10n);
    other = false;
    await reconnected(played, 3);
    played.stream.send('ADDED', pod('two', 40));
    await played.clock.advance(0);
    expect(played.names).toEqual(['one', 'two']);
  });

  it('asks nothing of the upstream before all its servers have heard of the definition', async () => {
    const settling = new AbortController();
    const settled = once(settling.signal, 'abort').then(() => undefined);
    const played = await started({ settled });
    await played.clock.advance(LONGEST_PAUSE_MS);
    expect(played.streams).toHaveLength(0);
    settling.abort();
    await played.clock.advance(0);
    expect(played.streams).toHaveLength(1);
  });

  it('does not begin at the version at which the definition before ended: a watch would go on with its objects', async () => {
    const played = await started({ after: () => 10n });
    await load(played, '10');
    expect(played.cache.generation).toBeUndefined();
    await reconnected(played, 2);
    await load(played, '11');
    expect(played.cache.generation?.revision).toBe(11n);
  });

  it('shows no object of another kind or version', async () => {
    const played = await started();
    const other = pod('x', 3).replace('"v1"', '"v2"');
    expect(() => played.stream.send('ADDED', other)).toThrow('another apiVersion');
    expect(() => played.stream.send('ADDED', pod('x', 3).replace('"kind":"Pod",', ''))).toThrow('another kind');
  });
});
