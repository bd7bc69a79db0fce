import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { fakeHost } from '../fake-host.test-d.ts';
import { consoleOfCluster } from './console-command.ts';

const server = 'https://127.0.0.1:1';

it.each(['x', '-1', '70000', ''])('refuses the port %j', async (port) => {
  await expect(consoleOfCluster({ port, server }, fakeHost())).rejects.toThrow(/^--port must be a whole number/u);
});

it('says which port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  await expect(consoleOfCluster({ port, server }, fakeHost())).rejects.toThrow(
    `port ${port} on 127.0.0.1 cannot be used`,
  );
  other.close();
});

it('gives a link, another one when it is asked for, and ends on a signal', async () => {
  const host = fakeHost();
  const ended = consoleOfCluster({ server }, host);
  await host.seen('code=');
  expect(host.written.stdout).toContain(`${server} for reading only`);
  host.requestLink();
  const links = host.written.stdout.match(/http:\S+code=[\w-]{32}/gu) ?? [];
  expect(new Set(links).size).toBe(2);
  host.signal('SIGINT');
  expect(await ended).toBe(130);
});
