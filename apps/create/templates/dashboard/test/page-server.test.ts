import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { pageServer } from '../src/page-server.ts';

it('the server of the page answers every path, and gives nothing from outside of its folder', async () => {
  const folder = `${mkdtempSync(join(tmpdir(), 'page-'))}/`;
  mkdirSync(join(folder, 'dist/assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.js'), 'secret');
  writeFileSync(join(folder, 'dist/index.html'), 'page');
  const server = pageServer(join(folder, 'dist/'), () => false).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  /** As it is: `fetch` would tidy the path up. */
  const ask = async (path: string): Promise<string> => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    return text(socket);
  };
  try {
    expect(await ask('/')).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\npage\r\n/u);
    const long = `/${'a'.repeat(5000)}`;
    for (const path of ['/assets', '/../secret.js', '/%2e%2e/secret.js', '/..%2fsecret.js', '//', '/%00', long])
      expect(await ask(path), path).toMatch(/^HTTP\/1.1 404 /u);
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
});
