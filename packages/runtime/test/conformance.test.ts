import { etcdAvailable, kubeApiserverBinary, requireEtcd, startKubeApiserver } from '@listwatch/conformance/parts';
import { describeRuntime } from '@listwatch/conformance/runtime';
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

if (await etcdAvailable()) {
  const { version } = await requireEtcd();
  describeRuntime({
    name: `HTTP/2 with 100 streams, on etcd ${version}`,
    connect: async () => startSocketServer({ store: await etcdStore(), protocol: 'http/2' }),
  });
}

const notOurs = { connections: 'how many streams it allows is its own business' };

const binary = kubeApiserverBinary();
if (binary !== undefined) {
  describeRuntime({
    name: 'kube-apiserver',
    connect: async () => {
      const server = await startKubeApiserver(binary);
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
}

const { KUBECONFIG_REAL: kubeconfig = '' } = process.env;
if (kubeconfig !== '') {
  describeRuntime({
    name: `the cluster of ${kubeconfig}`,
    connect: () => connectRealCluster(kubeconfig),
    lacks: { ...notOurs, power: 'a real cluster is not ours to restart' },
  });
} else if (binary === undefined) {
  process.stderr.write(
    'the runtime is not tested against a real server: run `npm run test:real`, or set KUBECONFIG_REAL to a kubeconfig that may make namespaces.\n',
  );
}
