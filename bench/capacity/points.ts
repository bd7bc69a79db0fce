/** Two workloads that no unit cost was fitted to. */

import { configMap, configMapPath, largePod, NAMESPACE, objectName, payloadOf } from '../server/objects.ts';
import { podPatch, podPath } from './measured-writes.ts';
import type { Point } from './point.ts';
import { benchWatchStarts } from './watch-starts.ts';
import type { WatchPlan } from './watcher-plan.ts';

/** A smaller form of the same: 0.1 for a tenth of the objects and watchers. */
export interface PointScale {
  readonly scale: number;
  readonly seconds: number;
}

const FOLLOWERS = 400;
/** As many watch by node as watch by label. */
const NODES = 4800;

/**
 * 100 000 Pods and 10 000 watchers, each with a connection of its own, on lmdb: 4 800 of one node, as kubelets, 4 800 of one value of a
 * label, as controllers of one application, and 400 of everything. Each patch is seen by 402 of them.
 */
export function nodesPoint({ scale, seconds }: PointScale): Point {
  const [objects, nodes, followers] = [100_000, NODES, FOLLOWERS].map((count) => Math.ceil(count * scale));
  if (objects === undefined || nodes === undefined || followers === undefined) throw new RangeError('no numbers');
  const write = (i: number): ReturnType<typeof podPatch> => podPatch(i % objects);
  return {
    bench: 'nodes',
    storage: 'lmdb',
    workload: {
      objects,
      transport: 'h1',
      followers,
      selectors: 2 * nodes,
      selectedPerWrite: 2,
      writes: 40,
      write: 'patch',
      seconds,
    },
    path: podPath(),
    write,
    alsoMeasure: (server) => benchWatchStarts(server, objects, nodes),
    first: largePod(0, nodes, { group: 'group-0' }),
    fill: {
      resource: 'pods',
      count: objects,
      change: (text, i) =>
        text.replace('"group":"group-0"', `"group":"group-${i % nodes}"`).replace('"node-0"', `"node-${i % nodes}"`),
    },
    watches: (from) => {
      const watch = `/api/v1/pods?watch=true&resourceVersion=${from}`;
      const plans: WatchPlan[] = Array.from({ length: followers }, () => ({ path: watch, first: 0, stride: 1 }));
      for (let i = 0; i < nodes; i += 1) {
        const node = `${watch}&fieldSelector=${encodeURIComponent(`spec.nodeName=node-${i}`)}`;
        const label = `${watch}&labelSelector=${encodeURIComponent(`group=group-${i}`)}`;
        plans.push({ path: node, first: i, stride: nodes }, { path: label, first: i, stride: nodes });
      }
      return plans;
    },
  };
}

/** 20 000 ConfigMaps of 4 KB on etcd, 600 watchers of everything over HTTP/2, and lists of a tenth of them. */
export function listsPoint({ scale, seconds }: PointScale): Point {
  const [objects, followers] = [Math.ceil(20_000 * scale), Math.ceil(600 * scale)];
  const payload = payloadOf(4000);
  let version = 0;
  return {
    bench: 'lists',
    storage: 'etcd',
    workload: {
      objects,
      transport: 'h2',
      followers,
      selectors: 0,
      writes: 20,
      lists: 5,
      objectsPerList: Math.ceil(objects / 10),
      seconds,
    },
    path: configMapPath(),
    first: configMap(0, 0, NAMESPACE, payload),
    fill: { resource: 'configmaps', count: objects },
    write: (i) => {
      version += 1;
      const body = configMap(i % objects, version, NAMESPACE, payload);
      return { method: 'PUT', path: configMapPath(objectName(i % objects)), body };
    },
    watches: (from) => {
      const path = `${configMapPath()}?watch=true&resourceVersion=${from}`;
      return Array.from({ length: followers }, () => ({ path, first: 0, stride: 1 }));
    },
  };
}
