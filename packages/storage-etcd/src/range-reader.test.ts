import { FakeClock } from '@listwatch/api/fake-clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EtcdClient } from './etcd-client.ts';
import { EtcdAnswer } from './etcd-error.ts';
import { GRPC_STATUS, GrpcError } from './grpc/grpc-error.ts';
import { KeySpace } from './key-space.ts';
import { encodeRange } from './kv-messages.ts';
import { ProtoWriter } from './proto-writer.ts';
import { nextPageSize, readRange } from './range-reader.ts';
import { RevisionReader } from './revision-reader.ts';

const KEYS = new KeySpace('/r/');
const RANGE = KEYS.range('a');
const failure = (kind: 'compacted' | 'future'): EtcdAnswer =>
  new EtcdAnswer(kind, new GrpcError(GRPC_STATUS.OUT_OF_RANGE, kind));

/** An answer: its keys, whether there are more, and how many there are in all. */
function page(names: readonly string[], more: boolean, count: number, revision = 50, valueBytes = 1): Buffer {
  const writer = new ProtoWriter(1000 + names.length * (100 + valueBytes));
  writer.int(4, count);
  writer.int(3, more ? 1 : 0);
  for (const name of names.toReversed()) {
    const kv = writer.mark();
    writer.bytes(5, Buffer.alloc(valueBytes, 'v'));
    writer.int(4, 1);
    writer.int(3, 7);
    writer.int(2, 7);
    writer.bytes(1, Buffer.from(`/r/${name}`));
    writer.nest(2, kv);
  }
  const header = writer.mark();
  writer.int(3, revision);
  writer.nest(1, header);
  return writer.finish();
}

let answers: (Buffer | Error)[];
let asked: Buffer[];
beforeEach(() => {
  [answers, asked] = [[], []];
});

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of a client that is used
const client = {
  call: async (_: string, request: Buffer): Promise<Buffer> => {
    asked.push(request);
    const answer = answers.shift();
    if (answer === undefined) throw new Error('nothing more is answered');
    if (answer instanceof Error) throw answer;
    return answer;
  },
} as unknown as EtcdClient;

async function read(options: Parameters<typeof readRange>[4] = {}) {
  const revisions = new RevisionReader(client, KEYS, new FakeClock());
  const { entries, ...rest } = await readRange(client, KEYS, revisions, 'a', options);
  return { keys: entries.map(({ key }) => key), ...rest };
}

describe('a range of etcd', () => {
  it('of one page is one request', async () => {
    answers = [page(['a1', 'a2'], false, 2)];
    expect(await read()).toEqual({ keys: ['a1', 'a2'], more: false, count: 2, revision: 50n });
    expect(asked).toEqual([encodeRange({ ...RANGE, limit: 500, revision: 0n })]);
  });

  it('without keys is one request', async () => {
    answers = [page([], false, 0)];
    expect(await read()).toEqual({ keys: [], more: false, count: 0, revision: 50n });
  });

  it('of several pages is read at the revision of the first, from behind the last key, with a pause between them', async () => {
    answers = [page(['a1', 'a2'], true, 4, 50, 1_048_576), page(['a3'], true, 2, 60), page(['a4'], false, 1, 70)];
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    expect(await read({ pause })).toEqual({ keys: ['a1', 'a2', 'a3', 'a4'], more: false, count: 4, revision: 50n });
    expect(asked.slice(0, 2)).toEqual([
      encodeRange({ ...RANGE, limit: 500, revision: 0n }),
      // Two keys weighed two megabytes: three of them make a page.
      encodeRange({ ...KEYS.after('a2', RANGE), limit: 2, revision: 50n }),
    ]);
    expect([asked.length, pauses]).toEqual([3, 2]);
  });

  it('ends at its limit, and says that there is more', async () => {
    answers = [page(['a1', 'a2'], true, 5), page(['a3'], true, 3)];
    expect(await read({ limit: 3, at: 40n })).toEqual({
      keys: ['a1', 'a2', 'a3'],
      more: true,
      count: 5,
      revision: 40n,
    });
    expect(asked.slice(0, 1)).toEqual([encodeRange({ ...RANGE, limit: 3, revision: 40n })]);
    answers = [page(['a1', 'a2', 'a3'], true, 5)];
    expect((await read({ limit: 3 })).keys).toHaveLength(3);
    expect(asked).toHaveLength(3);
  });

  it('of the newest state begins anew when that is compacted meanwhile; of another one it fails', async () => {
    answers = [page(['a1'], true, 2), failure('compacted'), page(['a2'], false, 1, 60)];
    expect(await read()).toEqual({ keys: ['a2'], more: false, count: 1, revision: 60n });
    answers = [failure('future'), page([], false, 0, 30)];
    await expect(read({ at: 40n })).rejects.toMatchObject({ code: 'FUTURE_REVISION', revision: 30n });
    const away = new Error('no leader');
    answers = [away];
    await expect(read()).rejects.toBe(away);
  });

  it('has pages of three megabytes, of one key at least and ten thousand at most', () => {
    expect([1, 300, 3 * 2 ** 20, 4 * 2 ** 20].map(nextPageSize)).toEqual([10_000, 10_000, 1, 1]);
    expect(nextPageSize(1024)).toBe(3072);
  });
});
