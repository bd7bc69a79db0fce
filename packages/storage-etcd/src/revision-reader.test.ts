import { FakeClock } from '@listwatch/api/fake-clock';
import { StorageError } from '@listwatch/storage';
import { expect, it, vi } from 'vitest';
import { EtcdClient } from './etcd-client.ts';
import { EtcdAnswer } from './etcd-error.ts';
import { resolveEtcdOptions } from './etcd-options.ts';
import { GRPC_STATUS, GrpcError } from './grpc/grpc-error.ts';
import { KeySpace } from './key-space.ts';
import { ProtoWriter } from './proto-writer.ts';
import { RevisionReader } from './revision-reader.ts';

/** An answer with this revision in its header. */
function answerAt(revision: number): Buffer {
  const writer = new ProtoWriter(100);
  const header = writer.mark();
  writer.int(3, revision);
  writer.nest(1, header);
  return writer.finish();
}

it('an answer about the future is explained by where the store stands; other errors are passed on', async () => {
  // It is never connected.
  const client = new EtcdClient(resolveEtcdOptions({ endpoints: ['http://127.0.0.1:2379'] }));
  const call = vi.spyOn(client, 'call').mockResolvedValue(answerAt(10));
  const revisions = new RevisionReader(client, new KeySpace('/r/'), new FakeClock());
  const future = new EtcdAnswer(
    'future',
    new GrpcError(GRPC_STATUS.OUT_OF_RANGE, 'etcdserver: mvcc: required revision is a future revision'),
  );
  await expect(revisions.explain(future, 12n, {})).rejects.toMatchObject({ code: 'FUTURE_REVISION', revision: 10n });
  // It has come about meanwhile.
  await expect(revisions.explain(future, 10n, {})).resolves.toBeUndefined();
  call.mockClear();
  const away = new StorageError('UNAVAILABLE', 'no member serves');
  await expect(revisions.explain(away, 12n, {})).rejects.toBe(away);
  await expect(revisions.explain(away, 1n, {})).rejects.toBe(away);
  expect(call).not.toHaveBeenCalled();
});

it('a cluster that stands before a revision that it had reached was restored; one that was never there is behind, or slow', async () => {
  const client = new EtcdClient(resolveEtcdOptions({ endpoints: ['http://127.0.0.1:2379'] }));
  const call = vi.spyOn(client, 'call').mockResolvedValue(answerAt(10));
  const revisions = new RevisionReader(client, new KeySpace('/r/'), new FakeClock());
  await revisions.refuseRestored(20);
  expect(call).not.toHaveBeenCalled();
  for (const revision of [20, 15]) revisions.saw(revision);
  expect(revisions.seen).toBe(20);
  await revisions.refuseRestored(21);
  expect(call).not.toHaveBeenCalled();
  await expect(revisions.refuseRestored(20)).rejects.toMatchObject({
    code: 'COMPACTED',
    revision: 10n,
    message: expect.stringContaining('revision 20 is gone: etcd stands at 10'),
  });
  await expect(revisions.refuseRestored(11)).rejects.toMatchObject({ code: 'COMPACTED' });
  await revisions.refuseRestored(10);
  expect(call).toHaveBeenCalledTimes(3);
});
