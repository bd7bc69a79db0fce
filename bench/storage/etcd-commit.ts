/** Commits per second on a real etcd: the engine's compare-and-commit against bare puts over node:http2. */

import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
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
  const bare = connect(etcd.endpoint);
  await once(bare, 'remoteSettings');
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

/** etcd's Put with nothing around it: the request is two fields of bytes, of the answer only the status is looked at. */
function barePut(session: ClientHttp2Session, key: string, value: Buffer): Promise<void> {
  const message = Buffer.concat([field(1, Buffer.from(key)), field(2, value)]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return new Promise((resolve, reject) => {
    const path = '/etcdserverpb.KV/Put';
    const call = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', reject);
    call.on('trailers', (trailers) => {
      if (trailers['grpc-status'] === '0') resolve();
      else reject(new Error(`a put was answered with ${String(trailers['grpc-message'])}`));
    });
    call.resume();
    call.end(Buffer.concat([prefix, message]));
  });
}

function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), bytes]);
}
