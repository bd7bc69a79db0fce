import { needs } from '@listwatch/conformance/parts';
import { consoleAssets } from '@listwatch/console';
import { configMaps, customResourceDefinitions, pods } from '@listwatch/kinds';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage, isPageCurrent } from '../build-page.mjs';
import { type ConsoleHost, startConsoleHost } from './console-host.ts';
import { forever, hugeEnd, hugeFrames, hugeList, hugeTable } from './huge-table.ts';
import { type OpenedPage, openBrowser, type PageOpener } from './open-page.ts';
import { COLORS, openShop } from './shop.ts';

/** As much of the browser as the functions use that are evaluated in the page. */
declare const document: {
  readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number };
  querySelectorAll(selector: string): { readonly length: number };
};

const LIMIT = 20_000;
const NAMESPACE = 'shop';
const settings = { namespace: NAMESPACE, name: 'settings' };

function row(page: Page, name: string): ReturnType<Page['locator']> {
  return page.locator('.grid-row', { has: page.getByRole('link', { name, exact: true }) });
}

describe('the console', needs('Chromium'), () => {
  let env: TestEnvironment;
  let host: ConsoleHost;
  let browser: PageOpener;
  /** The version before the walls were painted red, and that of each color. */
  const versions: Record<string, string> = {};

  beforeAll(async () => {
    if (!isPageCurrent()) await buildPage();
    [env, browser] = await Promise.all([startTestServer(), openBrowser()]);
    const oldest = await env.engine.revision();
    await openShop(env);
    host = await startConsoleHost(env.cluster, { engine: env.engine, oldest });
    const query = { namespace: NAMESPACE, resourceVersion: String(oldest), signal: AbortSignal.timeout(LIMIT) };
    for await (const event of env.cluster.watch(configMaps, query)) {
      if (event.type === 'BOOKMARK' || event.type === 'ERROR') continue;
      if (event.object.metadata.name !== 'settings') continue;
      versions[event.object.data?.['color'] ?? ''] = event.object.metadata.resourceVersion ?? '';
      if (event.object.data?.['color'] === COLORS.at(-1)) break;
    }
  });

  afterAll(async () => {
    await browser?.close();
    await host?.close();
    await env?.close();
  });

  /** One tab for most tests: going from view to view is what people do, and a new page costs a second. */
  let shared: OpenedPage | undefined;
  async function opened(fragment: string): Promise<OpenedPage> {
    shared ??= await browser.open(host.url);
    shared.forgetComplaints();
    await shared.page.goto(`${host.url}#/watch`);
    await shared.page.getByRole('heading', { name: 'Watch inspector' }).waitFor();
    await shared.page.goto(`${host.url}${fragment}`);
    return shared;
  }

  it('shows at a glance that the server is well, and leads to every kind', async () => {
    const tab = await opened('');
    const { page } = tab;
    await page.locator('[data-well=true]').waitFor();
    await page.getByText('lmdb').waitFor();
    expect(await page.locator('.plot canvas').count()).toBe(6);
    await page.getByLabel('Filter kinds').fill('config');
    await page.getByRole('link', { name: 'ConfigMap' }).first().click();
    await row(page, 'settings').waitFor();
    expect(page.url()).toContain('#/objects/core/v1/configmaps');
    tab.expectNoComplaints();
  });

  it('shows which webhooks are slow and which fail', async () => {
    const tab = await opened('');
    const { page } = tab;
    const table = page.locator('table', { has: page.getByText('Admission webhooks, the slowest first') });
    const cells = table.locator('tbody tr').first().locator('th, td');
    await cells.first().waitFor();
    expect(await cells.allInnerTexts()).toEqual([
      'limits.cost-guard.example.com',
      'cost-guard validating',
      '40',
      '300 ms',
      '2.5 s',
      '3',
      '2',
      '4',
      '0',
    ]);
    // What needs a look is marked: the slow one, and the failures with their reason.
    expect(await table.locator('.word-bad').allInnerTexts()).toEqual(['2.5 s', '2']);
    expect(await table.locator('td[title]').getAttribute('title')).toContain('context deadline exceeded');
    await table.getByRole('link', { name: 'cost-guard' }).click();
    await page.waitForURL(/validatingwebhookconfigurations/u);
    tab.expectNoComplaints();
  });

  it('shows which levels and which users have the event loop, who waits, and since when', async () => {
    const tab = await opened('');
    const { page } = tab;
    const rowsOf = async (caption: string): Promise<readonly (readonly string[])[]> => {
      const rows = page.locator('table', { has: page.getByText(caption, { exact: true }) }).locator('tbody tr');
      await rows.first().waitFor();
      return Promise.all((await rows.all()).map((one) => one.locator('th, td').allInnerTexts()));
    };
    // A level without work is left out.
    expect(await rowsOf('Priority levels in use')).toEqual([
      ['exempt', '2.0 %', '1', 'no limit', '0', '0'],
      ['global-default', '62 %', '42', '56', '3', '17'],
    ]);
    expect(await rowsOf('Who uses the event loop')).toEqual([
      ['eve', 'global-default', '58 %', '42', '42', '0', '–'],
      ['ann', 'global-default', '4.0 %', '0', '0', '3', '12s'],
    ]);
    const waiting = page.locator('table', { has: page.getByText('Who uses the event loop') }).locator('.word-bad');
    expect(await waiting.allInnerTexts()).toEqual(['3']);
    tab.expectNoComplaints();
  });

  it('shows the columns of kubectl, and rows that come, change and go', async () => {
    const tab = await opened('#/objects/core/v1/pods?ns=shop');
    const { page } = tab;
    await row(page, 'web-1').waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Name',
      'Ready',
      'Status',
      'Restarts',
      'Age',
    ]);
    expect(await row(page, 'web-3').innerText()).toMatch(/0\/1\s+ImagePullBackOff\s+3/u);
    await env.apply(
      '{ apiVersion: v1, kind: Pod, metadata: { name: new }, spec: { containers: [{ name: a, image: a }] } }',
      { namespace: NAMESPACE },
    );
    await row(page, 'new').waitFor();
    const status = { phase: 'Succeeded' };
    await env.cluster.patch(
      pods,
      { namespace: NAMESPACE, name: 'new' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
    await row(page, 'new').getByText('Completed').or(row(page, 'new').getByText('Succeeded')).waitFor();
    expect(await row(page, 'new').getAttribute('class')).toContain('flash');
    await env.cluster.delete(pods, { namespace: NAMESPACE, name: 'new' }, { gracePeriodSeconds: 0 });
    await row(page, 'new').waitFor({ state: 'detached' });
    tab.expectNoComplaints();
  });

  it('shows a kind that a CRD brings while the page is open', async () => {
    const tab = await opened('#/overview');
    const { page } = tab;
    await page.getByLabel('Filter kinds').fill('');
    await page.getByRole('link', { name: 'Pod', exact: true }).first().waitFor();
    await env.installCrds({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'paintings.art.example.com' },
      spec: {
        group: 'art.example.com',
        names: { plural: 'paintings', kind: 'Painting' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.size' }],
          },
        ],
      },
    });
    await page.getByRole('link', { name: 'Painting' }).click();
    await env.apply('{ apiVersion: art.example.com/v1, kind: Painting, metadata: { name: sky }, size: 42 }', {
      namespace: NAMESPACE,
    });
    await row(page, 'sky').getByText('42').waitFor();
    await env.cluster.delete(customResourceDefinitions, { name: 'paintings.art.example.com' });
    await page.getByRole('link', { name: 'Painting' }).waitFor({ state: 'detached' });
  });

  it('asks the server for selectors, and searches and sorts by itself', async () => {
    const tab = await opened('#/objects/core/v1/pods?ns=shop');
    const { page } = tab;
    await row(page, 'web-6').waitFor();
    await page.getByLabel('Labels').fill('number in (1,2)');
    await page.keyboard.press('Enter');
    await vi.waitFor(async () => expect(await page.locator('.grid-row').count()).toBe(2), LIMIT);
    expect(
      host.requests.some(
        (path) => path.includes('labelSelector=number+in') || path.includes('labelSelector=number%20in'),
      ),
    ).toBe(true);
    await page.getByLabel('Labels').fill('=');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.goBack();
    await page.goBack();
    await row(page, 'web-6').waitFor();
    await page.getByRole('button', { name: 'Restarts' }).click();
    await page.getByRole('button', { name: 'Restarts' }).click();
    await vi.waitFor(async () => expect(await page.locator('.grid-row').first().innerText()).toContain('web-3'), LIMIT);
    await page.getByLabel('Search').fill('ImagePull');
    await vi.waitFor(async () => expect(await page.locator('.grid-row').count()).toBe(1), LIMIT);
    expect(page.url()).toContain('search=ImagePull');
    // The state is in the address: the same link shows the same.
    await using other = await browser.open(page.url());
    await vi.waitFor(async () => expect(await other.page.locator('.grid-row').count()).toBe(1), LIMIT);
    tab.expectNoComplaints();
  });

  it('shows the columns of a kind without objects, and what the server refuses', async () => {
    const tab = await opened('#/objects/core/v1/services?ns=shop');
    const { page } = tab;
    await page.getByText('There are no objects of this kind in shop.').waitFor();
    await page.getByRole('columnheader', { name: 'Cluster-IP' }).waitFor();
    await page.goto(`${host.url}#/objects/core/v1/pods?ns=shop&fields=nope%3D1`);
    await page.getByRole('alert').getByText('The server refuses this: field label not supported: nope').waitFor();
    expect(await page.locator('.empty').count()).toBe(0);
  });

  it('shows rows of a first list while the others still come, and drops those that were gone at its end', async () => {
    const pattern = /^\/api\/v1\/namespaces\/slow\/pods/u;
    const held = new AbortController();
    let isFirst = true;
    host.answers.set(pattern, async function* () {
      const path = host.requests.at(-1) ?? '';
      if (isFirst) {
        // The first attempt shows 10 rows and breaks.
        isFirst = false;
        yield* hugeFrames(0, 10);
        await new Promise((resolve) => held.signal.addEventListener('abort', resolve));
        throw new Error('broken');
      }
      // The next one is a stream again or a list, as the watcher decides.
      if (!path.includes('watch=true')) return yield hugeList(5, 20);
      if (path.includes('sendInitialEvents')) yield* [...hugeFrames(5, 20), hugeEnd()];
      return yield* forever();
    });
    const tab = await opened('#/objects/core/v1/pods?ns=slow');
    const { page } = tab;
    await row(page, 'pod-000009').waitFor();
    await page.getByText('10 so far').waitFor();
    held.abort();
    await row(page, 'pod-000024').waitFor();
    await page.locator('[data-phase=live]').waitFor();
    await row(page, 'pod-000000').waitFor({ state: 'detached' });
    expect(await page.locator('.count').innerText()).toBe('20');
    host.answers.delete(pattern);
  });

  it('is used by keyboard alone', async () => {
    const tab = await opened('#/objects/core/v1/pods?ns=shop');
    const { page } = tab;
    await row(page, 'web-2').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('web');
    expect(await page.getByLabel('Search').inputValue()).toBe('web');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.locator('.row-selected', { hasText: 'web-2' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'web-2', exact: true }).waitFor();
    await page.getByText('nodeName').waitFor();
    await page.keyboard.press('d');
    await page.getByText(/versions? kept/u).waitFor();
    await page.keyboard.press('Escape');
    await row(page, 'web-2').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    tab.expectNoComplaints();
  });

  it('keeps the document small with 100 000 rows', async () => {
    const pattern = /^\/api\/v1\/namespaces\/huge\/pods/u;
    host.answers.set(pattern, () => hugeTable(100_000));
    const tab = await opened('#/objects/core/v1/pods?ns=huge');
    const { page } = tab;
    await page.getByText('100000', { exact: true }).waitFor({ timeout: 25_000 });
    const nodes = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);
    expect(await nodes()).toBeLessThan(1500);
    await page.locator('.grid').focus();
    await page.keyboard.press('End');
    await row(page, 'pod-099999').waitFor();
    expect(await page.locator('.grid-row').count()).toBeLessThan(80);
    expect(await nodes()).toBeLessThan(1500);
    await page.getByLabel('Search').fill('pod-0500');
    await vi.waitFor(async () => expect(await page.locator('h1').innerText()).toContain('100 of 100000'), LIMIT);
    host.answers.delete(pattern);
  });

  it('shows the past exactly: the table and the object as they were', async () => {
    const before = String(await env.engine.revision());
    await env.cluster.create(configMaps, { metadata: { namespace: NAMESPACE, name: 'short' } });
    const between = String(await env.engine.revision());
    await env.cluster.delete(configMaps, { namespace: NAMESPACE, name: 'short' });
    const tab = await opened(`#/objects/core/v1/configmaps?ns=shop&at=${between}`);
    const { page } = tab;
    await row(page, 'short').waitFor();
    await page.getByText('as it was').waitFor();
    await page.getByRole('button', { name: 'One version back' }).click();
    await row(page, 'short').waitFor({ state: 'detached' });
    expect(page.url()).toContain(`at=${before}`);
    // Changes of now do not reach the past.
    await env.cluster.create(configMaps, { metadata: { namespace: NAMESPACE, name: 'later' } });
    await page.getByRole('button', { name: 'One version forward' }).click();
    await row(page, 'short').waitFor();
    expect(await row(page, 'later').count()).toBe(0);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await row(page, 'later').waitFor();
    expect(await row(page, 'short').count()).toBe(0);
    await page.goto(`${host.url}#/object/core/v1/configmaps/shop/settings?at=${versions['green']}`);
    await page.getByText('green', { exact: true }).first().waitFor();
    expect(await page.locator('.yaml-box').innerText()).toMatch(/color:\s*green/u);
    tab.expectNoComplaints();
  });

  it('lists the versions of an object with who made them, and the difference of any two', async () => {
    const tab = await opened('#/object/core/v1/configmaps/shop/settings?tab=versions');
    const { page } = tab;
    const list = page.getByRole('region', { name: 'Versions' });
    await list.getByText(`${COLORS.length + 1} versions kept`).waitFor();
    expect(await list.getByText('painter').count()).toBe(COLORS.length);
    await page.getByLabel(`Compare from ${versions['blue']}`).check();
    await page.getByLabel(`Compare to ${versions['green']}`).check();
    const diff = page.getByRole('region', { name: `Difference from ${versions['blue']} to ${versions['green']}` });
    await diff.waitFor();
    expect((await diff.locator('.diff-removed').allInnerTexts()).map((line) => line.trim())).toEqual([
      '-   color: blue',
    ]);
    expect((await diff.locator('.diff-added').allInnerTexts()).map((line) => line.trim())).toEqual([
      '+   color: green',
      '+   green: bought',
      '+   red: bought',
    ]);
    tab.expectNoComplaints();
  });

  it('shows owners, owned objects, Events, field managers and conditions', async () => {
    const tab = await opened('#/object/apps/v1/deployments/shop/web?tab=tree');
    const { page } = tab;
    await page.getByRole('link', { name: 'web-6' }).waitFor();
    await page.getByRole('link', { name: 'web-1' }).click();
    await page.getByText('Ready: True').waitFor();
    await page.getByRole('tab', { name: 'Owners and owned' }).click();
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
    await page.goto(`${host.url}#/object/core/v1/configmaps/shop/settings?tab=events`);
    await page.getByText('The walls are purple now.').waitFor();
    await page.getByRole('tab', { name: 'Field managers' }).click();
    await page.getByText('data.purple').waitFor();
    tab.expectNoComplaints();
  });

  it('shows who did what to an object, by the audit log of the server', async () => {
    const asked: string[] = [];
    const ada = { auditId: '1', at: '2026-11-16T15:22:31.091588Z', user: 'ada', verb: 'patch', subresource: 'scale' };
    const entry = { ...ada, impersonated: 'bob', code: 403, userAgent: 'kubectl/v1.36', sourceIPs: ['10.0.0.9'] };
    const path = /^\/debug\/audit\?group=&resource=configmaps&namespace=shop&name=settings$/u;
    host.answers.set(path, async function* () {
      asked.push('audit');
      yield Buffer.from(`${JSON.stringify({ entries: [entry], isComplete: false })}\n`);
    });
    const tab = await opened('#/object/core/v1/configmaps/shop/settings');
    await tab.page.getByRole('tab', { name: 'Who did this' }).click();
    const region = tab.page.getByRole('region', { name: 'Who did this' });
    await region.getByText('ada as bob').waitFor();
    expect((await region.locator('tbody td').allInnerTexts()).slice(1)).toEqual([
      'ada as bob',
      'patch scale',
      '403',
      'kubectl/v1.36',
      '10.0.0.9',
    ]);
    await tab.page.getByText('Older requests are in the log of the server.').waitFor();
    expect(asked).toEqual(['audit']);
    host.answers.delete(path);
    tab.expectNoComplaints();
  });

  it('shows what a watch sends through a cut and a 410, and what the watcher makes of it', async () => {
    const tab = await opened('#/watch/core/v1/configmaps?ns=shop');
    const { page } = tab;
    await page.getByRole('button', { name: 'Open' }).click();
    const fact = (name: string): ReturnType<Page['locator']> => page.locator(`[data-fact="${name}"]`);
    await fact('State').getByText('watching').waitFor();
    await env.cluster.create(configMaps, { metadata: { namespace: NAMESPACE, name: 'framed' } });
    await page.locator('.frame-added', { hasText: 'shop/framed' }).click();
    await page.getByLabel('Bytes of the frame').getByText('"type": "ADDED"').waitFor();
    env.faults.cutWatches();
    await page.locator('.frame-end').first().waitFor();
    await vi.waitFor(
      async () => expect(Number(await fact('Watches opened').innerText())).toBeGreaterThanOrEqual(2),
      LIMIT,
    );
    expect(await fact('Lists').innerText()).toBe('1');
    const expired = env.faults.expire(String(await env.engine.revision()));
    env.faults.cutWatches();
    await page.locator('.frame-error', { hasText: '410' }).waitFor();
    await env.cluster.delete(configMaps, { namespace: NAMESPACE, name: 'framed' });
    expired.restore();
    await vi.waitFor(async () => expect(Number(await fact('Lists').innerText())).toBeGreaterThanOrEqual(2), LIMIT);
    await page.locator('.transitions', { hasText: 'relist' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const stream = await (await saved).createReadStream();
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    const { format, watches } = JSON.parse(text);
    expect(format).toBe('listwatch-recording/v1');
    const ends = watches.map(({ end }: { readonly end: string }) => end).join(' ');
    // The second cut can come before the server has the second watch, which then gets the 410 itself.
    expect(ends).toMatch(/^broken (?:broken )?clean open$/u);
    expect(watches[0].frames[0][1]).toContain('"name":"framed"');
  });

  it('edits after a dry run, and puts the edit on top of a change that came between', async () => {
    const tab = await opened('#/object/core/v1/configmaps/shop/settings');
    const { page } = tab;
    await page.getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('textbox', { name: 'YAML' });
    await editor.fill((await editor.inputValue()).replace('color: purple', 'color: white'));
    await page.getByRole('button', { name: 'Check' }).click();
    const would = page.getByRole('region', { name: 'What would change' });
    await would.getByText('+   color: white').waitFor();
    expect((await env.cluster.get(configMaps, settings)).data?.['color']).toBe('purple');
    await env.cluster.patch(
      configMaps,
      settings,
      { type: 'merge', body: { data: { floor: 'wood' } } },
      { fieldManager: 'carpenter' },
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/changed meanwhile, by carpenter/u).waitFor();
    await page.getByRole('button', { name: 'Put my change on top of it' }).click();
    await page.getByRole('button', { name: 'Check' }).click();
    await would.getByText('+   color: white').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { data } = await env.cluster.get(configMaps, settings);
    expect([data?.['color'], data?.['floor']]).toEqual(['white', 'wood']);
    await page.locator('.yaml-box').getByText('white').waitFor();
  });

  it('says what Kubernetes does not take of an edit without asking the server, which can be asked nevertheless', async () => {
    await using tab = await browser.open(`${host.url}#/object/core/v1/configmaps/shop/settings`);
    const { page } = tab;
    await page.getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('textbox', { name: 'YAML' });
    const text = await editor.inputValue();
    await editor.fill(text.replace(/^data:$/mu, 'data:\n  a/b: x'));
    const patches: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') patches.push(request.url());
    });
    await page.getByRole('button', { name: 'Check' }).click();
    const refusal = page.getByRole('alert');
    await refusal.getByText('data[a/b]: Invalid value: "a/b": a valid config key').waitFor();
    expect(patches).toEqual([]);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await tab.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Ask the server' }).click();
    await refusal.getByText('ConfigMap "settings" is invalid').waitFor();
    expect(patches).toHaveLength(1);
  });

  it('scales, and deletes after naming what goes with it', async () => {
    await openShop(env, 'kiosk');
    const tab = await opened('#/object/apps/v1/deployments/kiosk/web');
    const { page } = tab;
    await page.getByRole('button', { name: 'Scale' }).click();
    await page.getByLabel('Replicas').fill('5');
    await page.getByRole('dialog').getByRole('button', { name: 'Scale' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.yaml-line', { hasText: 'replicas: 5' }).first().waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('With it go 6 objects').waitFor();
    await dialog.getByText('web-6').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type the name to confirm').fill('web');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('deleted', { exact: true }).waitFor();
    await page.goto(`${host.url}#/object/core/v1/namespaces/-/kiosk`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.locator('li', { hasText: '1 Secret' }).waitFor();
    await page.keyboard.press('Escape');
    tab.expectNoComplaints();
  });

  it('offers no change where the page may only read', async () => {
    const { session } = host;
    host.session = session && { ...session, write: false };
    await using tab = await browser.open(`${host.url}#/object/core/v1/configmaps/shop/settings`);
    await tab.page.locator('.yaml-line').first().waitFor();
    expect(await tab.page.getByRole('button', { name: /Edit|Delete/u }).count()).toBe(0);
    host.session = session;
  });

  it('says that the server is away, and goes on when it is back', async () => {
    const tab = await opened('#/objects/core/v1/configmaps?ns=shop');
    const { page } = tab;
    await row(page, 'settings').waitFor();
    await host.goDown();
    await page.locator('[data-phase=degraded]').waitFor();
    await page.getByRole('alert').getByText('The server cannot be read').waitFor();
    await env.cluster.create(configMaps, { metadata: { namespace: NAMESPACE, name: 'meanwhile' } });
    await host.comeUp();
    await row(page, 'meanwhile').waitFor();
    await page.locator('[data-phase=live]').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('hides the values of Secrets until they are asked for, wherever they are shown', async () => {
    const tab = await opened('#/object/core/v1/secrets/shop/token');
    const { page } = tab;
    const secret = Buffer.from('hunter2').toString('base64');
    await page.getByText('hidden').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Show values' }).click();
    await page.getByText(secret).waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.locator('.diff-line').first().waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.goto(`${host.url}#/watch/core/v1/secrets?ns=shop&initial=1`);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('.frame-added').first().click();
    await page.getByRole('button', { name: 'Show values' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    tab.expectNoComplaints();
  });

  it('remembers what it has seen itself, where the server keeps no history', async () => {
    const { session } = host;
    host.session = session && { ...session, debug: false, mode: 'cluster', context: 'elsewhere' };
    await using tab = await browser.open(`${host.url}#/objects/core/v1/configmaps?ns=shop`);
    const { page } = tab;
    await page.getByText('since this page was opened').waitFor();
    await env.cluster.create(configMaps, { metadata: { namespace: NAMESPACE, name: 'seen' } });
    await row(page, 'seen').waitFor();
    const { metadata } = await env.cluster.get(configMaps, { namespace: NAMESPACE, name: 'seen' });
    await env.cluster.delete(configMaps, { namespace: NAMESPACE, name: 'seen' });
    await row(page, 'seen').waitFor({ state: 'detached' });
    // Now the cluster forgets.
    const expired = env.faults.expire(String(await env.engine.revision()));
    await page.getByRole('button', { name: 'One version back' }).click();
    await row(page, 'seen').waitFor();
    expect(page.url()).toContain(`at=${metadata.resourceVersion}`);
    expired.restore();
    host.session = session;
  });

  it('says that it needs a new link when the login has ended', async () => {
    const { session } = host;
    host.session = undefined;
    await using tab = await browser.open(host.url);
    await tab.page.getByRole('heading', { name: 'Not logged in' }).waitFor();
    host.session = session;
  });

  it('loads in at most 150 KB, and nothing from elsewhere', async () => {
    await using tab = await browser.open(`${host.url}#/overview`);
    await tab.page.locator('[data-well=true]').waitFor();
    const loaded = [...consoleAssets()].filter(([path]) => path === '/console/' || tab.requested.includes(path));
    expect(loaded.length).toBeGreaterThanOrEqual(3);
    expect(loaded.reduce((sum, [, { gzip }]) => sum + gzip.length, 0)).toBeLessThan(150_000);
    expect(tab.foreign).toEqual([]);
    tab.expectNoComplaints();
  });

  it('is usable in a narrow window', async () => {
    await using tab = await browser.open(`${host.url}#/objects/core/v1/pods?ns=shop`, {
      viewport: { width: 400, height: 700 },
    });
    const { page } = tab;
    await row(page, 'web-1').waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'ConfigMap' }).first().click();
    await row(page, 'settings').waitFor();
    expect(await tab.violations()).toEqual([]);
  });
});
