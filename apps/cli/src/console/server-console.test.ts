import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleChoice } from '../serve/value-kind.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { needPage } from './built-page.fixture.ts';
import type { ConsoleDoor } from './console-door.ts';
import { openServerConsole } from './server-console.ts';

const newFolder = temporaryFolders();
const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.internal === false && one.family === 'IPv4')?.address;

describe('the console of listwatch serve', () => {
  const server = createApiServer({ engine: createMemoryEngine() });
  const opened: ConsoleDoor[] = [];
  let data: string;

  beforeAll(async () => {
    await needPage();
    data = newFolder();
    mkdirSync(join(data, 'pki'));
    await server.start();
  });

  afterAll(async () => {
    for (const door of opened) await door.close();
    await server.close();
  });

  async function open(
    choice: ConsoleChoice,
  ): Promise<{ readonly door: ConsoleDoor | undefined; readonly log: string }> {
    let log = '';
    const logger = pino({ level: 'debug' }, { write: (line) => void (log += line) });
    const settings = { console: choice, consoleAccess: 'read', data, port: 0 } as const;
    const door = await openServerConsole(
      { handle: server.handle.bind(server), url: 'https://127.0.0.1:6443' },
      { settings, log: logger },
    );
    if (door !== undefined) opened.push(door);
    return { door, log };
  }

  it('off: there is no door, and no secret is made', async () => {
    expect(await open({ type: 'off' })).toEqual({ door: undefined, log: '' });
    expect(() => statSync(join(data, 'pki/console.key'))).toThrow('ENOENT');
  });

  it('on: it listens on loopback, and its secret is for its owner only and stays', async () => {
    const { door, log } = await open({ type: 'on' });
    expect(door?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
    expect(log).toBe('');
    const path = join(data, 'pki/console.key');
    const secret = readFileSync(path, 'utf8');
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await open({ type: 'on' });
    expect(readFileSync(path, 'utf8')).toBe(secret);
  });

  it('a port that is taken: an error that says so and what to do', async () => {
    const [other, port] = await takenPort();
    await expect(open({ type: 'at', address: '127.0.0.1', port })).rejects.toThrow(
      `the console cannot be served at 127.0.0.1:${port}: it is taken; choose another place with --console`,
    );
    other.close();
  });

  it('an address that this machine does not have: an error', async () => {
    await expect(open({ type: 'at', address: '192.0.2.1', port: 0 })).rejects.toThrow(
      'the console cannot be served at 192.0.2.1:0',
    );
  });

  it('[::1]: the link has brackets, and the Host is checked in the same form', async () => {
    const { door } = await open({ type: 'at', address: '::1', port: 0 });
    const { port } = new URL(door?.url ?? '');
    expect(door?.link()).toMatch(/^http:\/\/\[::1\]:\d+\/console\/login\?code=/u);
    expect(await statusOf('::1', port, `[::1]:${port}`)).toBe(200);
    expect(await statusOf('::1', port, `127.0.0.1:${port}`)).toBe(403);
  });

  it.skipIf(outside === undefined)(
    'all addresses: a warning, a link that a browser can open, and every name but an address refused',
    async () => {
      const { door, log } = await open({ type: 'at', address: '0.0.0.0', port: 0 });
      expect(log).toContain('without TLS');
      expect(door?.link()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/login/u);
      const { port } = new URL(door?.url ?? '');
      const own = outside ?? '';
      expect(await statusOf(own, port, `${own}:${port}`)).toBe(200);
      expect(await statusOf(own, port, '203.0.113.7:8080')).toBe(200);
      for (const name of ['evil.example', `${own}.nip.io`, 'localhost.evil.example', `user@${own}`, '0x7f.1', 'a b'])
        expect([name, await statusOf(own, port, `${name}:${port}`)]).toEqual([name, 403]);
      expect(await statusOf(own, port, `${own}:${port}`, '/api/v1/namespaces')).toBe(401);
    },
  );
});

async function statusOf(hostname: string, port: string, host: string, path = '/console/'): Promise<number | undefined> {
  const asked = request({ hostname, port, path, method: 'HEAD', headers: { host }, agent: false });
  asked.end();
  const [response]: IncomingMessage[] = await once(asked, 'response');
  response?.resume();
  return response?.statusCode;
}

async function takenPort(): Promise<[Server, number]> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  return [other, typeof address === 'object' ? (address?.port ?? 0) : 0];
}
