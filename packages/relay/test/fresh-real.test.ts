import { findRealPart, needs, requireEtcd } from '@listwatch/conformance/parts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ProofCounts } from '../src/feed/kind-feed.ts';
import { RealWorld } from './real-world.fixture.ts';
import { versionIn } from './relay-world.fixture.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const STREAMED = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
/** As kube-apiserver shows a bookmark that ends the initial events. */
const END = '"k8s.io/initial-events-end":"true"';
const LARGE = 'x'.repeat(200_000);
/** Large reads of one kind that pass at one time. */
const MOST_PASSES = 4;

/** As kube-apiserver decides it: an etcd before these answers no question for its progress, so that a quiet kind has no bookmarks. */
function tellsProgress(): boolean {
  if (findRealPart('etcd') === undefined) return true;
  const [major = 0, minor = 0, patch = 0] = requireEtcd().version.split('.').map(Number);
  if (major !== 3 || minor > 5) return true;
  return minor === 5 ? patch >= 13 : minor === 4 && patch >= 31;
}
const isTold = tellsProgress();

describe('what is true now, in front of a kube-apiserver', needs('kube-apiserver'), () => {
  let world: RealWorld;

  beforeAll(async () => {
    world = await RealWorld.start({ kinds: ['configmaps', 'serviceaccounts', 'leases.coordination.k8s.io', 'events'] });
    for (let at = 0; at < 8; at += 1)
      await world.write('POST', MAPS, { metadata: { name: `large-${at}` }, data: { large: LARGE } });
  }, 240_000);
  afterAll(() => world?.[Symbol.asyncDispose]());
  afterEach(() => {
    expect(world.errors, 'what the relay has reported').toEqual([]);
  });

  const proofs = (name: string): ProofCounts => {
    const found = world.relay.state.kinds.find(({ kind }) => kind === name)?.proofs;
    if (found === undefined) throw new Error(`${name} is not relayed`);
    return found;
  };

  /** Another kind changes: the version of now is beyond what the ConfigMaps have. */
  let others = 0;
  const changeOther = async (): Promise<string> => {
    others += 1;
    const object = { metadata: { name: `other-${others}` } };
    return versionIn(await world.write('POST', '/api/v1/namespaces/default/secrets', object));
  };

  it('a list after a write has it, from the cache, byte for byte', async () => {
    const before = proofs('configmaps').atOnce;
    for (let at = 0; at < 5; at += 1) {
      const body = { metadata: { name: 'busy' }, data: { at: String(at) } };
      await (at === 0 ? world.write('POST', MAPS, body) : world.write('PUT', `${MAPS}/busy`, body));
      const [through, direct] = [await world.ask(MAPS), await world.direct(MAPS)];
      expect(through.text).toContain(`"at":"${at}"`);
      expect(through.text.replace(/"resourceVersion":"\d+"/u, '')).toBe(
        direct.text.replace(/"resourceVersion":"\d+"/u, ''),
      );
    }
    expect(proofs('configmaps').atOnce + proofs('configmaps').byBeat).toBeGreaterThan(before);
  });

  it.runIf(isTold)(
    'a large list of a quiet kind is proven by the bookmark of a second watch, never passed',
    async () => {
      const times: number[] = [];
      const { byBeat, noProof } = proofs('configmaps');
      for (let at = 0; at < 5; at += 1) {
        const version = await changeOther();
        const started = performance.now();
        const { status, text } = await world.ask(MAPS);
        times.push(performance.now() - started);
        expect(status).toBe(200);
        expect(Number(versionIn(text))).toBeGreaterThanOrEqual(Number(version));
      }
      const after = proofs('configmaps');
      expect([after.byBeat - byBeat, after.noProof]).toEqual([5, noProof]);
      expect(Math.max(...times)).toBeLessThan(2600);
    },
    60_000,
  );

  it.runIf(isTold)(
    'twenty of them at once need one beat',
    async () => {
      const { beats } = proofs('configmaps');
      await changeOther();
      const answers = await Promise.all(Array.from({ length: 20 }, () => world.ask(`${MAPS}?labelSelector=none`)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      expect(proofs('configmaps').beats.opened - beats.opened).toBeLessThanOrEqual(2);
    },
    60_000,
  );

  it.skipIf(isTold)(
    'without bookmarks a large list of a quiet kind passes',
    async () => {
      const { noProof } = proofs('configmaps');
      for (let at = 0; at < 3; at += 1) {
        const version = await changeOther();
        const { status, text } = await world.ask(MAPS);
        expect(status).toBe(200);
        expect(Number(versionIn(text))).toBeGreaterThanOrEqual(Number(version));
      }
      expect(proofs('configmaps').noProof - noProof).toBe(3);
    },
    60_000,
  );

  it.skipIf(isTold)(
    'without bookmarks few of them pass at once, and the others are asked to come again',
    async () => {
      const version = await changeOther();
      const answers = await Promise.all(Array.from({ length: 20 }, () => world.ask(`${MAPS}?labelSelector=none`)));
      const answered = answers.filter(({ status }) => status === 200);
      expect(answered.length).toBeGreaterThanOrEqual(MOST_PASSES);
      for (const { text } of answered) expect(Number(versionIn(text))).toBeGreaterThanOrEqual(Number(version));
      expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    },
    60_000,
  );

  it.skipIf(isTold)(
    'without bookmarks a streamed list is answered as kube-apiserver answers it',
    async () => {
      const [through, direct] = await Promise.all([
        world.ask(`${MAPS}?${STREAMED}&timeoutSeconds=5`),
        world.direct(`${MAPS}?${STREAMED}&timeoutSeconds=5`),
      ]);
      expect(through.status).toBe(direct.status);
    },
    60_000,
  );

  it('a small list of a quiet kind passes', async () => {
    await changeOther();
    const { quiet } = proofs('serviceaccounts');
    const path = '/api/v1/serviceaccounts';
    expect((await world.ask(path)).text).toBe((await world.direct(path)).text);
    expect(proofs('serviceaccounts').quiet).toBeGreaterThan(quiet);
  });

  it.runIf(isTold)(
    'a streamed list shows its objects at once and its end when that is proven',
    async () => {
      const version = await changeOther();
      const { text } = await world.ask(`${MAPS}?${STREAMED}&timeoutSeconds=5`);
      const lines = text.split('\n').filter((line) => line !== '');
      const end = lines.findIndex((line) => line.includes(END));
      expect(lines.slice(0, end).filter((line) => line.startsWith('{"type":"ADDED"')).length).toBeGreaterThanOrEqual(9);
      expect(Number(versionIn(lines[end] ?? ''))).toBeGreaterThanOrEqual(Number(version));
    },
    60_000,
  );

  it('pages go on with the tokens of either', async () => {
    for (const [first, next] of [
      ['ask', 'direct'],
      ['direct', 'ask'],
    ] as const) {
      const page = JSON.parse((await world[first](`${MAPS}?limit=4`)).text);
      const token = page.metadata.continue;
      const theirs = await world[next](`${MAPS}?limit=4&continue=${token}`);
      const same = await world[first](`${MAPS}?limit=4&continue=${token}`);
      expect(theirs.text).toBe(same.text);
    }
  });

  it('kinds of which kube-apiserver keeps no cache are answered all the same', async () => {
    const event = {
      metadata: { name: 'e1' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
      reason: 'R',
      type: 'Normal',
    };
    await world.write('POST', '/api/v1/namespaces/default/events', event);
    const path = '/api/v1/namespaces/default/events';
    const { text } = await world.ask(path);
    expect(JSON.parse(text).items).toHaveLength(1);
    await vi.waitFor(
      async () => {
        const streamed = await world.ask(`${path}?${STREAMED}&timeoutSeconds=12`);
        expect(streamed.text).toContain(END);
      },
      { timeout: 90_000, interval: 500 },
    );
  }, 120_000);
});
