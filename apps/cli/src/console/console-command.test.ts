import { once } from 'node:events';
import { createServer } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { fakeHost } from '../fake-host.fixture.ts';
import { needPage } from './built-page.fixture.ts';
import { consoleOfCluster } from './console-command.ts';

const server = 'https://127.0.0.1:1';

beforeAll(needPage);

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

it('opens a link of its own in the browser with --open, and says when there is none', async () => {
  for (const browser of [true, false]) {
    const host = fakeHost({ browser });
    const ended = consoleOfCluster({ server, open: true }, host);
    await host.seen('code=');
    if (!browser) await host.seen('no browser could be opened here', 'stderr');
    const [link = ''] = host.links;
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/login\?code=[\w-]{32}$/u);
    expect(host.written.stdout).not.toContain(link);
    expect((await fetch(link)).status).toBe(200);
    host.signal('SIGINT');
    await ended;
  }
});

it('opens no browser without --open', async () => {
  const host = fakeHost();
  const ended = consoleOfCluster({ server }, host);
  await host.seen('code=');
  host.signal('SIGINT');
  await ended;
  expect(host.links).toEqual([]);
});

it('says what to do when the cluster cannot be reached, and serves the page all the same', async () => {
  const host = fakeHost();
  const ended = consoleOfCluster({ server }, host);
  await host.seen('the cluster cannot be reached', 'stderr');
  const [link = ''] = /http:\S+code=[\w-]{32}/u.exec(host.written.stdout) ?? [];
  expect((await fetch(link)).status).toBe(200);
  host.signal('SIGINT');
  await ended;
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
