import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { isOwnUser } from './peer-user.ts';

const isLinux = process.platform === 'linux';

/** The end that a server on this address sees, of a connection that `dial` makes. */
async function accepted(address: string, dial: (port: number) => void): Promise<Socket> {
  const server = createServer().listen(0, address);
  await once(server, 'listening');
  const at = server.address();
  dial(typeof at === 'object' ? (at?.port ?? 0) : 0);
  const [socket]: Socket[] = await once(server, 'connection');
  server.close();
  return socket ?? expect.unreachable();
}

it.skipIf(!isLinux).each(['127.0.0.1', '::1'])('knows a program of this user at %s', async (address) => {
  let client: Socket | undefined;
  const socket = await accepted(address, (port) => {
    client = connect(port, address);
  });
  expect(isOwnUser(socket)).toBe(true);
  client?.destroy();
  socket.destroy();
});

it.skipIf(!isLinux || process.getuid?.() !== 0)('knows a program of another user', async () => {
  const script = "require('node:net').connect(+process.argv[1], '127.0.0.1'); setTimeout(() => {}, 60_000)";
  const other: ReturnType<typeof spawn>[] = [];
  const socket = await accepted('127.0.0.1', (port) => {
    other.push(spawn(process.execPath, ['-e', script, String(port)], { uid: 65_534, cwd: '/', stdio: 'ignore' }));
  });
  expect(isOwnUser(socket)).toBe(false);
  for (const child of other) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  socket.destroy();
});

it('knows nothing of a connection that does not come from this machine', () => {
  expect(isOwnUser({ remoteAddress: '203.0.113.7', remotePort: 9 })).toBeUndefined();
  expect(isOwnUser({ remoteAddress: '2001:db8::1', remotePort: 9 })).toBeUndefined();
  expect(isOwnUser({ remoteAddress: undefined, remotePort: undefined })).toBeUndefined();
});
