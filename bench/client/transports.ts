/**
 * HTTP/1.1 or HTTP/2? `transports.ts [--watches 300] [--events 40]`: each protocol gets a client process of its own, against
 * our server on memory, over TLS. CPU is the client's.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { configMap, configMapPath, create, OBJECTS, seed } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { type OwnServer, startOwnServer } from '../server/own-server.ts';
import { digits, middle } from '../server/result.ts';
import { report } from '../storage/measure.ts';
import { inScratch } from '../storage/scratch.ts';

const PROTOCOLS = ['http/1.1', 'http/2'] as const;
/** The protocols take turns, so that a noisy minute of the machine hits both. */
const TURNS = 2;

const { values } = parseArgs({
  options: { watches: { type: 'string', default: '300' }, events: { type: 'string', default: '40' } },
});

interface Result {
  readonly type: string;
  readonly bench: string;
  readonly protocol: string;
  readonly [fact: string]: number | string;
}

const results: Result[] = [];
let written = OBJECTS;

/** One client process, from its first list to the last event. */
async function measure(server: OwnServer, protocol: string, ca: string): Promise<void> {
  const client = fork(
    fileURLToPath(new URL('transports-client.ts', import.meta.url)),
    [protocol, server.url, server.token, ca, values.watches, values.events],
    { execArgv: ['--expose-gc', '--conditions=@listwatch/source', '--import', 'tsx'] },
  );
  client.on('message', (message: Result) => {
    if (message.type === 'result') results.push(message);
    if (message.type === 'watching') void write(server);
  });
  const [code] = await once(client, 'exit');
  if (code !== 0) throw new Error(`the client of ${protocol} ended with ${code}`);
}

async function write(server: OwnServer): Promise<void> {
  await withConnections(server, 'h1', 1, async ([connection]) => {
    for (let i = 0; i < Number(values.events); i += 1) {
      await create(connection, configMapPath(), configMap(written));
      written += 1;
    }
  });
}

function summarize(): void {
  const groups = grouped();
  for (const [key, group] of groups) {
    const [bench, protocol] = key.split('\n');
    const facts = Object.keys(group[0] ?? {}).filter((name) => !['type', 'bench', 'protocol'].includes(name));
    const middles = facts.map((name) => [name, digits(middle(group.map((one) => Number(one[name]))))]);
    report({ bench, protocol, ...Object.fromEntries(middles), rounds: group.length });
  }
}

function grouped(): Map<string, Result[]> {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const key = `${result.bench}\n${result.protocol}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return groups;
}

await inScratch(async (folder) => {
  const server = await startOwnServer({ folder, storage: 'memory' });
  try {
    await seed(server);
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const protocol of PROTOCOLS) await measure(server, protocol, join(folder, 'server.crt'));
    }
  } finally {
    await server.stop();
  }
});
summarize();
