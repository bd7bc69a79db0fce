import { once } from 'node:events';
import { request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import type { FuzzedServer } from '@listwatch/conformance/fuzz';
import { describe, expect, it } from 'vitest';
import { startFuzzedServer } from './fuzz-process.ts';

const MB = 1_000_000;
/** Before, a megabyte of these requests took a hundred. */
const GROWTH_MAX_BYTES = 100 * MB;
const FLOOD_BYTES = 60 * MB;
/** Requests of others during the flood. */
const OTHERS = 30;
const SHORTEST = Buffer.from('GET /a HTTP/1.1\r\nA:b\r\n\r\n');

/** Sends 60 MB of requests, and reads the answers. */
async function flood({ url, ca }: FuzzedServer, first: string): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  socket.resume();
  socket.write(first);
  socket.write(Buffer.alloc(FLOOD_BYTES, SHORTEST));
  return socket;
}

async function answered({ url, ca, token }: FuzzedServer): Promise<number> {
  const sent = request(new URL('/version', url), { ca, agent: false, headers: { authorization: `Bearer ${token}` } });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

describe('60 MB of pipelined requests', () => {
  it.each(['answered one by one', 'behind a quiet watch'])('cost no memory, and hold nobody up: %s', async (how) => {
    await using server = await startFuzzedServer();
    const before = await server.report();
    const watch = `GET /api/v1/pods?watch=1 HTTP/1.1\r\nAuthorization: Bearer ${server.token}\r\n\r\n`;
    const socket = await flood(server, how === 'behind a quiet watch' ? watch : '');
    for (let turn = 0; turn < OTHERS; turn++) expect(await answered(server)).toBe(200);
    const during = await server.report();
    expect(during.heapBytes - before.heapBytes).toBeLessThan(GROWTH_MAX_BYTES);
    expect(during.rssBytes - before.rssBytes).toBeLessThan(GROWTH_MAX_BYTES);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    expect(await answered(server)).toBe(200);
  });
});
