/** The start over 100 000 objects: caches filled, and each object reconciled once. */

import { configMap, configMapPath, create, spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { type ControllerRun, controllersOf, withController } from './controller-client.ts';
import type { ControllerPeers } from './controller-peers.ts';

const NAMESPACE = 'start-up';
const OBJECTS = 100_000;
const WRITERS = 16;

export async function benchStartUp(server: Target, peers: ControllerPeers, rounds: number): Promise<void> {
  await withConnections(server, 'h1', WRITERS, async (connections) => {
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: NAMESPACE } };
    await create(connections[0], '/api/v1/namespaces', JSON.stringify(namespace));
    await spread(connections, OBJECTS, (connection, i) =>
      create(connection, configMapPath(undefined, NAMESPACE), configMap(i, 0, NAMESPACE)),
    );
  });
  const clients = controllersOf(server, { namespace: NAMESPACE, objects: OBJECTS, owned: false }, peers);
  const runs = new Map<string, ControllerRun[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const client of clients) {
      const run = await withController(client, () => Promise.resolve());
      runs.set(client.name, [...(runs.get(client.name) ?? []), run]);
    }
  }
  const value = (name: string, field: string): number =>
    middle((runs.get(name) ?? []).map((run) => run[field] ?? Number.NaN));
  for (const [bench, field, unit] of [
    ['start-up-cpu', 'startCpuMs', 'ms'],
    ['start-up-peak', 'startPeakMb', 'MB'],
    ['start-up-wall', 'startMs', 'ms'],
  ] as const) {
    const peer = value('controller-runtime', field);
    for (const { name } of clients) {
      const goal =
        name.startsWith('listwatch') && bench !== 'start-up-wall' && peer > 0 ? { goal: { atMost: peer } } : {};
      record({ name }, { bench, value: value(name, field), unit, ...goal });
    }
  }
}
