/**
 * The runtime benches: `main.ts [--rounds N] [--no-peers] [--target name=url,token,pid] [bench ...]`.
 * One server of ours, on memory, or the one that is named; each client in a process of its own. Build first: clients run what
 * is shipped.
 */

import { parseArgs } from 'node:util';
import { machine } from '../server/machine.ts';
import { seed } from '../server/objects.ts';
import { startOwnServer } from '../server/own-server.ts';
import { markdownTable } from '../server/result.ts';
import { parseTarget, type Target } from '../server/target.ts';
import { inScratch } from '../storage/scratch.ts';
import { benchApply } from './apply.ts';
import { benchLarge } from './large.ts';
import { benchImport, benchMany } from './small.ts';
import { benchSync } from './sync.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    rounds: { type: 'string', default: '5' },
    peers: { type: 'boolean', default: true },
    target: { type: 'string' },
  },
});
const rounds = Number(values.rounds);

const benches: Readonly<Record<string, (server: Target) => Promise<void>>> = {
  import: () => benchImport(rounds),
  sync: (server) => benchSync(server, { rounds, peers: values.peers }),
  apply: (server) => benchApply(server, rounds),
  many: benchMany,
  // Last: it multiplies what the others are measured on.
  large: (server) => benchLarge(server, rounds),
};
const unknown = positionals.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}

machine({ rounds });
if (values.target === undefined) {
  await inScratch(async (folder) => {
    const server = await startOwnServer({ folder, storage: 'memory' });
    try {
      await measure(server);
    } finally {
      await server.stop();
    }
  });
} else {
  await measure(parseTarget(values.target));
}
console.error(markdownTable());

async function measure(server: Target): Promise<void> {
  await seed(server);
  for (const [name, bench] of Object.entries(benches)) {
    if (positionals.length === 0 || positionals.includes(name)) await bench(server);
  }
}
