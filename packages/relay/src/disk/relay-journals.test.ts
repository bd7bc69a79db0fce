import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { CacheSet, type ReadKind } from '@listwatch/server/read';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClusterIdentity } from '../feed/cluster-identity.ts';
import type { KindKeeper } from '../feed/kept-kind.ts';
import { relayedKinds } from '../kinds/relayed-kind.ts';
import { RelayJournals } from './relay-journals.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-journals-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Upstream {
  /** Undefined: it cannot be asked. */
  readonly uid?: string;
  readonly release?: string | (() => string);
  readonly servesUnasked?: boolean;
}

interface Life {
  readonly keeper: KindKeeper;
  readonly journals: RelayJournals;
  readonly warnings: string[];
  readonly identity: ClusterIdentity;
  /** Fills the kind, and waits until it is written. */
  fill(): Promise<void>;
}

async function live({ uid, release = '', servesUnasked = false }: Upstream): Promise<Life> {
  const clock = new FakeClock();
  const warnings: string[] = [];
  const get = async () => ({ metadata: { name: 'kube-system', uid } });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked of a cluster
  const identity = new ClusterIdentity({ get } as unknown as ConstructorParameters<typeof ClusterIdentity>[0]);
  if (uid !== undefined) await identity.check();
  const journals = new RelayJournals({
    folder,
    servesUnasked,
    identity,
    release: async () => (typeof release === 'string' ? release : release()),
    clock,
    onWarning: (message) => warnings.push(message),
  });
  await journals.open();
  const [kind] = await relayedKinds(['pods']);
  if (kind === undefined) throw new Error('there is no kind');
  const caches = new CacheSet(
    { definitions: [kind.definition] satisfies ReadKind[], layout: () => kind.layout, clock },
    () => ({ add: () => {}, remove: () => {} }),
  );
  const { cache } = caches.kind(kind.definition);
  const keeper = journals.keeper(kind, cache);
  if (keeper === undefined) throw new Error('the kind is not kept');
  return {
    keeper,
    journals,
    warnings,
    identity,
    fill: async () => {
      keeper.follow(cache.load([], 10n));
      await journals.close();
    },
  };
}

const HERE = { uid: 'c-1', release: 'v1.36.3' } as const;

it('a journal of the same cluster in the same release is used', async () => {
  await (await live(HERE)).fill();
  const { keeper, warnings } = await live(HERE);
  expect([await keeper.load(), warnings]).toEqual([expect.objectContaining({ revision: 10n }), []]);
});

it.each([
  ['another cluster', { ...HERE, uid: 'c-2' }, /it is of another cluster \(c-1\), not c-2/u],
  [
    'another release',
    { ...HERE, release: 'v1.37.0' },
    /another release of the upstream server \(v1\.36\.3\), not v1\.37/u,
  ],
  ['a cluster that does not say which it is', { release: 'v1.36.3' }, /not one that says which it is/u],
  ['a cluster that does not say its release', { uid: 'c-1' }, /another release/u],
])('one of %s is not, and that is said', async (_, upstream, reason) => {
  await (await live(HERE)).fill();
  const { keeper, warnings } = await live(upstream);
  expect(await keeper.load()).toBeUndefined();
  expect(warnings.join()).toMatch(reason);
});

it('is not written while nobody knows of which cluster it would be', async () => {
  const life = await live({ release: 'v1.36.3' });
  await life.fill();
  expect(life.warnings.join()).toMatch(/does not say which cluster it is/u);
  const { keeper } = await live(HERE);
  expect(await keeper.load()).toBeUndefined();
});

it('is served unasked where that is allowed, and what the upstream says later counts', async () => {
  await (await live(HERE)).fill();
  let release = '';
  const { keeper, journals, identity } = await live({ release: () => release, servesUnasked: true });
  expect(await keeper.load()).toMatchObject({ revision: 10n });
  expect(identity.uid).toBe('c-1');
  // It is back, and cannot say its release yet: nothing is taken from it before.
  await expect(journals.contradiction()).rejects.toThrow('does not say its release');
  release = 'v1.37.0';
  expect(await journals.contradiction()).toMatch(/of another release than before \(v1\.37\.0\)/u);
  expect(await journals.contradiction()).toBeUndefined();
});
