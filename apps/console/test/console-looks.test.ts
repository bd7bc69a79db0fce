import { needs } from '@listwatch/conformance/parts';
import { configMaps } from '@listwatch/kinds';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage, isPageCurrent } from '../build-page.mjs';
import { type ConsoleHost, startConsoleHost } from './console-host.ts';
import { type ConsoleView, consoleViews, openView } from './console-views.ts';
import { CUT_OFF, type CutOff } from './cut-off.ts';
import { type OpenedPage, openBrowser, type PageOpener } from './open-page.ts';
import { openShop } from './shop.ts';

const WIDE = { width: 1280, height: 800 };
/** What a window of 1280 by 800 pixels has at 200 %. */
const ZOOMED = { width: 640, height: 400 };

describe('the looks of the console', needs('Chromium'), () => {
  let env: TestEnvironment;
  let host: ConsoleHost;
  let browser: PageOpener;
  let views: readonly ConsoleView[] = [];

  beforeAll(async () => {
    if (!isPageCurrent()) await buildPage();
    [env, browser] = await Promise.all([startTestServer(), openBrowser()]);
    const oldest = await env.engine.revision();
    await openShop(env);
    host = await startConsoleHost(env.cluster, { engine: env.engine, oldest });
    views = consoleViews((await env.cluster.list(configMaps, { namespace: 'shop' })).metadata.resourceVersion ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await host?.close();
    await env?.close();
  });

  it('have no violation of accessibility in any view: light and dark, wide and narrow', async () => {
    await using tab = await browser.open(host.url, { viewport: WIDE, colorScheme: 'light' });
    const found: Record<string, unknown> = {};
    for (const view of views) {
      await openView(tab.page, host, view);
      const problems = await violationsOf(tab, view);
      if (problems.length > 0) found[view.name] = problems;
    }
    expect(found).toEqual({});
    tab.expectNoComplaints();
  }, 120_000);

  it('leave nothing cut off or out of reach at 200 %', async () => {
    await using tab = await browser.open(host.url, { viewport: ZOOMED, deviceScaleFactor: 2 });
    const found: Record<string, unknown> = {};
    for (const view of views) {
      await openView(tab.page, host, view);
      const problems = await tab.page.evaluate<readonly CutOff[]>(CUT_OFF);
      if (problems.length > 0) found[view.name] = problems;
    }
    expect(found).toEqual({});
  }, 120_000);

  it('say plainly and accessibly that nobody is logged in, and that the server is away', async () => {
    await using tab = await browser.open(`${host.url}#/objects/core/v1/pods?ns=shop`, { viewport: ZOOMED });
    const { page } = tab;
    await page.locator('.grid-row').first().waitFor();
    await host.goDown();
    await page.getByRole('alert').getByText('The server cannot be read').waitFor();
    const away = [await tab.violations(), await page.evaluate<readonly CutOff[]>(CUT_OFF)];
    await host.comeUp();
    const { session } = host;
    host.session = undefined;
    await page.reload();
    await page.getByRole('heading', { name: 'Not logged in' }).waitFor();
    const out = [await tab.violations(), await page.evaluate<readonly CutOff[]>(CUT_OFF)];
    host.session = session;
    expect([away, out]).toEqual([
      [[], []],
      [[], []],
    ]);
  });
});

/** What a change of size or colors can break; all other rules are looked at once. */
const LOOKS = ['color-contrast', 'scrollable-region-focusable'];

async function violationsOf(tab: OpenedPage, { part = 'main' }: ConsoleView): Promise<readonly string[]> {
  const { page } = tab;
  const problems: string[] = [];
  for (const [size, viewport] of [
    ['wide', WIDE],
    ['narrow', ZOOMED],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const rules = size === 'wide' && colorScheme === 'light' ? undefined : LOOKS;
      for (const problem of await tab.violations(rules, part)) problems.push(`${size} ${colorScheme}: ${problem}`);
    }
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  return problems;
}
