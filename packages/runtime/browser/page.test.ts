import { fileURLToPath } from 'node:url';
import { type ApiObject, resource } from '@listwatch/api';
import { needs, requireRealPart, startTcpProxy, type TcpProxy } from '@listwatch/conformance/parts';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });
const HTML = '<!doctype html><p id="phase"></p><p id="count">0</p><p id="names"></p><p id="error"></p>';

/** The door for browsers: no condition `node`, and nothing of Node to fall back on. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@listwatch/source'],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

interface OpenPage {
  readonly page: Page;
  /** What the page complained of. */
  readonly complaints: readonly string[];
  /** Addresses of watches, by what they went over. */
  readonly watches: { readonly fetch: string[]; readonly websocket: string[] };
}

async function shows(page: Page, id: string, text: string): Promise<void> {
  await page.locator(`#${id}`, { hasText: new RegExp(`^${text}$`, 'u') }).waitFor({ state: 'attached' });
}

describe('an informer in a page', needs('Chromium'), () => {
  let env: TestEnvironment;
  let proxy: TcpProxy;
  let browser: Browser;
  let script: string;
  let token: string;

  beforeAll(async () => {
    [env, script] = await Promise.all([startTestServer({ listen: true }), bundle()]);
    proxy = await startTcpProxy(Number(new URL(env.url).port));
    token = /token: (\S+)/u.exec(env.kubeconfig)?.[1] ?? expect.unreachable();
    browser = await chromium.launch({ executablePath: requireRealPart('Chromium') });
  });

  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    await env?.close();
  });

  /**
   * Our server sends no CORS headers, so a page may talk to it from its own origin only. Here a document of the server is
   * loaded and filled with ours: all that the page then does is real, with TLS, HTTP/2 and WebSocket.
   */
  async function open(
    namespace: string,
    watchOver: 'fetch' | 'websocket',
    query: Readonly<Record<string, string>> = {},
  ): Promise<OpenPage> {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    const complaints: string[] = [];
    const watches = { fetch: [] as string[], websocket: [] as string[] };
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const { url } = message.location();
      // Which Chromium asks for by itself, and which nobody but an admin may ask this server for.
      if (url.endsWith('/favicon.ico')) return;
      complaints.push(`${message.type()} at ${url}: ${message.text()}`);
    });
    page.on('websocket', (socket) => watches.websocket.push(socket.url()));
    page.on('request', (request) => {
      if (request.url().includes('watch=')) watches.fetch.push(request.url());
    });
    const hash = new URLSearchParams({ token, namespace, watchOver, ...query }).toString();
    await page.goto(`${proxy.endpoint.replace('http:', 'https:')}/livez#${hash}`);
    await page.setContent(HTML);
    await page.addScriptTag({ type: 'module', content: script });
    return { page, complaints, watches };
  }

  async function create(namespace: string, name: string): Promise<ApiObject> {
    return env.cluster.create(configMaps, { metadata: { namespace, name } });
  }

  for (const watchOver of ['fetch', 'websocket'] as const) {
    it(`shows what there is and what becomes of it, with its watch over ${watchOver}`, async () => {
      const namespace = `over-${watchOver}`;
      await env.cluster.create(namespaces, { metadata: { name: namespace } });
      for (const name of ['a', 'b']) await create(namespace, name);
      const { page, complaints, watches } = await open(namespace, watchOver);
      await shows(page, 'names', 'a b');
      await shows(page, 'phase', 'live');
      for (const name of ['c', 'd', 'e']) await create(namespace, name);
      await shows(page, 'names', 'a b c d e');
      for (const name of ['a', 'c']) await env.cluster.delete(configMaps, { namespace, name });
      await shows(page, 'names', 'b d e');
      await shows(page, 'count', '3');
      const unused = watchOver === 'fetch' ? 'websocket' : 'fetch';
      expect([watches[watchOver].length > 0, watches[unused]]).toEqual([true, []]);
      expect(complaints).toEqual([]);
      await page.close();
    });

    it(`goes on after its connection was cut, with its watch over ${watchOver}`, async () => {
      const namespace = `cut-${watchOver}`;
      await env.cluster.create(namespaces, { metadata: { name: namespace } });
      await create(namespace, 'a');
      const { page } = await open(namespace, watchOver);
      await shows(page, 'names', 'a');
      proxy.refuse();
      proxy.cut();
      await shows(page, 'phase', 'degraded');
      await create(namespace, 'b');
      await env.cluster.delete(configMaps, { namespace, name: 'a' });
      await proxy.accept();
      await shows(page, 'names', 'b');
      await shows(page, 'phase', 'live');
      await page.close();
    });
  }

  it('says what is wrong with its selector, which the server has found: pages have no parser', async () => {
    const { page } = await open('default', 'fetch', { labelSelector: 'a=(' });
    await shows(page, 'phase', 'degraded');
    expect(await page.locator('#error').textContent()).toContain('unable to parse requirement');
    await page.close();
  });
});
