import { etcdAvailable, requireEtcd, startEtcd } from '@listwatch/conformance/parts';
import { describeServer, type ServerTraits, targetFromEnvironment } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { startServerWithPast } from './server-with-past.ts';
import { openTemporaryStore } from './temporary-store.ts';

/** Where we differ from kube-apiserver on purpose. */
const traits: ServerTraits = { watchesOneObjectByPath: true, servesHistory: true };

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

if (await etcdAvailable()) {
  const { version } = await requireEtcd();
  const progressRequests = answersProgressInOrder(version);
  describeServer({
    name: `etcd ${version}`,
    traits,
    connect: async () => {
      const etcd = await startEtcd();
      const engine = createEtcdEngine({
        endpoints: [etcd.endpoint],
        compaction: 'off',
        progressRequests,
      });
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
}

const given = targetFromEnvironment();
if (given !== undefined) describeServer({ name: given.url, connect: async () => given });

/** Before 3.4.25 and 3.5.8 the answer to a progress request can overtake events. */
function answersProgressInOrder(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major !== 3 || minor > 5) return true;
  return (minor === 5 && patch >= 8) || (minor === 4 && patch >= 25);
}
