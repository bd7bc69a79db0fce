import type { TransportRequest } from '@listwatch/client';
import { expect, it, vi } from 'vitest';
import { clusterUpstream } from './console-upstream.ts';
import { openTestDoor } from './open-door.fixture.ts';

const LOG = '/api/v1/namespaces/default/pods/p/log';

it('passes each line of a followed log on as it comes, and ends it with the page', async () => {
  const requests: TransportRequest[] = [];
  let write: ((line: string) => void) | undefined;
  const upstream = clusterUpstream({
    send: async (request) => {
      requests.push(request);
      const lines = new ReadableStream<Uint8Array>({
        start(controller) {
          write = (line) => controller.enqueue(Buffer.from(line));
          request.signal?.addEventListener('abort', () => controller.error(request.signal?.reason));
        },
      });
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: lines };
    },
  });
  await using own = await openTestDoor({ upstream });
  await own.login();
  const leave = new AbortController();
  const { door, own: headers } = own;
  const answer = await fetch(`${door.url}${LOG}?follow=true`, { headers, signal: leave.signal });
  const reader = answer.body?.getReader();
  for (const line of ['one\n', 'two\n']) {
    write?.(line);
    // The next line is written when this one has arrived: nothing is held back for more.
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(line);
  }
  leave.abort();
  await vi.waitFor(() => expect(door.active).toBe(0), 20_000);
  expect(requests[0]?.signal?.aborted).toBe(true);
});

it.each([
  [`${LOG}?container=c&follow=true`, 0],
  [`${LOG}?follow=1`, 0],
  [`${LOG}?follow=false`, undefined],
  [LOG, undefined],
  ['/api/v1/namespaces/default/pods?follow=true', undefined],
])('%s may be silent before its headers for %j ms; undefined: as long as any answer', async (path, limit) => {
  const requests: TransportRequest[] = [];
  const upstream = clusterUpstream({
    send: async (request) => {
      requests.push(request);
      return { status: 200, headers: {}, body: new ReadableStream<Uint8Array>() };
    },
  });
  await upstream({ method: 'GET', path, headers: { accept: 'a/b' } });
  const [request] = requests;
  expect(request?.headersTimeoutMs).toBe(limit);
  // Packed lines would wait for more.
  expect(request?.headers).toEqual({ accept: 'a/b', ...(limit === 0 && { 'accept-encoding': 'identity' }) });
});
