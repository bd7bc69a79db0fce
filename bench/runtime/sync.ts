/** The first sync of an informer: ours and every peer, on the same server, in turns. */

import { fileURLToPath } from 'node:url';
import { NAMESPACE, OBJECTS } from '../server/objects.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { type BenchClient, type ClientRun, runClient } from './client-run.ts';
import { buildClientGo, buildKubeRs } from './peers.ts';

const GOAL_CPU_MS = 110;
const GOAL_PEAK_MB = 100;

/** Measures everyone `rounds` times. */
export async function benchSync(server: Target, { rounds, peers }: SyncOptions): Promise<void> {
  const clients = [...nodeClients(server), ...(peers ? otherClients(server) : [])];
  const runs = new Map<BenchClient, ClientRun[]>(clients.map((client) => [client, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [client, results] of runs) results.push(await runClient(client, OBJECTS));
  }
  for (const [client, results] of runs) report(client, results);
}

interface SyncOptions {
  readonly rounds: number;
  /** Also the ones that must be built first. */
  readonly peers: boolean;
}

function report({ name }: BenchClient, runs: readonly ClientRun[]): void {
  const ours = name.startsWith('listwatch');
  const of = (field: keyof ClientRun): number => middle(runs.map((run) => run[field]));
  const target = { name };
  record(target, { bench: 'sync-cpu', value: of('cpuMs'), unit: 'ms', ...(ours && { goal: { atMost: GOAL_CPU_MS } }) });
  record(target, { bench: 'sync-wall', value: of('wallMs'), unit: 'ms' });
  record(target, {
    bench: 'sync-peak',
    value: of('peakMb'),
    unit: 'MB',
    ...(ours && { goal: { atMost: GOAL_PEAK_MB } }),
  });
}

function nodeClients({ url, token }: Target): readonly BenchClient[] {
  const node = (name: string, file: string, ...more: readonly string[]): BenchClient => {
    const script = fileURLToPath(new URL(`clients/${file}`, import.meta.url));
    return { name, command: process.execPath, args: [script, url, token, NAMESPACE, String(OBJECTS), ...more] };
  };
  return [
    node('listwatch-stream', 'listwatch.mjs', 'streamingList'),
    node('listwatch-list', 'listwatch.mjs', 'listWatch'),
    node('client-node-1.4', 'client-node.mjs'),
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
