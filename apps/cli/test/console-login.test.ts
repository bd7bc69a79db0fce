import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { needs, requireRealPart } from '@listwatch/conformance/parts';
import { consoleAssets } from '@listwatch/console';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage, isPageCurrent } from '../../console/build-page.mjs';
import { openTestDoor, type TestDoor } from '../src/console/open-door.fixture.ts';

/** As much of the browser as the functions use that are evaluated in a page. */
declare const document: { readonly cookie: string };
declare const localStorage: Readonly<Record<string, unknown>>;

const LIMIT = 20_000;
const LIST = '/api/v1/namespaces';

/** An address of this machine that others reach. */
const reachedAt = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.internal === false && one.family === 'IPv4')?.address;

function atOutside(url: string): string {
  return url.replace('127.0.0.1', reachedAt ?? '');
}

/** A web server of somebody else on another port of 127.0.0.1. */
class OtherServer {
  readonly url: string;
  readonly seen: IncomingHttpHeaders[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    server.on('request', (request, response) => {
      this.seen.push(request.headers);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>other</title>');
    });
  }

  static async start(): Promise<OtherServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OtherServer(server);
  }

  /** The cookies that it was sent. */
  get cookies(): readonly string[] {
    return this.seen.flatMap(({ cookie }) => cookie ?? []);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('the login of the console in Chromium', needs('Chromium'), () => {
  let browser: Browser;
  let door: TestDoor;
  let other: OtherServer;
  let person: BrowserContext;

  beforeAll(async () => {
    if (!isPageCurrent()) await buildPage();
    browser = await chromium.launch({
      executablePath: requireRealPart('Chromium'),
      // A name of somebody else that leads here: DNS rebinding.
      args: ['--host-resolver-rules=MAP evil.example 127.0.0.1'],
    });
    door = await openRealDoor();
    other = await OtherServer.start();
    person = await newPerson();
    await loggedIn(await person.newPage(), door);
  });

  afterAll(async () => {
    await browser?.close();
    await door?.[Symbol.asyncDispose]();
    other?.close();
  });

  /** A browser profile of its own. */
  async function newPerson(): Promise<BrowserContext> {
    const context = await browser.newContext();
    context.setDefaultTimeout(LIMIT);
    return context;
  }

  it('by a link leaves nothing in the address bar, and nothing that a script can read in the cookies', async () => {
    const context = await newPerson();
    const page = await context.newPage();
    const elsewhere: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(door.door.url)) elsewhere.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await loggedIn(page, door);
    expect([elsewhere, complaints]).toEqual([[], []]);
    expect(page.url()).toMatch(/\/console\/(?:#.*)?$/u);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(await page.content()).not.toContain('listwatch-key');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', domain: '127.0.0.1', path: '/' });
    await page.reload();
    expect(await isLoggedIn(page)).toBe(true);
    await page.goBack();
    expect(page.url()).not.toContain('code=');
    await context.close();
  });

  it('holds in a second tab, and not in another profile or under another name', async () => {
    const tab = await person.newPage();
    await tab.goto(`${door.door.url}/console/`);
    expect(await isLoggedIn(tab)).toBe(true);
    await tab.goto(`${door.door.url.replace('127.0.0.1', 'localhost')}/console/`);
    expect(await isLoggedIn(tab)).toBe(false);
    const stranger = await newPerson();
    const page = await stranger.newPage();
    await page.goto(`${door.door.url}/console/`);
    expect(await isLoggedIn(page)).toBe(false);
    await stranger.close();
    await tab.close();
  });

  it('is refused with a wrong code and with a link that was used, which leads a browser that is logged in to the page', async () => {
    const page = await person.newPage();
    const link = door.door.link();
    const wrong = await page.goto(link.replace(/code=.{4}/u, 'code=AAAA'));
    expect(wrong?.status()).toBe(401);
    await loggedIn(await person.newPage(), door, link);
    expect((await page.goto(link))?.status()).toBe(401);
    await page.getByRole('link', { name: 'Open the console' }).click();
    expect(await isLoggedIn(page)).toBe(true);
    await page.close();
  });

  it('is worth nothing to a server on another port, although browsers send it the cookie', async () => {
    const page = await person.newPage();
    await page.goto(other.url);
    const cookie = other.cookies.at(-1) ?? '';
    expect(cookie).toContain('listwatch-console-');
    // Its process can forge every header.
    const forged = { cookie, origin: door.door.url, 'sec-fetch-site': 'same-origin', host: door.host };
    for (const path of [LIST, '/console/session', '/debug/overview', '/version'])
      expect([path, (await door.send(path, { headers: forged })).status]).toEqual([path, 401]);
    expect((await door.send(LIST, { method: 'POST', headers: forged, body: '{}' })).status).toBe(401);
    expect(await door.socket(`${LIST}?watch=true`, forged)).toBe(401);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    // The cookie of the page and the server that saw it are the same: with the key it is a login.
    const { authorization = '' } = await ownHeaders(person, door);
    expect((await door.send(LIST, { headers: { ...forged, authorization } })).status).toBe(200);
    await page.close();
  });

  it('is not used by a page on another port or another site', async () => {
    const page = await person.newPage();
    for (const site of [other.url, other.url.replace('127.0.0.1', 'localhost')]) {
      await page.goto(site);
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'evil' } });
      expect(await fetched(page, door.door.url + LIST)).toBe('refused');
      expect(await fetched(page, `${door.door.url}/console/session`)).toBe('refused');
      expect(await fetched(page, door.door.url + LIST, { method: 'POST', body, mode: 'no-cors' })).toBe('refused');
      expect(await fetched(page, door.door.url + LIST, { headers: { authorization: 'Bearer x' } })).toBe('refused');
      const socket = await page.evaluate(
        (url) =>
          new Promise((resolve) => {
            const opened = new globalThis.WebSocket(url);
            opened.addEventListener('open', () => resolve('open'));
            opened.addEventListener('error', () => resolve('refused'));
          }),
        `${door.door.url.replace('http', 'ws')}${LIST}?watch=true`,
      );
      expect(socket).toBe('refused');
    }
    expect((await door.send(`${LIST}/evil`, { headers: await ownHeaders(person, door) })).status).toBe(404);
    await page.close();
  });

  it('is not given to a name that was bound to this address', async () => {
    const page = await person.newPage();
    const rebound = door.door.url.replace('127.0.0.1', 'evil.example');
    expect((await page.goto(`${rebound}/console/`))?.status()).toBe(403);
    expect((await page.goto(door.door.link().replace('127.0.0.1', 'evil.example')))?.status()).toBe(403);
    expect(await fetched(page, rebound + LIST)).toBe('refused');
    await page.close();
  });

  it.skipIf(reachedAt === undefined)('by an address that is not loopback holds in every tab as well', async () => {
    await using open = await openRealDoor({ address: '0.0.0.0' });
    const context = await newPerson();
    await loggedIn(await context.newPage(), open, atOutside(open.door.link()));
    const tab = await context.newPage();
    await tab.goto(atOutside(`${open.door.url}/console/`));
    expect(await isLoggedIn(tab)).toBe(true);
    await context.close();
  });

  it('to two doors holds in one browser', async () => {
    await using second = await openRealDoor();
    const page = await loggedIn(await person.newPage(), second);
    const first = await person.newPage();
    await first.goto(`${door.door.url}/console/`);
    expect(await isLoggedIn(first)).toBe(true);
    await page.reload();
    expect(await isLoggedIn(page)).toBe(true);
    await page.close();
    await first.close();
  });

  it('by two links at the same time holds in both tabs, whichever cookie and key came last', async () => {
    const context = await newPerson();
    const tabs = await Promise.all([context.newPage(), context.newPage(), context.newPage()]);
    await Promise.all(tabs.map((tab) => loggedIn(tab, door)));
    for (const tab of tabs) {
      await tab.reload();
      expect(await isLoggedIn(tab)).toBe(true);
    }
    await context.close();
  });

  it('outlives a restart of a server that keeps its secret, and ends with one that does not', async () => {
    const first = await openRealDoor();
    const port = Number(new URL(first.door.url).port);
    const context = await newPerson();
    const page = await loggedIn(await context.newPage(), first);
    await first[Symbol.asyncDispose]();
    const second = await openRealDoor({ port });
    await page.locator('[data-well=true]').waitFor();
    await vi.waitFor(() => expect(second.door.active).toBeGreaterThan(0), LIMIT);
    await page.reload();
    expect(await isLoggedIn(page)).toBe(true);
    await second[Symbol.asyncDispose]();
    await using third = await openRealDoor({ port, secret: Buffer.alloc(32, 9) });
    expect(third.door.url).toBe(second.door.url);
    await page.getByRole('heading', { name: 'Not logged in' }).waitFor();
    await context.close();
  });

  it('ends in all tabs with a logout, and a login in one tab opens the others', async () => {
    const context = await newPerson();
    const page = await loggedIn(await context.newPage(), door);
    const tab = await context.newPage();
    await tab.goto(`${door.door.url}/console/`);
    expect(await isLoggedIn(tab)).toBe(true);
    const headers = await ownHeaders(context, door);
    await page.getByRole('button', { name: 'Log out' }).click();
    await tab.getByRole('heading', { name: 'Not logged in' }).waitFor();
    expect(await isLoggedIn(page)).toBe(false);
    expect(await context.cookies()).toEqual([]);
    expect((await door.send(LIST, { headers })).status).toBe(401);
    await loggedIn(page, door);
    await tab.getByRole('heading', { name: 'Overview' }).waitFor();
    await context.close();
  });

  it('ends after eight hours, and the page says so', async () => {
    await using own = await openRealDoor();
    const context = await newPerson();
    const page = await loggedIn(await context.newPage(), own);
    await own.clock.advance(8 * 60 * 60_000);
    await page.getByRole('heading', { name: 'Not logged in' }).waitFor();
    await context.close();
  });
});

