import { once } from 'node:events';
import { createSecureContext, createServer, type TLSSocket } from 'node:tls';
import { TestAuthority } from '@listwatch/conformance/parts';
import { expect, it, vi } from 'vitest';
import { connectSocket } from './connect-socket.ts';

it.each([
  // TLS has no names for addresses: a server may refuse one, and Node warns.
  [undefined, false],
  ['localhost', 'localhost'],
])('a server with an address is asked for by the name %s, which is seen there as %s', async (serverName, seen) => {
  using authority = new TestAuthority();
  const accepted: TLSSocket[] = [];
  const server = createServer({ ...authority.server(), ALPNProtocols: ['h2'] }, (socket) => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const secureContext = createSecureContext({ ca: authority.ca });
  const onReady = vi.fn<() => void>();
  const socket = connectSocket({ url: `https://127.0.0.1:${port}`, secureContext, serverName }, onReady);
  await vi.waitFor(
    () => {
      expect(onReady).toHaveBeenCalledOnce();
      expect(accepted).toHaveLength(1);
    },
    { timeout: 20_000 },
  );
  expect(accepted[0]?.servername).toBe(seen);
  for (const one of [socket, ...accepted]) one.destroy();
  server.close();
});

it('a server that does not speak HTTP/2 over TLS is an error of the socket', async () => {
  using authority = new TestAuthority();
  const server = createServer(authority.server(), (socket) => socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const secureContext = createSecureContext({ ca: authority.ca });
  const onReady = vi.fn<() => void>();
  const socket = connectSocket({ url: `https://127.0.0.1:${port}`, secureContext }, onReady);
  const [error] = await once(socket, 'error', { signal: AbortSignal.timeout(20_000) }).catch((cause: unknown) => [
    cause,
  ]);
  expect(error).toEqual(new Error('the server does not speak HTTP/2'));
  expect(onReady).not.toHaveBeenCalled();
  server.close();
});
