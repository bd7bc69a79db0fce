/** One client process of `transports.ts`: `transports-client.ts protocol url token ca watches events`. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createHttp1Transport, createHttp2Transport, type Transport } from '@listwatch/client';
import { FrameCounter } from '../server/frame-counter.ts';
import { configMapPath, OBJECTS } from '../server/objects.ts';
import { resident } from '../server/process-facts.ts';

const [protocol = '', server = '', token = '', ca = '', watches = '0', events = '0'] = process.argv.slice(2);
const options = { server, tls: { ca: readFileSync(ca, 'utf8') } };
const transport: Transport = protocol === 'http/2' ? createHttp2Transport(options) : createHttp1Transport(options);
const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };

const SEQUENTIAL = 30;
const CONCURRENT = 10;
const ROUNDS = 5;

/** A body to its end, as a decoder would pull it, but for the decoding. */
async function readAll(path: string): Promise<void> {
  const { status, body } = await transport.send({ method: 'GET', path, headers });
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  if (status !== 200 || bytes < OBJECTS * 1500) throw new Error(`${path}: ${status}, ${bytes} bytes`);
}

async function cost(work: () => Promise<unknown>): Promise<{ readonly cpuMs: number; readonly wallMs: number }> {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs };
}

function sockets(): number {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => link.startsWith('socket:')).length;
}

function tell(bench: string, facts: Readonly<Record<string, unknown>>): void {
  process.send?.({ type: 'result', bench, protocol, ...facts });
}

const idleSockets = sockets();
const path = configMapPath();
await readAll(path);
for (let round = 0; round < ROUNDS; round += 1) {
  const one = await cost(async () => {
    for (let i = 0; i < SEQUENTIAL; i += 1) await readAll(path);
  });
  tell('list, one after the other', { cpuMs: one.cpuMs / SEQUENTIAL, wallMs: one.wallMs / SEQUENTIAL });
  const many = await cost(() => Promise.all(Array.from({ length: CONCURRENT }, () => readAll(path))));
  tell('list, ten at once', { cpuMs: many.cpuMs / CONCURRENT, wallMs: many.wallMs / CONCURRENT });
}

/** The version that lists stand at now. */
async function version(): Promise<string> {
  const { body } = await transport.send({ method: 'GET', path: `${path}?limit=1`, headers });
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return /"resourceVersion":"(\d+)"/u.exec(text)?.[1] ?? '';
}

let seen = 0;

async function follow(body: AsyncIterable<Uint8Array>): Promise<void> {
  const counter = new FrameCounter();
  for await (const { buffer, byteOffset, length } of body) {
    seen += counter.count(Buffer.from(buffer, byteOffset, length));
  }
}

// Memory of an idle watch, and the cost of an event that reaches all.
const watchPath = `${path}?watch=true&resourceVersion=${await version()}`;
globalThis.gc?.();
const before = resident(process.pid).now;
const count = Number(watches);
const opening = await cost(() =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const response = await transport.send({ method: 'GET', path: watchPath, headers });
      if (response.status !== 200) throw new Error(`the watch was answered with ${response.status}`);
      // It ends when the transport is closed.
      follow(response.body).catch(() => {});
    }),
  ),
);

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

globalThis.gc?.();
tell('watches open', {
  watches: count,
  cpuMs: opening.cpuMs,
  wallMs: opening.wallMs,
  kilobytesEach: (resident(process.pid).now - before) / count / 1000,
  sockets: sockets() - idleSockets,
});
process.send?.({ type: 'watching' });
const wanted = count * Number(events);
const delivery = await cost(() => until(() => seen >= wanted));
tell('events to all watches', { events: seen, cpuMicrosEach: (delivery.cpuMs * 1000) / seen, wallMs: delivery.wallMs });
tell('memory', { peakMb: resident(process.pid).peak / 1e6 });
await transport.close();
process.exit(0);
