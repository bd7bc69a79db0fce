import { etcdAvailable, requireEtcd } from '@listwatch/conformance/parts';
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

const { KUBECONFIG_REAL: kubeconfig = '' } = process.env;
if (kubeconfig === '') {
  process.stderr.write(
    'the runtime is not tested against a real cluster: set KUBECONFIG_REAL to a kubeconfig that may make namespaces.\n',
  );
} else {
  describeRuntime({
    name: `the cluster of ${kubeconfig}`,
    connect: () => connectRealCluster(kubeconfig),
    lacks: {
      power: 'a real cluster is not ours to restart',
      connections: 'how many streams it allows is its own business',
    },
  });
}
