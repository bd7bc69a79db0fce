import { needs, startEtcd } from '@listwatch/conformance/parts';
import { storageError } from '@listwatch/conformance/storage';
import { expect, it } from 'vitest';
import { createEtcdEngine } from './index.ts';

it('when etcd has used up its quota, commits fail with DISK_FULL for certain, and reads go on', {
  ...needs('etcd'),
  timeout: 60_000,
}, async () => {
  await using etcd = await startEtcd({ flags: ['--quota-backend-bytes=2097152'] });
  await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], compaction: 'off' });
  let committed = 0;
  const commits = (async () => {
    for (let i = 0; i < 200; i += 1) {
      await engine.commit({ type: 'put', key: `k${i}`, value: Buffer.alloc(100_000) });
      committed += 1;
    }
  })();
  expect(await storageError(commits)).toMatchObject({ code: 'DISK_FULL', uncertain: false });
  expect((await engine.range('k')).count).toBe(committed);
  // A lease is a write as well.
  const expiring = engine.commit({ type: 'put', key: 'ttl', value: Buffer.alloc(1), ttlSeconds: 60 });
  expect(await storageError(expiring)).toMatchObject({ code: 'DISK_FULL' });
});
