/** The first sync of an informer: ours and every peer, on the same server, in turns. */

import { NAMESPACE, OBJECTS } from '../server/objects.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { type BenchClient, nodeClient, runClient } from './client-run.ts';
import { buildClientGo, buildKubeRs } from './peers.ts';

const GOAL_CPU_MS = 110;
const GOAL_PEAK_MB = 100;

/** What is said of a sync. */
type SyncRun = Readonly<Record<string, number>>;

export interface SyncOptions {
  readonly rounds: number;
  /** Also the ones that must be built first. */
  readonly peers: boolean;
}

/** Measures everyone `rounds` times. */
export async function benchSync(server: Target, { rounds, peers }: SyncOptions): Promise<void> {
  const clients = [...nodeClients(server), ...(peers ? otherClients(server) : [])];
  const runs = new Map<BenchClient, SyncRun[]>(clients.map((client) => [client, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [client, results] of runs) {
      const result = await runClient(client);
      if (result['objects'] !== OBJECTS)
        throw new Error(`${client.name} saw ${result['objects']} of ${OBJECTS} objects`);
      results.push(result);
    }
  }
  for (const [client, results] of runs) report(client, results);
}

function report({ name }: BenchClient, runs: readonly SyncRun[]): void {
  const ours = name.startsWith('listwatch');
  const values = (field: string): readonly number[] => runs.map((run) => run[field] ?? Number.NaN);
  const cpu = { bench: 'sync-cpu', value: middle(values('cpuMs')), unit: 'ms', least: Math.min(...values('cpuMs')) };
  record({ name }, ours ? { ...cpu, goal: { atMost: GOAL_CPU_MS } } : cpu);
  record({ name }, { bench: 'sync-wall', value: middle(values('wallMs')), unit: 'ms' });
  const peak = { bench: 'sync-peak', value: middle(values('peakMb')), unit: 'MB' };
  record({ name }, ours ? { ...peak, goal: { atMost: GOAL_PEAK_MB } } : peak);
}

function nodeClients({ url, token }: Target): readonly BenchClient[] {
  const args = [url, token, NAMESPACE, String(OBJECTS)];
  return [
    nodeClient('listwatch-stream', 'listwatch.mjs', ...args, 'streamingList'),
    nodeClient('listwatch-list', 'listwatch.mjs', ...args, 'listWatch'),
    // As client-node and client-go ask for it, and as ours does of a server that is not on the same machine.
    nodeClient('listwatch-list-gzip', 'listwatch.mjs', ...args, 'listWatch', 'gzip'),
    nodeClient('client-node-1.4', 'client-node.mjs', ...args),
  ];
}

function otherClients({ url, token }: Target): readonly BenchClient[] {
  const clients: BenchClient[] = [];
  const go = buildClientGo();
  if (go !== undefined) {
    const args = ['-url', url, '-token', token, '-namespace', NAMESPACE, '-objects', String(OBJECTS)];
    clients.push({ name: 'client-go-json', command: go, args });
  }
  const rust = buildKubeRs();
  for (const strategy of rust === undefined ? [] : ['list', 'stream']) {
    clients.push({ name: `kube-rs-${strategy}`, command: rust ?? '', args: [url, token, NAMESPACE, strategy] });
  }
  return clients;
}
