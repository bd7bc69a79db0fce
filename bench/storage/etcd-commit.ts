/** Commits per second on a real etcd: the engine's compare-and-commit against bare puts over the same library. */

import { Client, credentials } from '@grpc/grpc-js';
import { startEtcd } from '@listwatch/conformance/parts';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { compare, loops } from './measure.ts';
import { keyOf, VALUE_BYTES, valueOf } from './scratch.ts';

const CONCURRENCIES = [1, 64, 256];
const ROUNDS = 5;
const ROUND_MS = 2000;

/** Starts its own etcd, on loopback, and stops it. */
export async function benchEtcdCommit(): Promise<void> {
  await using etcd = await startEtcd();
  await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], compaction: 'off' });
  const bare = new Client(new URL(etcd.endpoint).host, credentials.createInsecure());
  let n = 0;
  for (const concurrency of CONCURRENCIES) {
    const facts = { etcd: etcd.version, concurrency, valueBytes: VALUE_BYTES };
    const ours = (): Promise<unknown> => {
      n += 1;
      return engine.commit({ type: 'put', key: `/ours${keyOf(n)}`, value: valueOf(n), expected: 0n });
    };
    const bareLoop = (): Promise<unknown> => {
      n += 1;
      return barePut(bare, `/bare${keyOf(n)}`, valueOf(n));
    };
    await compare(
      'etcd-commit',
      facts,
      ROUNDS,
      () => loops(concurrency, ROUND_MS, ours),
      () => loops(concurrency, ROUND_MS, bareLoop),
    );
  }
  bare.close();
}

/** etcd's Put with nothing around it: the request is two fields of bytes, the answer is not looked at. */
function barePut(client: Client, key: string, value: Buffer): Promise<unknown> {
  const request = Buffer.concat([field(1, Buffer.from(key)), field(2, value)]);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      '/etcdserverpb.KV/Put',
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      request,
      (error, answer) => (error === null ? resolve(answer) : reject(error)),
    );
  });
}

function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), bytes]);
}
