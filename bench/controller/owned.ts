/** 10 000 owned objects change: how many reconciles of their owners, and what they cost. */

import { configMapPath, create, objectName, spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { type ControllerRun, controllersOf, withController } from './controller-client.ts';
import type { ControllerPeers } from './controller-peers.ts';

const NAMESPACE = 'owned';
const OWNERS = 100;
const OBJECTS = 10_000;
const WRITERS = 16;
const GOAL_US = 100;

const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;

function secret(i: number, uids: readonly string[], version: number): string {
  const owner = i % OWNERS;
  const reference = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: objectName(owner),
    uid: uids[owner],
    controller: true,
  };
  const metadata = { name: objectName(i), namespace: NAMESPACE, ownerReferences: [reference] };
  return JSON.stringify({ kind: 'Secret', apiVersion: 'v1', metadata, stringData: { version: String(version) } });
}

export async function benchOwned(server: Target, peers: ControllerPeers, rounds: number): Promise<void> {
  const uids: string[] = [];
  await withConnections(server, 'h1', WRITERS, async (connections) => {
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: NAMESPACE } };
    await create(connections[0], '/api/v1/namespaces', JSON.stringify(namespace));
    await spread(connections, OWNERS, async (connection, i) => {
      const metadata = { name: objectName(i), namespace: NAMESPACE };
      await create(connection, configMapPath(undefined, NAMESPACE), ownerOf(metadata));
      const { body } = await connection.ask({
        method: 'GET',
        path: configMapPath(objectName(i), NAMESPACE),
        keep: true,
      });
      uids[i] = /"uid":"([^"]+)"/u.exec(body)?.[1] ?? '';
    });
    await spread(connections, OBJECTS, (connection, i) => create(connection, SECRETS, secret(i, uids, 0)));
  });
  let version = 0;
  const change = async (): Promise<void> => {
    version += 1;
    await withConnections(server, 'h1', WRITERS, (connections) =>
      spread(connections, OBJECTS, (connection, i) =>
        connection.ask({
          method: 'PUT',
          path: `${SECRETS}/${objectName(i)}`,
          body: secret(i, uids, version),
          keep: true,
        }),
      ),
    );
    // The last of them must arrive.
    await new Promise((resolve) => setTimeout(resolve, 500));
  };
  for (const reconcileMs of [0, 5]) {
    const followed = { namespace: NAMESPACE, objects: OWNERS, owned: true, reconcileMs };
    const bench = reconcileMs === 0 ? 'owned' : `owned-${reconcileMs}ms`;
    for (const client of controllersOf(server, followed, peers)) {
      const runs: ControllerRun[] = [];
      for (let round = 0; round < rounds; round += 1) runs.push(await withController(client, change));
      const value = (field: string): number => middle(runs.map((run) => run[field] ?? Number.NaN));
      // A reconcile that takes its time covers many changes: only one that takes none shows what it costs itself.
      const goal = client.name.startsWith('listwatch') && reconcileMs === 0 ? { goal: { atMost: GOAL_US } } : {};
      const perReconcile = (value('cpuMs') * 1000) / value('reconciles');
      record(client, { bench: `${bench}-reconciles`, value: value('reconciles'), unit: `of ${OBJECTS} changes` });
      record(client, { bench: `${bench}-cpu`, value: perReconcile, unit: 'us/reconcile', ...goal });
      record(client, { bench: `${bench}-cpu-change`, value: (value('cpuMs') * 1000) / OBJECTS, unit: 'us/change' });
    }
  }
}

function ownerOf(metadata: { readonly name: string; readonly namespace: string }): string {
  return JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata });
}
