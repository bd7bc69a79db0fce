import { etcdTitle, needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { describeRuntime } from '@listwatch/conformance/runtime';
import { describe } from 'vitest';
import { etcdStore, lmdbStore, memoryStore } from './kept-store.ts';
import { startLoopbackServer, startSocketServer } from './own-server.ts';
import { connectRealCluster } from './real-cluster.ts';

describeRuntime({
  name: 'in the process, on memory',
  connect: () => startLoopbackServer(memoryStore()),
  lacks: { connections: 'there is no socket' },
});

describeRuntime({
  name: 'HTTP/1.1, on lmdb',
  connect: () => startSocketServer({ store: lmdbStore(), protocol: 'http/1.1' }),
  lacks: { connections: 'HTTP/1.1 has a connection for each watch' },
});

describeRuntime({
  name: 'HTTP/2 with as many streams as are wanted, on lmdb',
  connect: () => startSocketServer({ store: lmdbStore(), protocol: 'http/2', maxConcurrentStreams: 2000 }),
});

describe('on etcd', needs('etcd'), () => {
  describeRuntime({
    name: `HTTP/2 with 100 streams, on ${etcdTitle()}`,
    connect: async () => startSocketServer({ store: await etcdStore(), protocol: 'http/2' }),
  });
});

const notOurs = { connections: 'how many streams it allows is its own business' };

describe('a real server', needs('kube-apiserver'), () => {
  describeRuntime({
    name: 'kube-apiserver',
    connect: async () => {
      const server = await startKubeApiserver();
      const cluster = await connectRealCluster(server.kubeconfig);
      return {
        ...cluster,
        [Symbol.asyncDispose]: async () => {
          await cluster[Symbol.asyncDispose]();
          await server.stop();
        },
      };
    },
    lacks: { ...notOurs, power: 'it takes long to start' },
  });
});

// A kubeconfig that may make namespaces.
const { KUBECONFIG_REAL: kubeconfig = '' } = process.env;
if (kubeconfig !== '') {
  describeRuntime({
    name: `the cluster of ${kubeconfig}`,
    connect: () => connectRealCluster(kubeconfig),
    lacks: { ...notOurs, power: 'a real cluster is not ours to restart' },
  });
}