/** What the page of a profile sends. */
async function ownHeaders(context: BrowserContext, { door }: TestDoor): Promise<Record<string, string>> {
  const page = await context.newPage();
  const sent = page.waitForRequest((request) => request.url().endsWith('/console/session'));
  await page.goto(`${door.url}/console/`);
  const { cookie = '', authorization = '' } = await (await sent).allHeaders();
  await page.close();
  return { cookie, authorization, origin: door.url };
}

function openRealDoor(options: Parameters<typeof openTestDoor>[0] = {}): Promise<TestDoor> {
  return openTestDoor({ assets: consoleAssets, access: 'write', ...options });
}

/** Opens a link: a new one, or this one. */
async function loggedIn(page: Page, { door }: TestDoor, link: string = door.link()): Promise<Page> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return page;
}

async function isLoggedIn(page: Page): Promise<boolean> {
  const inside = page.getByRole('heading', { name: 'Overview' });
  const outside = page.getByRole('heading', { name: 'Not logged in' });
  await inside.or(outside).waitFor();
  return inside.isVisible();
}

/** The state of a request that a script of the page sends. */
function fetched(page: Page, url: string, init: object = {}): Promise<number | string> {
  return page.evaluate(
    ([to, options]) =>
      fetch(to, { credentials: 'include', ...options }).then(
        ({ status }) => status,
        () => 'refused',
      ),
    [url, init] as const,
  );
}
