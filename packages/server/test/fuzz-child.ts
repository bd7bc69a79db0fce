/** The process of the fuzzed server: our server on memory, and reports on what it costs. Started by fuzz-process.ts. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createMemoryEngine } from '@listwatch/storage';
import { startTestServer } from './test-server.ts';

const RESOLUTION_MS = 1;

const engine = createMemoryEngine();
// A client that vanishes half-way through a handshake is cut by these deadlines: what is left after them is a leak.
const limits = { handshakeTimeoutMs: 5000, headersTimeoutMs: 5000, idleTimeoutMs: 12_000 };
const server = await startTestServer(engine, limits);
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

process.on('message', () => {
  const { rss, heapUsed } = process.memoryUsage();
  const worstStallMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS);
  delays.reset();
  process.send?.({
    worstStallMs: Math.round(worstStallMs * 10) / 10,
    rssBytes: rss,
    heapBytes: heapUsed,
    // Some of them are left out by who reads them.
    unexpected: server.unforeseen.slice(0, 100),
    openSockets: process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length,
  });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: server.url, token: server.token, ca: server.ca });
