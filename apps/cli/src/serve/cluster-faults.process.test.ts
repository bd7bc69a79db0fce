import { fileURLToPath } from 'node:url';
import { type ClusterRunOptions, runCluster } from '@listwatch/conformance/cluster';
import { needs, packageFlags } from '@listwatch/conformance/parts';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/listwatch.js', import.meta.url));

interface ShortRun extends Pick<ClusterRunOptions, 'relays' | 'types'> {
  readonly meanwhile: string;
}

const RUNS: readonly ShortRun[] = [
  { meanwhile: 'one is killed and the leader of etcd dies', types: ['killServer', 'killEtcdLeader'] },
  {
    meanwhile: 'clients read through two relays, of which one is killed and one is cut off from the history',
    relays: true,
    types: ['killRelay', 'compactBehindRelay'],
  },
];

/** The short form of `npm run test:cluster`, which has more of everything. */
describe('three servers on three members of etcd', needs('etcd'), () => {
  it.each(RUNS)(
    'keep every promise while $meanwhile',
    async ({ relays, types }) => {
      const seed = Number(process.env['TEST_SEED'] ?? 1);
      const summary = await runCluster({
        relays,
        types,
        seed,
        command: [...packageFlags(), BIN],
        openEngine: (endpoints) => createEtcdEngine({ endpoints, compaction: 'off' }),
        watchers: 24,
        informers: 12,
        writers: 6,
        faults: 2,
        faultMs: 1000,
      });
      expect(summary.violations, `seed ${seed}: ${summary.faults.join(', ')}`).toEqual([]);
      expect(summary.changes).toBeGreaterThan(10);
      expect(summary.events).toBeGreaterThan(summary.changes);
      expect(summary.lists).toBeGreaterThan(5);
    },
    240_000,
  );
});
