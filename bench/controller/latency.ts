/** From a change to its reconcile, at 1 000 changes a second. */

import { configMapPath, create, objectName, spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { type ControllerRun, controllersOf, withController } from './controller-client.ts';
import type { ControllerPeers } from './controller-peers.ts';

const NAMESPACE = 'latency';
const OBJECTS = 1_000;
const CHANGES_PER_SECOND = 1_000;
const SECONDS = 10;
const WRITERS = 16;
const GOAL_MS = 10;

function body(i: number): string {
  // Read as late as possible: what comes after it is the latency.
  const sentAt = String(performance.timeOrigin + performance.now());
  const metadata = { name: objectName(i), namespace: NAMESPACE };
  return JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { sentAt } });
}

export async function benchLatency(server: Target, peers: ControllerPeers, rounds: number): Promise<void> {
  await withConnections(server, 'h1', WRITERS, async (connections) => {
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: NAMESPACE } };
    await create(connections[0], '/api/v1/namespaces', JSON.stringify(namespace));
    await spread(connections, OBJECTS, (connection, i) =>
      create(connection, configMapPath(undefined, NAMESPACE), body(i).replace(/"sentAt":"[^"]*"/u, '"sentAt":"0"')),
    );
  });
  for (const client of controllersOf(server, { namespace: NAMESPACE, objects: OBJECTS, owned: false }, peers)) {
    const runs: ControllerRun[] = [];
    for (let round = 0; round < rounds; round += 1) runs.push(await withController(client, () => change(server)));
    const values = (field: string): number => middle(runs.map((run) => run[field] ?? Number.NaN));
    const goal = client.name.startsWith('listwatch') ? { goal: { atMost: GOAL_MS } } : {};
    record(client, { bench: 'change-to-reconcile-p50', value: values('p50Ms'), unit: 'ms' });
    record(client, { bench: 'change-to-reconcile-p99', value: values('p99Ms'), unit: 'ms', ...goal });
    const perReconcile = (values('cpuMs') * 1000) / values('reconciles');
    record(client, { bench: 'change-to-reconcile-cpu', value: perReconcile, unit: 'us/reconcile' });
  }
}

/** Writes at a steady rate: each millisecond as many as are due. */
async function change(server: Target): Promise<void> {
  await withConnections(server, 'h1', WRITERS, async (connections) => {
    const started = performance.now();
    let sent = 0;
    const write = async (connection: (typeof connections)[number]): Promise<void> => {
      while (sent < CHANGES_PER_SECOND * SECONDS) {
        const i = sent;
        sent += 1;
        const waitMs = started + (i * 1000) / CHANGES_PER_SECOND - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
        const path = configMapPath(objectName(i % OBJECTS), NAMESPACE);
        await connection.ask({ method: 'PUT', path, body: body(i % OBJECTS), keep: true });
      }
    };
    await Promise.all(connections.map(write));
  });
  // The last of them must arrive.
  await new Promise((resolve) => setTimeout(resolve, 500));
}
