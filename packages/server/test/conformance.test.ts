import { etcdTitle, needs, startEtcd, startKubeApiserver } from '@listwatch/conformance/parts';
import { describeServer, type ServerTraits, targetFromEnvironment } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { answersProgressInOrder, createEtcdEngine } from '@listwatch/storage-etcd';
import { describe } from 'vitest';
import { startServerWithPast } from './server-with-past.ts';
import { openTemporaryStore } from './temporary-store.ts';

/** Where we differ from kube-apiserver on purpose. */
const traits: ServerTraits = { servesHistory: true };

describeServer({ name: 'memory', traits, connect: async () => startServerWithPast(createMemoryEngine()) });

describeServer({
  name: 'lmdb',
  traits,
  connect: async () => {
    const store = await openTemporaryStore();
    const server = await startServerWithPast(store.engine);
    return {
      ...server,
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]?.();
        await store[Symbol.asyncDispose]();
      },
    };
  },
});

describe('on etcd', needs('etcd'), () => {
  describeServer({
    name: etcdTitle(),
    traits,
    connect: async () => {
      const etcd = await startEtcd();
      const options = { endpoints: [etcd.endpoint], compaction: 'off' } as const;
      const engine = createEtcdEngine({ ...options, progressRequests: await answersProgressInOrder(options) });
      const server = await startServerWithPast(engine);
      return {
        ...server,
        [Symbol.asyncDispose]: async () => {
          await server[Symbol.asyncDispose]?.();
          await etcd.stop();
        },
      };
    },
  });
});

describe('a real server', needs('kube-apiserver'), () => {
  describeServer({ name: 'kube-apiserver', connect: startKubeApiserver });
});

const given = targetFromEnvironment();
if (given !== undefined) describeServer({ name: given.url, connect: async () => given });
