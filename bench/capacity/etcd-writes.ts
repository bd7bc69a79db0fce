/** How many writes a second etcd takes, whoever sends them. */

import { type EtcdProcess, startEtcdCluster } from '@listwatch/conformance/parts';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { cpuMicros } from '../server/process-facts.ts';
import { record } from '../server/result.ts';
import { loops, type Measured, median } from '../storage/measure.ts';
import { keyOf, valueOf } from '../storage/scratch.ts';

const CONCURRENCIES = [1, 16, 256];
const ROUNDS = 3;
const ROUND_MS = 2500;

const CLUSTERS: readonly (readonly [string, number, readonly string[]])[] = [
  ['one etcd', 1, []],
  ['one etcd without fsync', 1, ['--unsafe-no-fsync']],
  ['three etcds', 3, []],
];

/** Commits of 1.2 KB by one client, as the server makes them, and the CPU of all members for each. */
export async function benchEtcdWrites(): Promise<void> {
  for (const [name, size, flags] of CLUSTERS) {
    const members = await startEtcdCluster(size, { flags });
    try {
      await using engine = createEtcdEngine({ endpoints: members.map(({ endpoint }) => endpoint), compaction: 'off' });
      let n = 0;
      for (const concurrency of CONCURRENCIES) {
        const rounds: (Measured & { readonly etcdMicros: number })[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const [before, first] = [cpuOf(members), n];
          const measured = await loops(concurrency, ROUND_MS, () => {
            n += 1;
            return engine.commit({ type: 'put', key: keyOf(n), value: valueOf(n), expected: 0n });
          });
          rounds.push({ ...measured, etcdMicros: (cpuOf(members) - before) / (n - first) });
        }
        const { perSecond, cpuMicros: clientCpuMicros } = median(rounds);
        const etcdCpuMicros = Math.round(Math.min(...rounds.map(({ etcdMicros }) => etcdMicros)));
        const bench = `writes, ${concurrency} at a time`;
        record({ name }, { bench, value: perSecond, unit: 'a second', clientCpuMicros, etcdCpuMicros });
      }
    } finally {
      await Promise.all(members.map((member) => member.stop()));
    }
  }
}

function cpuOf(members: readonly EtcdProcess[]): number {
  return members.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : cpuMicros(pid)), 0);
}
