import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs, requireRealPart } from '@listwatch/conformance/parts';
import { deployments } from '@listwatch/kinds';
import { startTestServer } from '@listwatch/testing';
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

describe('the page of the template dashboard', needs('Chromium'), () => {
  it('shows the Deployments of a cluster, and each change of them', async () => {
    await buildPage();
    await using env = await startTestServer();
    await env.cluster.create(deployments, deployment('shop', 2));
    const server = pageServer(folder, clusterDoor(env.cluster)).listen(0, '127.0.0.1');
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
    } finally {
      await browser.close();
      server.close();
      server.closeAllConnections();
    }
  }, 120_000);
});
