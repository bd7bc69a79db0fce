/** API servers keep their connections to webhooks and use them for reviews of all sizes. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { packageFlags } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { reviewOf } from './webhook-reviews.ts';

const PROGRAM = fileURLToPath(new URL('webhook-program.ts', import.meta.url));
const PATH = '/mutate-example-com-v1-backup';
const SMALLEST = 1024;
const LARGEST = 400 * 1024;
/** In turn on one connection. Without `readTlsAsStream` one of 15 was cut, at each server. */
const CALLS = 150;
/** The loop must be busy behind an answer: others call meanwhile. */
const CONNECTIONS = 4;

/** As many small ones as large ones: from 1 to 400 KB, each factor equally often. */
function sizeAt(round: number): number {
  return Math.round(SMALLEST * (LARGEST / SMALLEST) ** ((round * 0.618_034) % 1));
}

/** A program with webhooks, in a process of its own: what is tested happens only when its clients do not wait for its loop. */
async function startProgram(): Promise<
  AsyncDisposable & { readonly ca: string; readonly ports: Readonly<Record<string, number>> }
> {
  const child = fork(PROGRAM, [], { execArgv: [...packageFlags(), '--import', 'tsx'] });
  const ended = once(child, 'exit');
  const [{ ca, ports }] = await once(child, 'message');
  return {
    ca,
    ports,
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await ended;
    },
  };
}

/** Calls one after the other on one connection. Returns what was cut. */
async function callAgain(port: number, ca: string, first: number): Promise<readonly string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  const cut: string[] = [];
  let connections = 0;
  for (let round = first; round < first + CALLS; round++) {
    const answerSize = sizeAt(round);
    const spec = { retention: answerSize, paths: ['y'.repeat(sizeAt(round + 3))] };
    const body = JSON.stringify(reviewOf('CREATE', spec));
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    try {
      const sent = request({ host: '127.0.0.1', port, path: PATH, method: 'POST', headers, agent });
      sent.once('socket', () => {
        if (!sent.reusedSocket) connections++;
      });
      sent.end(body);
      const [response]: IncomingMessage[] = await once(sent, 'response');
      let length = 0;
      for await (const chunk of response ?? []) length += Buffer.byteLength(chunk);
      if (response?.statusCode !== 200) cut.push(`call ${round}: status ${response?.statusCode}`);
      if (length < answerSize) cut.push(`call ${round}: ${length} bytes of more than ${answerSize}`);
    } catch (error) {
      cut.push(`call ${round} with ${body.length} bytes: ${String(error)}`);
    }
  }
  if (connections !== 1) cut.push(`${connections} connections were needed`);
  agent.destroy();
  return cut;
}

describe('a kept connection to webhooks, used for small and large reviews in turn, is never cut', {
  timeout: 120_000,
}, () => {
  it.each(['the server of the manager', 'a server of the author'])('at %s', async (name) => {
    await using program = await startProgram();
    const port = program.ports[name] ?? 0;
    const calls = Array.from({ length: CONNECTIONS }, (_, index) => callAgain(port, program.ca, index * CALLS));
    expect((await Promise.all(calls)).flat()).toEqual([]);
  });
});
