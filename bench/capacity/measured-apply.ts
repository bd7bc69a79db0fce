/** What a server pays for a write that another server of the cluster took. */

import { startEtcd } from '@listwatch/conformance/parts';
import { configMap, configMapPath, objectName, seed, spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { type OwnServer, startOwnServer } from '../server/own-server.ts';
import { cpuMicros } from '../server/process-facts.ts';
import { middle, record } from '../server/result.ts';
import { inScratch } from '../storage/scratch.ts';

const WRITES = 4000;
const WRITERS = 16;
const ROUNDS = 4;
const UPDATED = 100;

/** Microseconds of CPU; on etcd, the only engine that servers share. */
export async function measureApply(): Promise<number> {
  const micros: number[] = [];
  await using etcd = await startEtcd();
  await inScratch(async (folder) => {
    const start = (): Promise<OwnServer> => startOwnServer({ folder, storage: 'etcd', endpoints: [etcd.endpoint] });
    const [taking, other] = await Promise.all([start(), start()]);
    try {
      await seed(taking);
      let version = 0;
      await withConnections(taking, 'h1', WRITERS, async (writers) => {
        for (let round = 0; round <= ROUNDS; round += 1) {
          const before = cpuMicros(other.pid);
          await spread(writers, WRITES, async (writer, i) => {
            version += 1;
            const body = configMap(i % UPDATED, version);
            const { status } = await writer.ask({ method: 'PUT', path: configMapPath(objectName(i % UPDATED)), body });
            if (status !== 200) throw new Error(`an update was answered with ${status}`);
          });
          // The first round warms up.
          if (round > 0) micros.push((cpuMicros(other.pid) - before) / WRITES);
        }
      });
    } finally {
      await Promise.all([taking.stop(), other.stop()]);
    }
  });
  record({ name: 'listwatch-etcd' }, { bench: 'write through another server', value: middle(micros), unit: 'us CPU' });
  return middle(micros);
}
