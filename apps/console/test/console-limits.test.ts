import { needs } from '@listwatch/conformance/parts';
import { configMaps, namespaces } from '@listwatch/kinds';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage, isPageCurrent } from '../build-page.mjs';
import { type ConsoleHost, startConsoleHost } from './console-host.ts';
import { type OpenedPage, openBrowser, type PageOpener } from './open-page.ts';

/** As much of the browser as the functions use that are evaluated in the page. */
declare const document: { querySelectorAll(selector: string): { readonly length: number } };

const LIMIT = 20_000;
const HTML = '<img src=x onerror="globalThis.attacked=1"><script>globalThis.attacked=1</script>';
const MEBIBYTE = 'x'.repeat(900_000);
const TURNED = 'abc\u202egnp.exe';
const HUNDRED_VERSIONS = 120;

function column(name: string, type: string, jsonPath: string): object {
  return { name, type, jsonPath };
}

describe('the console and objects that are made to harm it', needs('Chromium'), () => {
  let env: TestEnvironment;
  let host: ConsoleHost;
  let browser: PageOpener;
  let tab: OpenedPage;

  beforeAll(async () => {
    if (!isPageCurrent()) await buildPage();
    [env, browser] = await Promise.all([startTestServer(), openBrowser()]);
    const oldest = await env.engine.revision();
    await env.cluster.create(namespaces, { metadata: { name: 'hostile' } });
    // A history that seems longer than what is watched: older versions are then read in pages.
    const engine = { revision: async () => (await env.engine.revision()) + 20_000n };
    host = await startConsoleHost(env.cluster, { engine, oldest });
    tab = await browser.open(host.url);
  });

  afterAll(async () => {
    await browser?.close();
    await host?.close();
    await env?.close();
  });

  async function show(fragment: string): Promise<OpenedPage['page']> {
    const { page } = tab;
    await page.goto(`${host.url}#/watch`);
    await page.getByRole('heading', { name: 'Watch inspector' }).waitFor();
    await page.goto(`${host.url}${fragment}`);
    return page;
  }

  async function expectUnharmed(): Promise<void> {
    expect(await tab.page.evaluate(() => 'attacked' in globalThis)).toBe(false);
    expect(await tab.page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000);
    tab.expectNoComplaints();
  }

  it('shows markup, huge values and 10 000 labels as text, and stays small', async () => {
    const labels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`label-${index}`, 'x']));
    await env.cluster.create(
      configMaps,
      {
        metadata: { namespace: 'hostile', name: 'markup', labels, annotations: { note: HTML } },
        data: { html: HTML, huge: MEBIBYTE, turned: TURNED, lines: 'line\n'.repeat(20_000) },
      },
      { fieldManager: '<b>manager</b>' },
    );
    const page = await show('#/object/core/v1/configmaps/hostile/markup');
    await page.getByText('and 9970 more labels').waitFor();
    await page.getByRole('button', { name: 'Fold', exact: true }).click();
    await page.getByLabel('Unfold data').click();
    await page.getByText('more characters)').first().waitFor();
    await page.locator('.yaml-line', { hasText: 'onerror' }).first().waitFor();
    // What turns the direction of text is written out.
    await page.locator('.yaml-line', { hasText: '\\u202e' }).waitFor();
    await expectUnharmed();
    await page.getByRole('tab', { name: 'Field managers' }).click();
    await page.getByText('<b>manager</b>').waitFor();
    await page.goto(`${host.url}#/objects/core/v1/configmaps?ns=hostile&search=label-9999`);
    await page.locator('.grid-row').waitFor();
    await expectUnharmed();
    await page.goto(`${host.url}#/watch/core/v1/configmaps?ns=hostile&initial=1`);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('.frame-added').first().click();
    await page.getByLabel('Bytes of the frame').getByText('more characters)').waitFor();
    await expectUnharmed();
  });

  it('shows the columns of a CRD whatever they are, and cells that are objects', async () => {
    await env.installCrds({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'oddities.hostile.example.com' },
      spec: {
        group: 'hostile.example.com',
        names: { plural: 'oddities', kind: 'Oddity' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
              },
            },
            additionalPrinterColumns: [
              column('Same', 'string', '.spec.html'),
              column('Same', 'string', '.spec.turned'),
              column('Name', 'string', '.spec.other'),
              column('__proto__', 'string', '.spec.object'),
              column('Backup', 'date', '.spec.backup'),
              column('<b>Bold</b>', 'string', '.spec.huge'),
            ],
          },
        ],
      },
    });
    let deep: unknown = 'bottom';
    for (let depth = 0; depth < 300; depth += 1) deep = depth % 2 === 0 ? { deeper: deep } : [deep];
    const spec = {
      html: HTML,
      turned: TURNED,
      other: 'other',
      object: { a: [1] },
      backup: '2020-01-01T00:00:00Z',
      deep,
    };
    const oddities = {
      group: 'hostile.example.com',
      version: 'v1',
      plural: 'oddities',
      kind: 'Oddity',
      namespaced: true,
    };
    const odd = { metadata: { namespace: 'hostile', name: 'odd' }, spec: { ...spec, huge: 'y'.repeat(100_000) } };
    await env.cluster.create(oddities, odd);
    const page = await show('#/objects/hostile.example.com/v1/oddities?ns=hostile');
    const row = page.locator('.grid-row');
    await row.getByRole('link', { name: 'odd', exact: true }).waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Name',
      'Same',
      'Same',
      'Name',
      '__proto__',
      'Backup',
      '<b>Bold</b>',
    ]);
    const cells = await row.getByRole('gridcell').allInnerTexts();
    expect(cells[1]).toContain('<img src=x');
    expect(cells[3]).toBe('other');
    expect(cells[4]).toContain('a');
    // A date that is not the age of the object is shown as the server sends it.
    expect(cells[5]).toMatch(/^\d+[dy]/u);
    expect(cells[6]?.length).toBeLessThan(600);
    for (const name of ['__proto__', '<b>Bold</b>']) await page.getByRole('button', { name, exact: true }).click();
    await row.getByRole('link', { name: 'odd', exact: true }).click();
    await page.getByText('deeper').first().waitFor();
    await expectUnharmed();
  });

  it('reads the versions of an object in pages, and no more than it shows', async () => {
    const target = { namespace: 'hostile', name: 'busy' };
    await env.cluster.create(configMaps, { metadata: target, data: { count: '0' } });
    for (let n = 1; n < HUNDRED_VERSIONS; n += 1)
      await env.cluster.patch(configMaps, target, { type: 'merge', body: { data: { count: String(n) } } });
    // The history that the page is told of grows once more, so that its watch begins behind all versions.
    const page = await show('#/overview');
    await page.locator('[data-well=true]').waitFor();
    host.requests.splice(0);
    await page.goto(`${host.url}#/object/core/v1/configmaps/hostile/busy`);
    await page.locator('.yaml-line').first().waitFor();
    // Nobody has asked for versions: the history is not read.
    expect(host.requests.filter((path) => path.includes('Exact'))).toEqual([]);
    await page.getByRole('tab', { name: 'Versions' }).click();
    const list = page.getByRole('region', { name: 'Versions' });
    await list.getByText(/^1 version of more/u).waitFor();
    const older = list.getByRole('button', { name: 'Show older versions' });
    const reads = (): number => host.requests.filter((path) => path.includes('resourceVersionMatch=Exact')).length;
    for (const [versions, requests] of [
      [51, 51],
      [101, 101],
    ] as const) {
      await older.click();
      await list.getByText(new RegExp(`^${versions} versions of more`, 'u')).waitFor();
      expect(reads()).toBe(requests);
    }
    await older.click();
    await list.getByText(new RegExp(`^${HUNDRED_VERSIONS} versions kept`, 'u')).waitFor();
    await list.locator('tr', { hasText: 'created' }).waitFor();
    expect(await older.count()).toBe(0);
    // New versions still arrive.
    await env.cluster.patch(configMaps, target, { type: 'merge', body: { data: { count: 'new' } } });
    await vi.waitFor(
      async () => expect(await list.innerText()).toContain(`${HUNDRED_VERSIONS + 1} versions kept`),
      LIMIT,
    );
    await page.locator('.diff-added', { hasText: 'count: new' }).waitFor();
  });
});
