/** Contract: liveness, the end of a transport, and what is left of it: nothing. */

import { expect } from 'vitest';
import { eventually } from '../storage/eventually.ts';
import { get, PLAIN, reader, rejection, rest, STREAM, sending } from './requests.ts';
import type { TransportSection } from './transport-suite.ts';

export const closingCases: TransportSection = {
  title: 'lifecycle',
  cases: [
    {
      title: 'a black-holed connection is noticed by a ping: silent for 30 s, given up 15 s later',
      run: async ({ throughProxy, arrival, clock }) => {
        const { transport, proxy } = await throughProxy();
        const response = sending(transport, get(STREAM));
        const exchange = await arrival();
        exchange.head(200);
        const next = reader(await response).next();
        let outcome: unknown;
        void next.catch((error: unknown) => (outcome = error));
        proxy.stall();
        await clock.advance(44_999);
        expect(outcome).toBeUndefined();
        await clock.advance(1);
        expect(await rejection(next)).toMatchObject({ name: 'TransportError', code: 'IDLE_TIMEOUT' });
        proxy.flow();
        const again = sending(transport, get(PLAIN));
        const second = await arrival();
        second.head(200);
        second.end();
        await rest(await again);
        expect(proxy.accepted).toBe(2);
      },
      unless: ({ ping }) => (ping ? undefined : 'this protocol has no ping'),
    },
    {
      title: 'a request that waits on a black-holed connection is CLOSED, so that a read is sent again',
      run: async ({ throughProxy, arrival, clock }) => {
        const { transport, proxy } = await throughProxy();
        const response = sending(transport, get(STREAM));
        await arrival();
        proxy.stall();
        await clock.advance(45_000);
        expect(await rejection(response)).toMatchObject({ name: 'TransportError', code: 'CLOSED' });
      },
      unless: ({ ping }) => (ping ? undefined : 'this protocol has no ping'),
    },
    {
      title: 'pings keep a silent but living connection for as long as it likes',
      run: async ({ transport, arrival, clock }) => {
        const response = sending(transport, get(STREAM));
        const exchange = await arrival();
        exchange.head(200);
        const next = reader(await response).next();
        for (let i = 0; i < 5; i += 1) {
          await clock.advance(30_000);
          const asked = clock.now();
          // The limit for the answer is a timer 15 s from now; the answer replaces it by the next look in 30 s.
          await eventually('the ping is answered', () => clock.nextDue === asked + 30_000);
        }
        await exchange.write('still here\n');
        expect((await next).done).toBe(false);
      },
      unless: ({ ping }) => (ping ? undefined : 'this protocol has no ping'),
    },
    {
      title:
        'close() ends what is waited for and what is read with CLIENT_CLOSED, refuses what comes later, and can be repeated',
      run: async ({ transport, arrival }) => {
        const waiting = sending(transport, get(STREAM));
        await arrival();
        const response = sending(transport, get(STREAM));
        const exchange = await arrival();
        exchange.head(200);
        const next = reader(await response).next();
        void next.catch(() => {});
        await transport.close();
        await transport.close();
        for (const ended of [waiting, next, transport.send(get(PLAIN))]) {
          expect(await rejection(ended)).toMatchObject({ name: 'TransportError', code: 'CLIENT_CLOSED' });
        }
        await eventually('the server sees it', () => exchange.closed);
      },
    },
    {
      title: 'after close() no socket and no timer is left',
      run: async ({ transport, arrival, clock, server }) => {
        for (let i = 0; i < 10; i += 1) {
          const response = sending(transport, get(i % 2 === 0 ? PLAIN : STREAM, { idleTimeoutMs: 10_000 }));
          const exchange = await arrival();
          exchange.head(200);
          void exchange.write('x');
          if (i < 8) exchange.end();
          const chunks = reader(await response);
          await chunks.next();
          if (i < 8) await chunks.next();
          else void chunks.next().catch(() => {});
        }
        await transport.close();
        expect(clock.pending).toBe(0);
        await eventually('the sockets are back', () => server.sockets === 0);
      },
    },
    {
      title: 'a hundred exchanges one after the other keep to their connections, and leave no timer',
      run: async ({ transport, arrival, clock, throughProxy, suite }) => {
        const { transport: counted, proxy } =
          suite.capabilities.protocol === 'loopback' ? { transport, proxy: undefined } : await throughProxy();
        for (let i = 0; i < 100; i += 1) {
          const response = sending(counted, get(PLAIN, { idleTimeoutMs: 10_000 }));
          const exchange = await arrival();
          exchange.head(200);
          void exchange.write('x');
          exchange.end();
          expect(await rest(await response)).toBe('x');
        }
        // Undici rests a socket for a turn of the loop, and a second one takes its place meanwhile.
        if (proxy !== undefined) expect(proxy.accepted).toBeLessThanOrEqual(2);
        await eventually('the timers are back', () => clock.pending === 0);
      },
    },
  ],
};
