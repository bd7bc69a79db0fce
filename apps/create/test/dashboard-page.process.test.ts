import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cluster, connect } from '@listwatch/client';
import { needs, requireRealPart, TestAuthority } from '@listwatch/conformance/parts';
import { deployments } from '@listwatch/kinds';
import { createRelay, createUpstream } from '@listwatch/relay';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { clusterDoor } from '../templates/dashboard/src/cluster-door.ts';
import { pageServer } from '../templates/dashboard/src/page-server.ts';

const TEMPLATE = fileURLToPath(new URL('../templates/dashboard/', import.meta.url));
const folder = `${mkdtempSync(join(tmpdir(), 'listwatch-dashboard-'))}/`;
afterAll(() => rmSync(folder, { recursive: true }));

/** The page as it would be built, without Vite. */
async function buildPage(): Promise<void> {
  await build({
    entryPoints: [join(TEMPLATE, 'src/page.ts'), join(TEMPLATE, 'src/page.css')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@listwatch/source'],
    outdir: join(folder, 'src'),
  });
  const html = readFileSync(join(TEMPLATE, 'index.html'), 'utf8').replace('page.ts', 'page.js');
  writeFileSync(join(folder, 'index.html'), html);
}

function deployment(name: string, replicas: number) {
  const labels = { app: name };
  return {
    metadata: { namespace: 'default', name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'shop:1' }] } },
    },
  };
}

interface Reached extends AsyncDisposable {
  readonly cluster: Cluster;
  /** What must be so when the page has been looked at. */
  check(): Promise<void>;
}

/** As its README says: a relay is a server like any other. */
async function behindRelay(env: TestEnvironment): Promise<Reached> {
  const [, data = ''] = /certificate-authority-data: "?([^"\s]+)/u.exec(env.kubeconfig) ?? [];
  const [, token = ''] = /token: "?([^"\s]+)/u.exec(env.kubeconfig) ?? [];
  const ca = Buffer.from(data, 'base64').toString();
  const authority = new TestAuthority();
  const upstream = createUpstream({ server: env.url, tls: async () => ({ ca }) });
  const kinds = ['deployments.apps'];
  const relay = await createRelay({ cluster: env.cluster, upstream, kinds, tls: authority.server() });
  await relay.start();
  await relay.listen();
  const cluster = await connect({ server: relay.url, caData: authority.ca, token });
  return {
    cluster,
    async check() {
      const answered = /^listwatch_relay_cached_requests_total\{kind="deployments\.apps",verb="watch"\} [1-9]/mu;
      expect(await relay.metrics()).toMatch(answered);
    },
    async [Symbol.asyncDispose]() {
      await cluster.close();
      await relay.close();
      upstream.close();
    },
  };
}

async function directly({ cluster }: TestEnvironment): Promise<Reached> {
  return { cluster, check: async () => {}, [Symbol.asyncDispose]: async () => {} };
}

describe('the page of the template dashboard', needs('Chromium'), () => {
  it.each([
    ['a server', directly],
    ['a relay', behindRelay],
  ])(
    'shows the Deployments behind %s, and each change of them',
    async (_, reach) => {
      await buildPage();
      await using env = await startTestServer({ listen: true });
      await env.cluster.create(deployments, deployment('shop', 2));
      await using reached = await reach(env);
      const server = pageServer(folder, clusterDoor(reached.cluster)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const browser = await chromium.launch({ executablePath: requireRealPart('Chromium') });
      try {
        const page = await browser.newPage();
        const complaints: string[] = [];
        page.on('pageerror', (error) => complaints.push(String(error)));
        page.on('console', (message) => {
          if (!message.location().url.endsWith('/favicon.ico')) complaints.push(message.text());
        });
        await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
        const rows = page.locator('tbody tr');
        await rows.filter({ hasText: 'shop' }).waitFor();
        expect(await rows.locator('td').allTextContents()).toEqual(['default', 'shop', '0/2']);
        await env.cluster.create(deployments, deployment('till', 1));
        await rows.filter({ hasText: 'till' }).waitFor();
        await env.cluster.delete(deployments, { namespace: 'default', name: 'shop' });
        await rows.filter({ hasText: 'shop' }).waitFor({ state: 'detached' });
        expect(await page.locator('#state').textContent()).toBe('1, live');
        expect(complaints).toEqual([]);
        await reached.check();
      } finally {
        await browser.close();
        server.close();
        server.closeAllConnections();
      }
    },
    120_000,
  );
});
