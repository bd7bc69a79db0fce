import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:tls';
import { expect, it } from 'vitest';
import { createTestCertificate } from './test-certificate.ts';

it('a certificate is signed by its authority, is for this machine, and is trusted by whoever has the authority', async () => {
  const { ca, cert, key } = createTestCertificate();
  const read = new X509Certificate(cert);
  expect(read.verify(new X509Certificate(ca).publicKey)).toBe(true);
  expect([read.checkHost('localhost'), read.checkIP('127.0.0.1')]).toEqual(['localhost', '127.0.0.1']);
  const server = createServer({ cert, key }, (socket) => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const socket = connect({ host: '127.0.0.1', port, ca });
  await once(socket, 'secureConnect');
  expect(socket.authorized).toBe(true);
  socket.destroy();
  server.close();
  await once(server, 'close');
});

it('each is another one', () => {
  expect(createTestCertificate().ca).not.toBe(createTestCertificate().ca);
});
