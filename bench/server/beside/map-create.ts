/** Creates of ConfigMaps of 1.6 KB, 32 at a time, in turns with a kube-apiserver. */

import { configMap, configMapPath } from '../objects.ts';
import type { Target } from '../target.ts';
import { compareServers, expect, severalAtOnce } from './contest.ts';
import { makeNamespace } from './seeded.ts';

const NAMESPACE = 'bench-map-create';
const TIMES = 500;
const WRITERS = 32;
const ON_LMDB = 0.35;
const ON_ETCD = 0.5;

/** Server CPU of one create; that of etcd is not in it. */
export async function benchMapCreate(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await makeNamespace(target, NAMESPACE);
  const first = Date.now() % 1e9;
  await compareServers(targets, {
    bench: 'map-create',
    times: TIMES,
    atMost: ({ name }) => (name === 'listwatch-etcd' ? ON_ETCD : ON_LMDB),
    warmUp: 12,
    run: (connection, round) =>
      severalAtOnce(
        TIMES,
        (i) => {
          const body = configMap(first + round * TIMES + i, 0, NAMESPACE);
          const path = configMapPath(undefined, NAMESPACE);
          return expect(connection, { method: 'POST', path, body }, { status: 201 });
        },
        WRITERS,
      ),
  });
}
