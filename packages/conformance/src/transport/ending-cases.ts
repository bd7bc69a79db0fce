/** Contract: every way in which an exchange ends before its time. */

import { getEventListeners } from 'node:events';
import { expect } from 'vitest';
import type { TcpProxy } from '../parts/tcp-proxy.ts';
import { eventually } from '../storage/eventually.ts';
import { get, PLAIN, reader, rejection, rest, STREAM, sending } from './requests.ts';
import type { TransportCapabilities, TransportCase, TransportSection } from './transport-suite.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
/** More than any window, buffer and socket on the way takes. */
const MANY_CHUNKS = 4096;

const sockets = ({ protocol }: TransportCapabilities): string | undefined =>
  protocol === 'loopback' ? 'there is no wire' : undefined;

/** What ends a body in its middle is told as `CLOSED`. */
function brokenBody(title: string, breakIt: (proxy: TcpProxy) => void): TransportCase {
  return {
    title,
    run: async ({ throughProxy, arrival }) => {
      const { transport, proxy } = await throughProxy();
      const response = sending(transport, get(STREAM));
      const exchange = await arrival();
      exchange.head(200);
      const next = reader(await response).next();
      breakIt(proxy);
      expect(await rejection(next)).toMatchObject({ name: 'TransportError', code: 'CLOSED' });
    },
    unless: sockets,
  };
}

