import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { frameOf } from './grpc/message-frames.ts';
import { createEtcdEngine, type EtcdEngine } from './index.ts';
import { ProtoWriter } from './proto-writer.ts';

/** A message of the watch: its fields are written by `fill`, back to front. */
function response(revision: number, fill: (writer: ProtoWriter) => void): Buffer {
  const writer = new ProtoWriter(1000);
  fill(writer);
  const header = writer.mark();
  writer.int(3, revision);
  writer.nest(1, header);
  return frameOf(writer.finish());
}

function created(): Buffer {
  return response(1, (writer) => writer.int(3, 1));
}

function put(revision: number): Buffer {
  return response(revision, (writer) => {
    const event = writer.mark();
    const kv = writer.mark();
    writer.bytes(5, Buffer.from('v'));
    writer.int(4, 1);
    writer.int(3, revision);
    writer.int(2, revision);
    writer.bytes(1, Buffer.from(`k${revision}`));
    writer.nest(2, kv);
    writer.nest(11, event);
  });
}

function compacted(revision: number): Buffer {
  return response(revision, (writer) => {
    writer.int(5, revision);
    writer.int(4, 1);
  });
}

describe('a watch whose messages arrive together', () => {
  let server: Http2Server;
  let engine: EtcdEngine;
  let messages: readonly Buffer[] = [];

  beforeEach(async () => {
    server = createServer();
    server.on('stream', (stream) => {
      stream.on('error', () => {});
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.once('data', () => stream.write(Buffer.concat(messages)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    engine = createEtcdEngine({ endpoints: [`http://127.0.0.1:${port}`], compaction: 'off' });
  });

  afterEach(async () => {
    await engine.close();
    server.close();
  });

  it('delivers them in one batch, and then what ends it', async () => {
    messages = [created(), put(2), put(3), put(4), compacted(9)];
    const watch = engine.watch('', { after: 1n })[Symbol.asyncIterator]();
    const { value: batch } = await watch.next();
    expect(batch).toMatchObject({ events: [{ key: 'k2' }, { key: 'k3' }, { key: 'k4' }], revision: 4n });
    await expect(watch.next()).rejects.toMatchObject({ code: 'COMPACTED', revision: 9n });
  });

  it('delivers no more than 500 events and one message at once', async () => {
    messages = [created(), ...Array.from({ length: 1200 }, (_, i) => put(i + 2))];
    const sizes: number[] = [];
    let total = 0;
    for await (const { events } of engine.watch('', { after: 1n })) {
      sizes.push(events.length);
      total += events.length;
      if (total === 1200) break;
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    expect(sizes.length).toBeLessThan(100);
  });
});
