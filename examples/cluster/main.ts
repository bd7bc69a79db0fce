/**
 * A cluster on this machine: three members of etcd and three servers, with TLS between all of them. Needs etcd and openssl.
 *
 *     npm run -s example examples/cluster/main.ts             # Ctrl-C ends it all
 *
 * Kill or stop one of the processes by its pid and see the others go on: every program that uses the kubeconfig moves to another
 * server. Who was killed is started again after 10 s.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExampleCluster, type MemberStatus } from './cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'listwatch-example-cluster-'));
const cluster = new ExampleCluster(folder);
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const asked = new Promise<void>((resolve) => {
  for (const signal of signals) process.once(signal, () => resolve());
});
// Whatever ends this process takes the others with it.
process.once('exit', () => cluster.kill());

/** `etcd-1 (pid 7) leads, etcd-2 (pid 8) up, etcd-3 (pid 9) down`. */
function statusLine(statuses: readonly MemberStatus[]): string {
  return statuses
    .map(({ name, pid, isUp, leads }) => `${name} (pid ${pid}) ${isUp ? (leads ? 'LEADS' : 'up') : 'down'}`)
    .join(', ');
}

/** Resolves with true when all serve, with false when Ctrl-C came first or it could not be started. */
async function start(): Promise<boolean> {
  console.log('starting three members of etcd and three servers');
  const starting = cluster.start().then(() => true);
  try {
    return await Promise.race([starting, asked.then(() => false)]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
    return false;
  } finally {
    // It rejects when the cluster ends before it has started.
    starting.catch(() => undefined);
  }
}

async function run(): Promise<void> {
  console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
  console.log('contexts: cluster (all servers, for listwatch), server-1, server-2, server-3 (one each, for kubectl)');
  let last = '';
  const show = async (): Promise<void> => {
    const line = statusLine(await cluster.status());
    if (line !== last) console.log(line);
    last = line;
  };
  const timer = setInterval(() => void show(), 1000);
  await asked;
  clearInterval(timer);
}

try {
  if (await start()) await run();
  console.log('ending');
} finally {
  await cluster.end();
  rmSync(folder, { recursive: true, force: true });
}
console.log('ended');