export const endingCases: TransportSection = {
  title: 'endings',
  cases: [
    {
      title: 'a reader that does not pull stops the sender',
      run: async ({ transport, arrival }) => {
        const response = sending(transport, get(STREAM));
        const exchange = await arrival();
        exchange.head(200);
        let sent = 0;
        const writing = (async () => {
          for (; sent < MANY_CHUNKS && !exchange.closed; sent += 1) await exchange.write(CHUNK);
        })();
        const chunks = reader(await response);
        await chunks.next();
        // Stopped is when nothing more is taken, not when a time has passed.
        let before = -1;
        await eventually('the sender stands still', async () => {
          const still = sent === before;
          before = sent;
          await new Promise((resolve) => setTimeout(resolve, 100));
          return still && sent > 0;
        });
        expect(sent).toBeLessThan(MANY_CHUNKS / 4);
        let read = 0;
        while (read < 100 * CHUNK.length) read += (await chunks.next()).value?.length ?? 0;
        await eventually('the sender goes on', () => sent > before);
        await chunks.return?.();
        await writing;
      },
      unless: ({ backPressure }) => (backPressure ? undefined : 'this transport cannot hold its sender back'),
    },
    {
      title: 'return() ends the exchange on the side of the server',
      run: async ({ transport, arrival }) => {
        const response = sending(transport, get(STREAM));
        const exchange = await arrival();
        exchange.head(200);
        await exchange.write('one\n');
        const chunks = reader(await response);
        await chunks.next();
        expect(exchange.closed).toBe(false);
        await chunks.return?.();
        await eventually('the server sees it', () => exchange.closed);
        expect(await chunks.next()).toEqual({ done: true, value: undefined });
      },
    },
    {
      title: 'a signal that is aborted before sends nothing and gives its own reason',
      run: async ({ transport, server }) => {
        const reason = new Error('changed my mind');
        expect(await rejection(transport.send(get(PLAIN, { signal: AbortSignal.abort(reason) })))).toBe(reason);
        expect(server.exchanges).toEqual([]);
      },
    },
    {
      title: 'an abort while the headers are awaited gives the signal’s own reason, and the server sees it',
      run: async ({ transport, arrival, clock }) => {
        const controller = new AbortController();
        const reason = { any: 'value' };
        const response = sending(transport, get(STREAM, { signal: controller.signal }));
        const exchange = await arrival();
        controller.abort(reason);
        expect(await rejection(response)).toBe(reason);
        await eventually('the server sees it', () => exchange.closed);
        expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
        await eventually('no timer is left', () => clock.pending === 0);
      },
    },
    {
      title: 'an abort while the body is read gives the signal’s own reason, and the server sees it',
      run: async ({ transport, arrival }) => {
        const controller = new AbortController();
        const reason = new Error('enough');
        const response = sending(transport, get(STREAM, { signal: controller.signal }));
        const exchange = await arrival();
        exchange.head(200);
        const chunks = reader(await response);
        const waiting = chunks.next();
        controller.abort(reason);
        expect(await rejection(waiting)).toBe(reason);
        await eventually('the server sees it', () => exchange.closed);
        expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      },
    },
    {
      title: 'an abort after the end changes nothing, and no listener is left on the signal',
      run: async ({ transport, arrival }) => {
        const controller = new AbortController();
        const response = sending(transport, get(PLAIN, { signal: controller.signal }));
        const exchange = await arrival();
        exchange.head(200);
        void exchange.write('whole');
        exchange.end();
        expect(await rest(await response)).toBe('whole');
        expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
        controller.abort();
      },
    },
    {
      title: 'headers that do not come in time end in HEADERS_TIMEOUT, and the server sees it',
      run: async ({ transport, arrival, clock }) => {
        const response = sending(transport, get(STREAM, { headersTimeoutMs: 5000 }));
        const exchange = await arrival();
        await clock.advance(4999);
        expect(exchange.closed).toBe(false);
        await clock.advance(1);
        expect(await rejection(response)).toMatchObject({ name: 'TransportError', code: 'HEADERS_TIMEOUT' });
        await eventually('the server sees it', () => exchange.closed);
      },
    },
    {
      title: 'a body that falls silent ends in IDLE_TIMEOUT, and one that speaks in time does not',
      run: async ({ transport, arrival, clock }) => {
        const response = sending(transport, get(STREAM, { idleTimeoutMs: 5000 }));
        const exchange = await arrival();
        exchange.head(200);
        const chunks = reader(await response);
        for (let i = 0; i < 3; i += 1) {
          const next = chunks.next();
          await clock.advance(4000);
          await exchange.write('tick\n');
          expect((await next).done).toBe(false);
        }
        const next = chunks.next();
        void next.catch(() => {});
        await clock.advance(5000);
        expect(await rejection(next)).toMatchObject({ name: 'TransportError', code: 'IDLE_TIMEOUT' });
        await eventually('the server sees it', () => exchange.closed);
      },
    },
    {
      title: 'without idleTimeoutMs a body may be silent for an hour',
      run: async ({ transport, arrival, clock, suite }) => {
        const response = sending(transport, get(STREAM));
        const exchange = await arrival();
        exchange.head(200);
        const next = reader(await response).next();
        // Pings are answered by a real server in real time: between the jumps of the clock it must get its turn.
        if (suite.capabilities.ping) await clock.advance(29_000);
        else await clock.advance(3_600_000);
        await exchange.write('still here\n');
        expect((await next).done).toBe(false);
      },
    },
    {
      title: 'a connection that is refused is CONNECT',
      run: async ({ connectTo, server }) => {
        const { port } = server;
        await server.close();
        const error = await rejection(connectTo(`https://127.0.0.1:${port}`).send(get(PLAIN)));
        expect(error).toMatchObject({ name: 'TransportError', code: 'CONNECT' });
      },
      unless: sockets,
    },
    {
      title: 'a connection that breaks before the headers is CLOSED',
      run: async ({ transport, arrival }) => {
        const response = sending(transport, { ...get(PLAIN), method: 'POST', body: Buffer.from('{}') });
        (await arrival()).cut();
        expect(await rejection(response)).toMatchObject({ name: 'TransportError', code: 'CLOSED' });
      },
      unless: sockets,
    },
    {
      title: 'a body that is cut off is CLOSED after what has arrived, and never just ends',
      run: async ({ transport, arrival }) => {
        const response = sending(transport, get(STREAM));
        const exchange = await arrival();
        exchange.head(200);
        await exchange.write('one\n');
        const chunks = reader(await response);
        expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('one\n');
        const next = chunks.next();
        exchange.cut();
        expect(await rejection(next)).toMatchObject({ name: 'TransportError', code: 'CLOSED' });
      },
    },
    brokenBody('a network that breaks in the middle of a body is CLOSED', (proxy) => proxy.cut()),
    brokenBody('a server that hangs up without an end is CLOSED', (proxy) => proxy.halfClose()),
    {
      title: 'after a break the next request travels on a new connection',
      run: async ({ throughProxy, arrival }) => {
        const { transport, proxy } = await throughProxy();
        for (let round = 0; round < 3; round += 1) {
          const response = sending(transport, get(STREAM));
          const exchange = await arrival();
          exchange.head(200);
          const next = reader(await response).next();
          proxy.cut();
          await rejection(next);
        }
        expect(proxy.accepted).toBe(3);
      },
      unless: sockets,
    },
  ],
};
