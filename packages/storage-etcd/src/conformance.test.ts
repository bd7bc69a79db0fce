import { randomUUID } from 'node:crypto';
import { type EtcdProcess, etcdTitle, needs, startEtcd } from '@listwatch/conformance/parts';
import { describeStorage } from '@listwatch/conformance/storage';
import { afterAll, beforeAll, describe } from 'vitest';
import { createEtcdEngine } from './index.ts';

describe('a real etcd', needs('etcd'), () => {
  const name = etcdTitle();
  // What the operator of this etcd would declare: Debian's 3.4.23 answers progress requests out of order.
  const progressRequests = !name.startsWith('etcd 3.4.');
  let etcd: EtcdProcess;

  beforeAll(async () => {
    etcd = await startEtcd();
  });

  afterAll(async () => {
    await etcd.stop();
  });

  describeStorage({
    name,
    create: async () =>
      createEtcdEngine({
        endpoints: [etcd.endpoint],
        root: `/${randomUUID()}/`,
        compaction: 'off',
        progressRequests,
      }),
    capabilities: {
      durable: true,
      shared: true,
      progressRequests,
      expiryRevisions: 'shared',
      historyBytes: false,
      alongside: true,
    },
    runs: 10,
  });
});
