/**
 * The least that a server in Node can do: TLS and HTTP/1.1 of Node, a parse, an array. It is no API server; what it costs
 * is the floor under ours, and says how fast the machine is today. Same arguments and messages as `serve.mjs`.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { OBJECTS } from './objects.ts';

const [, , cert = '', key = ''] = process.argv.slice(2);
const CHUNK_BYTES = 64 * 1024;
const objects: Buffer[] = [];

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'POST') keep(Buffer.concat(chunks), response);
    else void show(request.url ?? '', response);
  });
});

function keep(body: Buffer, response: ServerResponse): void {
  const sent: { metadata: object } = JSON.parse(body.toString());
  const set = { uid: randomUUID(), resourceVersion: '1000000', creationTimestamp: new Date().toISOString() };
  const object = Buffer.from(JSON.stringify({ ...sent, metadata: { ...sent.metadata, ...set } }));
  objects.push(object);
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': object.length }).end(object);
}

/** As many objects as ours would show for the same path, copied into chunks as they go out. */
async function show(path: string, response: ServerResponse): Promise<void> {
  const count = path.includes('labelSelector') ? OBJECTS / 100 : path.includes('limit=') ? OBJECTS / 10 : OBJECTS;
  const shown = objects.slice(0, count);
  const length = shown.reduce((sum, object) => sum + object.length, 0);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  for (const object of shown) {
    if (used + object.length > CHUNK_BYTES) {
      const full = chunk.subarray(0, used);
      await new Promise((resolve) => response.write(full, resolve));
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      used = 0;
    }
    used += object.copy(chunk, used);
  }
  response.end(chunk.subarray(0, used));
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.send?.({ type: 'ready', url: `https://127.0.0.1:${port}` });
});
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
