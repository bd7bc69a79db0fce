/** Updates of an informer that is live: ours and client-node's, in turns. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { configMap, configMapPath, NAMESPACE, OBJECTS, objectName, spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { type BenchClient, CLIENT_ENVIRONMENT, lastLine, nodeClient } from './client-run.ts';

const WRITERS = 16;
/** A client that misses an update would wait for it for ever. */
const MOST_MS = 60_000;

export async function benchApply(server: Target, rounds: number): Promise<void> {
  const args = [server.url, server.token, NAMESPACE, String(OBJECTS)];
  const clients = [
    nodeClient('listwatch', 'apply-listwatch.mjs', ...args),
    nodeClient('client-node-1.4', 'apply-client-node.mjs', ...args),
  ];
  const runs = new Map<BenchClient, Readonly<Record<string, number>>[]>(clients.map((client) => [client, []]));
  // Another each time: an update to what is there already changes nothing, and nobody would be told of it.
  let version = 0;
  const write = (): Promise<void> => {
    version += 1;
    return updateAll(server, version);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const [client, results] of runs) results.push(await withUpdates(client, write));
  }
  for (const [{ name }, results] of runs) {
    const of = (field: string): readonly number[] => results.map((result) => result[field] ?? Number.NaN);
    record({ name }, { bench: 'apply-cpu', value: middle(of('warm')), unit: 'us', least: Math.min(...of('warm')) });
    record({ name }, { bench: 'apply, main thread', value: middle(of('main')), unit: 'us' });
    record({ name }, { bench: 'apply-cpu, first 5 000', value: middle(of('first')), unit: 'us' });
  }
}

/** Starts the client, writes each time it is ready, and gives what it says of the updates. Throws when it missed one. */
async function withUpdates(
  { name, command, args }: BenchClient,
  write: () => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const child = spawn(command, [...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: CLIENT_ENVIRONMENT,
    timeout: MOST_MS,
  });
  const exited = once(child, 'exit');
  let said = '';
  for await (const line of createInterface({ input: child.stdout })) {
    said = line;
    if (line === 'ready') await write();
  }
  await exited;
  if (child.exitCode !== 0) throw new Error(`${name} did not see all updates in ${MOST_MS} ms, or failed`);
  return lastLine(said);
}

async function updateAll(server: Target, version: number): Promise<void> {
  await withConnections(server, 'h1', WRITERS, async (connections) => {
    await spread(connections, OBJECTS, async (connection, i) => {
      const answer = await connection.ask({
        method: 'PUT',
        path: configMapPath(objectName(i)),
        body: configMap(i, version),
      });
      if (answer.status !== 200) throw new Error(`an update was answered with ${answer.status}`);
    });
  });
}
