import { FakeClock } from '@listwatch/api/fake-clock';
import type { IncomingRequest, Reply } from '@listwatch/server/internal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RevisionProbe } from '../src/feed/revision-probe.ts';
import type { UpstreamServer } from '../src/pass/upstream.ts';
import { ADMIN, RelayWorld } from './relay-world.fixture.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const LARGE = { large: 'x'.repeat(300_000) };
const WAIT = { timeout: 20_000 };

/** What passes waits until the test lets it go. */
class HeldUpstream implements UpstreamServer {
  readonly counts = { open: 0, tunnels: 0, passed: 0, refused: 0, failed: 0, bytesUp: 0, bytesDown: 0 };
  readonly #held: (() => void)[] = [];

  get held(): number {
    return this.#held.length;
  }

  pass(_incoming: IncomingRequest, reply: Reply): Promise<void> {
    return new Promise((resolve) => {
      this.#held.push(() => {
        reply.send({ status: 200, headers: {} }, Buffer.from('{}'));
        resolve();
      });
    });
  }

  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  close(): void {
    this.release();
  }
}

let world: RelayWorld;
let held: HeldUpstream;
const clock = new FakeClock();

beforeEach(async () => {
  held = new HeldUpstream();
  world = await RelayWorld.start({ options: { clock, upstream: held } });
  for (const name of ['a', 'b', 'c', 'd']) await world.write(name, LARGE);
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.cache).toMatchObject({ objects: 4 }), WAIT);
}, 60_000);

afterEach(async () => {
  vi.restoreAllMocks();
  held.release();
  await world[Symbol.asyncDispose]();
});

/** Six requests at once: the statuses of those that were answered while the others pass. */
async function sixOf(query: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  const asked = Array.from({ length: 6 }, async () => {
    const answer = await world.relay.handle({
      method: 'GET',
      path: `${PATH}${query}`,
      headers: { authorization: `Bearer ${ADMIN}` },
    });
    for await (const _ of answer.body);
    statuses.push(answer.status);
  });
  await vi.waitFor(async () => {
    await clock.advance(1000);
    expect(held.held + statuses.length).toBe(6);
  }, WAIT);
  const answered = [...statuses];
  held.release();
  await Promise.all(asked);
  return answered;
}

describe('at most four large requests of a kind pass at once', () => {
  it('when the upstream cannot be asked how far it is', async () => {
    vi.spyOn(RevisionProbe.prototype, 'ask').mockRejectedValue(new Error('no answer'));
    expect(await sixOf('')).toEqual([429, 429]);
    expect(world.relay.state.reads.refused).toBe(2);
  });

  it('when a version does not come', async () => {
    expect(await sixOf('?resourceVersion=999999999999999999')).toEqual([429, 429]);
  });

  it('when a version is no longer here', async () => {
    expect(await sixOf('?resourceVersion=1&resourceVersionMatch=Exact')).toEqual([429, 429]);
  });

  it('and small ones are not counted', async () => {
    vi.spyOn(RevisionProbe.prototype, 'ask').mockRejectedValue(new Error('no answer'));
    expect(await sixOf('?fieldSelector=metadata.name%3Da')).toEqual([]);
    expect(await sixOf('?resourceVersion=1&limit=1')).toEqual([]);
  });
});
