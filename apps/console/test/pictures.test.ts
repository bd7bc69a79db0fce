import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { configMaps } from '@listwatch/kinds';
import { startTestServer } from '@listwatch/testing';
import { describe, it } from 'vitest';
import { buildPage, isPageCurrent } from '../build-page.mjs';
import { startConsoleHost } from './console-host.ts';
import { openBrowser } from './open-page.ts';
import { openShop, shopLogs } from './shop.ts';

/** `CONSOLE_PICTURES=docs/guide/images npx vitest run apps/console/test/pictures.test.ts` makes the pictures of the guide. */
const FOLDER = process.env['CONSOLE_PICTURES'];

const USUAL = { width: 1000, height: 600 };
const WIDE = { width: 1280, height: 720 };

const VIEWS = [
  { name: 'overview', scheme: 'light', fragment: '#/overview', ready: '[data-well=true]' },
  { name: 'objects', scheme: 'light', fragment: '#/objects/core/v1/pods?ns=shop', ready: '.grid-row' },
  { name: 'object', scheme: 'light', fragment: '#/object/core/v1/pods/shop/web-1', ready: '.yaml-line' },
  { name: 'logs', scheme: 'dark', fragment: '#/object/core/v1/pods/shop/web-2?tab=logs&times=1', ready: '.log-line' },
  { name: 'time', scheme: 'light', fragment: '#/objects/core/v1/configmaps?ns=shop&at=VERSION', ready: '.grid-row' },
  {
    name: 'versions',
    scheme: 'light',
    fragment: '#/object/core/v1/configmaps/shop/settings?tab=versions',
    ready: '.diff-added',
  },
  { name: 'watch', scheme: 'dark', fragment: '#/watch/core/v1/configmaps?ns=shop&initial=1', ready: '.empty' },
] as const;

describe.runIf(FOLDER)('the pictures of the guide', () => {
  it('are made', async () => {
    if (FOLDER === undefined) return;
    mkdirSync(FOLDER, { recursive: true });
    if (!isPageCurrent()) await buildPage();
    await using env = await startTestServer();
    const oldest = await env.engine.revision();
    await openShop(env);
    const { resourceVersion = '' } = (await env.cluster.list(configMaps, { namespace: 'shop' })).metadata;
    const host = await startConsoleHost(env.cluster, { engine: env.engine, oldest });
    host.kubelet = shopLogs();
    const browser = await openBrowser();
    for (const { name, scheme, fragment, ready } of VIEWS) {
      await using tab = await browser.open(host.url, {
        colorScheme: scheme,
        viewport: name === 'watch' ? WIDE : USUAL,
      });
      await tab.page.goto(host.url + fragment.replace('VERSION', String(Number(resourceVersion) - 2)));
      await tab.page.locator(ready).first().waitFor();
      if (name === 'watch') {
        await tab.page.getByRole('button', { name: 'Open' }).click();
        await tab.page.locator('.frame-bookmark').waitFor();
        await tab.page.getByRole('button', { name: 'Cut' }).click();
        await tab.page.locator('.frame-open').nth(1).waitFor();
        await tab.page.locator('.frame-added').first().click();
      }
      await tab.page.waitForTimeout(1000);
      await tab.page.screenshot({ path: join(FOLDER, `console-${name}.png`) });
    }
    await browser.close();
    await host.close();
  }, 120_000);
});
