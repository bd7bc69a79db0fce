/**
 * The benches of queues and controllers: `main.ts [--rounds N] [--no-peers] [queue|latency|owned|start-up ...]`.
 * One server of ours, on memory; each controller in a process of its own. Build first: controllers run what is shipped.
 */

import { parseArgs } from 'node:util';
import { machine } from '../server/machine.ts';
import { startOwnServer } from '../server/own-server.ts';
import { markdownTable } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { inScratch } from '../storage/scratch.ts';
import { buildControllerPeers } from './controller-peers.ts';
import { benchLatency } from './latency.ts';
import { benchOwned } from './owned.ts';
import { benchQueue } from './queue-ops.ts';
import { benchStartUp } from './start-up.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { rounds: { type: 'string', default: '3' }, peers: { type: 'boolean', default: true } },
});
const rounds = Number(values.rounds);
const peers = values.peers ? buildControllerPeers() : { go: undefined, rust: undefined };

const benches: Readonly<Record<string, (server: Target) => Promise<void>>> = {
  queue: () => benchQueue(peers, rounds),
  latency: (server) => benchLatency(server, peers, rounds),
  owned: (server) => benchOwned(server, peers, rounds),
  // Last: its objects make the server large.
  'start-up': (server) => benchStartUp(server, peers, rounds),
};
const unknown = positionals.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}

machine({ rounds });
await inScratch(async (folder) => {
  const server = await startOwnServer({ folder, storage: 'memory' });
  try {
    for (const [name, bench] of Object.entries(benches)) {
      if (positionals.length === 0 || positionals.includes(name)) await bench(server);
    }
  } finally {
    await server.stop();
  }
});
console.error(markdownTable());
