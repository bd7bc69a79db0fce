/** LIST in protobuf: 5 000 ConfigMaps of 1.6 KB and 5 000 Pods of 4 KB, all of them encoded once before. */

import { configMapPath, OBJECTS, objectName, seed, spread } from '../objects.ts';
import { withConnections } from '../open-connection.ts';
import type { Target } from '../target.ts';
import { compareServers, expect } from './contest.ts';
import { PROTOBUF, podOf } from './pods.ts';
import { makeNamespace } from './seeded.ts';

const NAMESPACE = 'bench-pods';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const TIMES = 10;
const AT_MOST = 0.25;

/** Server CPU of one list. */
export async function benchProtobufList(targets: readonly Target[]): Promise<void> {
  for (const target of targets) {
    await seed(target);
    await makePods(target);
  }
  await compareLists(targets, 'protobuf-list ConfigMaps', configMapPath(), OBJECTS * 1400);
  await compareLists(targets, 'protobuf-list Pods', PODS, OBJECTS * 1800);
}

function compareLists(targets: readonly Target[], bench: string, path: string, leastBytes: number): Promise<void> {
  return compareServers(targets, {
    bench,
    times: TIMES,
    atMost: AT_MOST,
    run: async (connection) => {
      for (let i = 0; i < TIMES; i += 1)
        await expect(connection, { path, accept: PROTOBUF }, { status: 200, leastBytes });
    },
  });
}

async function makePods(target: Target): Promise<void> {
  await makeNamespace(target, NAMESPACE);
  await withConnections(target, 'h1', 16, (connections) =>
    spread(connections, OBJECTS, (connection, i) => {
      const body = JSON.stringify(podOf(objectName(i), NAMESPACE));
      return expect(connection, { method: 'POST', path: PODS, body }, { status: 201 });
    }),
  );
}
