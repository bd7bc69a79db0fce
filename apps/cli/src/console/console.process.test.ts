import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { ask, ListwatchProcess } from '../serve/serve-process.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';
import { needPage } from './built-page.fixture.ts';
import { LoggedInBrowser, linkIn } from './logged-in-browser.fixture.ts';

const newFolder = temporaryFolders();
const SECRET = 'hunter2-hunter2';
const SERVE = ['serve', '--port', '0', '--controllers=-*'];

/** Each starts two processes; on a busy machine that takes long. */
const PATIENT = { timeout: 120_000 };

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  data: { key: Buffer.from(SECRET).toString('base64') },
};

beforeAll(needPage);

it(
  'listwatch serve gives a link, keeps logins and logouts over restarts, and tells its log nothing of what the page reads',
  PATIENT,
  async () => {
    const folder = newFolder();
    const first = new ListwatchProcess([...SERVE, '--storage', 'memory', '-v', '3'], folder);
    const { kubeconfig, ...ready } = await first.ready();
    const linkFile = 'consoleLink' in ready ? String(ready.consoleLink) : '';
    expect(statSync(linkFile).mode & 0o777).toBe(0o600);
    const link = linkIn(readFileSync(linkFile, 'utf8'));
    expect(ready).toMatchObject({ console: new URL(link).origin });
    const browser = await LoggedInBrowser.open(link);
    const path = '/api/v1/namespaces/default/secrets';
    await ask(kubeconfig, path, { method: 'POST', headers: { 'content-type': 'application/json' } }, secret);
    expect((await browser.send(`${path}/s`)).text).toContain(secret.data.key);
    expect(await browser.send(path, 'POST', secret)).toMatchObject({ status: 403 });
    const session = JSON.parse((await browser.send('/console/session')).text);
    expect(session).toMatchObject({ mode: 'server', write: false, debug: true, user: 'system:listwatch:console' });
    const overview = await browser.watch('/debug/overview?watch=true');
    await vi.waitFor(() => expect(overview.frames.join('').split('\n').length).toBeGreaterThan(2), 20_000);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);

    first.kill('SIGUSR2');
    await first.line('a new link');
    const second = linkIn(readFileSync(linkFile, 'utf8'));
    expect(second).not.toBe(link);
    await LoggedInBrowser.open(second);

    first.kill('SIGTERM');
    const { code, stdout, stderr } = await first.ended;
    expect(code).toBe(0);
    const log = stdout + stderr;
    for (const hidden of [
      secret.data.key,
      SECRET,
      browser.headers['cookie'] ?? '-',
      browser.headers['authorization'] ?? '-',
    ])
      expect(log).not.toContain(hidden);
    expect(log).not.toContain('code=');

    const { port } = new URL(browser.url);
    await using again = new ListwatchProcess([...SERVE, '--storage', 'memory', '--console', port], folder);
    await again.ready();
    expect((await browser.send('/console/session')).status).toBe(200);
    expect((await browser.send('/console/logout', 'POST')).status).toBe(200);
    again.kill('SIGTERM');
    await again.ended;
    await using third = new ListwatchProcess([...SERVE, '--storage', 'memory', '--console', port], folder);
    await third.ready();
    expect((await browser.send('/console/session')).status).toBe(401);
  },
);

it(
  'listwatch console opens any cluster with the credentials of the kubeconfig, and ends a watch with its page',
  PATIENT,
  async () => {
    const folder = newFolder();
    await using server = new ListwatchProcess([...SERVE, '--storage', 'memory', '--console', 'off'], folder);
    const { kubeconfig, ...ready } = await server.ready();
    expect(ready).not.toHaveProperty('console');
    await using command = new ListwatchProcess(
      ['console', '--kubeconfig', join(folder, '.listwatch/kubeconfig'), '--write'],
      folder,
    );
    const browser = await LoggedInBrowser.open(linkIn(await command.line('code=')));
    const session = JSON.parse((await browser.send('/console/session')).text);
    expect(session).toMatchObject({
      mode: 'cluster',
      write: true,
      debug: true,
      user: 'listwatch-admin',
      context: 'listwatch',
    });

    const path = '/api/v1/namespaces/default/secrets';
    const { socket, frames } = await browser.watch(`${path}?watch=true`);
    expect((await browser.send(path, 'POST', secret)).status).toBe(201);
    await vi.waitFor(() => expect(frames.join('')).toContain('"ADDED"'), 20_000);
    const watchers = async (): Promise<unknown> => {
      const { body } = await ask(kubeconfig, '/metrics');
      return /^listwatch_watchers\{group="",resource="secrets"\} (\d+)$/mu.exec(String(body))?.[1];
    };
    expect(await watchers()).toBe('1');
    socket.close();
    await vi.waitFor(async () => expect(await watchers()).toBe('0'), 20_000);

    server.kill('SIGKILL');
    await server.ended;
    await vi.waitFor(async () => expect((await browser.send(path)).status).toBe(503), 20_000);
    command.kill('SIGTERM');
    const { code, stdout, stderr } = await command.ended;
    expect(code).toBe(143);
    expect(stdout + stderr).not.toContain(secret.data.key);
  },
);
