/**
 * Three servers on three etcd nodes, all on this machine: `main.ts [write-to-watch|fan-out|failover ...] [--watchers 3000]
 * [--seconds 20]`. Our servers run as they were built last. `failover` kills the servers one after the other and comes last.
 */

import { parseArgs } from 'node:util';
import { startEtcdCluster } from '@listwatch/conformance/parts';
import { machine } from '../server/machine.ts';
import { seed } from '../server/objects.ts';
import { type OwnServer, startOwnServer } from '../server/own-server.ts';
import { markdownTable } from '../server/result.ts';
import { inScratch } from '../storage/scratch.ts';
import { benchFailover, type MortalCluster } from './failover.ts';
import { benchSpreadFanOut } from './spread-fan-out.ts';
import { benchWriteToWatch } from './write-to-watch.ts';

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { watchers: { type: 'string', default: '3000' }, seconds: { type: 'string', default: '20' } },
});
const SIZE = 3;
const fanOut = { watchers: Number(values.watchers), seconds: Number(values.seconds) };
const benches: Readonly<Record<string, (cluster: MortalCluster) => Promise<void>>> = {
  'write-to-watch': ({ servers }) => benchWriteToWatch(servers),
  'fan-out': ({ servers }) => benchSpreadFanOut(servers, fanOut),
  failover: benchFailover,
};

const unknown = wanted.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}

machine();
const etcd = await startEtcdCluster(SIZE);
await inScratch(async (folder) => {
  const servers: OwnServer[] = [];
  const endpoints = etcd.map(({ endpoint }) => endpoint);
  const start = async (index: number, port?: number): Promise<void> => {
    // Each server prefers another member, as servers beside their etcd do.
    const own = [...endpoints.slice(index), ...endpoints.slice(0, index)];
    const server = await startOwnServer({ folder, storage: 'etcd', endpoints: own, port });
    servers[index] = { ...server, name: `server-${index + 1}` };
  };
  const restart = (index: number): Promise<void> => start(index, Number(new URL(servers[index]?.url ?? '').port));
  try {
    for (let i = 0; i < SIZE; i += 1) await start(i);
    const [first] = servers;
    if (first !== undefined) await seed(first);
    for (const [name, bench] of Object.entries(benches)) {
      if (wanted.length === 0 || wanted.includes(name)) await bench({ servers, restart });
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
});
await Promise.all(etcd.map((member) => member.stop()));
console.error(markdownTable());
