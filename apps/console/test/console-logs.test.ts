import { readFile } from 'node:fs/promises';
import { needs } from '@listwatch/conformance/parts';
import { namespaces, pods } from '@listwatch/kinds';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage, isPageCurrent } from '../build-page.mjs';
import { type ConsoleHost, startConsoleHost } from './console-host.ts';
import { FakeKubelet } from './fake-kubelet.ts';
import { type OpenedPage, openBrowser, type PageOpener } from './open-page.ts';

/** As much of the browser as the functions use that are evaluated in the page. */
declare const document: { querySelectorAll(selector: string): { readonly length: number } };

const LIMIT = 20_000;
const WEB = 'logger/web';
const HTML = '<img src=x onerror="globalThis.attacked=1">';
const target = { namespace: 'talk', name: 'logger' };

function numbered(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => `line ${from + index}`);
}

describe('the logs of a Pod', needs('Chromium'), () => {
  let env: TestEnvironment;
  let host: ConsoleHost;
  let browser: PageOpener;
  let tab: OpenedPage;
  let page: Page;
  const kubelet = new FakeKubelet();

  beforeAll(async () => {
    if (!isPageCurrent()) await buildPage();
    [env, browser] = await Promise.all([startTestServer(), openBrowser()]);
    await env.cluster.create(namespaces, { metadata: { name: 'talk' } });
    for (const name of ['logger', 'silent']) {
      await env.apply(
        `
apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  nodeName: node-1
  initContainers: [{ name: setup, image: a }]
  containers: [{ name: web, image: a }, { name: proxy, image: a }]
status: { phase: Running }
`,
        { namespace: 'talk' },
      );
    }
    await setRuns('c://1', 0);
    host = await startConsoleHost(env.cluster);
    host.kubelet = kubelet;
    kubelet.write(WEB, ...numbered(0, 3000));
    tab = await browser.open(`${host.url}#/objects/core/v1/pods?ns=talk`);
    ({ page } = tab);
  });

  afterAll(async () => {
    await browser?.close();
    await host?.close();
    await env?.close();
  });

  async function setRuns(containerID: string, restartCount: number, setup: object = { running: {} }): Promise<void> {
    const common = { image: 'a', imageID: 'a', ready: true };
    const status = {
      containerStatuses: [{ ...common, name: 'web', containerID, restartCount, state: { running: {} } }],
      initContainerStatuses: [{ ...common, name: 'setup', restartCount: 0, state: setup }],
    };
    await env.cluster.patch(pods, target, { type: 'merge', body: { status } }, { subresource: 'status' });
  }

  const box = (): ReturnType<Page['locator']> => page.locator('.log-box');
  const line = (text: string): ReturnType<Page['locator']> =>
    page.locator('.log-line').getByText(text, { exact: true });
  const says = (text: RegExp): Promise<void> => page.locator('.log-status').getByText(text).waitFor();

  async function downloaded(): Promise<readonly string[]> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('logger-web.log');
    return (await readFile(await file.path(), 'utf8')).split('\n').slice(0, -1);
  }

  it('are opened by a key, begin with the last 500 lines, and go on live', async () => {
    await page.locator('.grid-row').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    await line('line 2999').waitFor();
    expect(page.url()).toContain('/pods/talk/logger?tab=logs');
    await says(/^500 lines/u);
    kubelet.write(WEB, 'line 3000');
    await line('line 3000').waitFor();
    expect(await downloaded()).toEqual(numbered(2500, 3001));
  });

  it('go on after a cut without a line twice, missing or half', async () => {
    kubelet.half = '2026-11-16T09:00:00.000000001Z line 30';
    kubelet.cut();
    await page.locator('.log [data-phase=broken]').waitFor();
    await says(/cut off.*Trying again/u);
    kubelet.half = '';
    kubelet.write(WEB, ...numbered(3001, 3003));
    await line('line 3002').waitFor();
    await page.locator('.log [data-phase=live]').waitFor();
    expect(await downloaded()).toEqual(numbered(2500, 3003));
    expect(await page.locator('.log-notice').count()).toBe(0);
    // The browser says that an answer was cut off.
    tab.forgetComplaints();
  });

  it('stay where they are read while lines come, until the end is asked for; earlier lines come before them', async () => {
    expect(await box().getAttribute('data-following')).toBe('true');
    await box().hover();
    await page.mouse.wheel(0, -3000);
    const end = page.getByRole('button', { name: 'Go to the end' });
    await end.waitFor();
    const top = (): Promise<string> =>
      page.evaluate<string>(
        `(() => { const box = document.querySelector('.log-box').getBoundingClientRect(); return document.elementFromPoint(box.left + 20, box.top + 15).textContent; })()`,
      );
    const read = await top();
    expect(read).toMatch(/^line 2[89]/u);
    kubelet.write(WEB, ...numbered(3003, 3100));
    await says(/^600 lines/u);
    expect(await top()).toBe(read);
    await page.getByRole('button', { name: 'Earlier lines' }).click();
    await says(/^2600 lines/u);
    expect(await top()).toBe(read);
    expect(page.url()).toContain('tail=2600');
    await end.click();
    await line('line 3099').waitFor();
    await end.waitFor({ state: 'detached' });
    kubelet.write(WEB, 'line 3100');
    await line('line 3100').waitFor();
    expect(await downloaded()).toEqual(numbered(500, 3101));
  });

  it('show colors, but no markup and nothing that turns text around; lines that are long wrap', async () => {
    const long = 'x'.repeat(100_000);
    kubelet.write(WEB, HTML, '\u001b[31mred\u001b[0m', 'abc\u202egnp\u0000', long, '\u001b[2Jlast');
    await line('last').waitFor();
    await line(HTML).waitFor();
    expect(await page.locator('.log-line .ansi-red').innerText()).toBe('red');
    await line('abc\\u202egnp␀').waitFor();
    await page.getByLabel('Wrap').check();
    await vi.waitFor(async () => {
      const isWider = "document.querySelector('.log-box').scrollWidth > document.querySelector('.log-box').clientWidth";
      expect(await page.evaluate(isWider)).toBe(false);
    }, LIMIT);
    await line('last').waitFor();
    expect(await box().getAttribute('data-following')).toBe('true');
    await page.getByLabel('Wrap').uncheck();
    expect(await page.evaluate(() => 'attacked' in globalThis)).toBe(false);
    expect((await downloaded()).at(-2)).toBe(long);
  });

  it('are filtered by a text; the address has it', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('LINE 77');
    await says(/^10 of 2606 lines/u);
    expect(await page.locator('.log-line mark').first().innerText()).toBe('line 77');
    kubelet.write(WEB, 'line 77 again', 'another');
    await says(/^11 of 2608 lines/u);
    await page.getByLabel('Times').check();
    await page.reload();
    await says(/^11 of 2600 lines/u);
    expect(await page.locator('.log-line').first().innerText()).toMatch(/^2026-11-16T08:\S+Z line 770$/u);
    await page.getByLabel('Filter lines').fill('nothing of it');
    await page.getByText('No line has this text.').waitFor();
    await page.getByLabel('Filter lines').fill('');
    await page.getByLabel('Times').uncheck();
  });

  it('say when the container was started again, and show the run before', async () => {
    kubelet.write(WEB, 'last words');
    await line('last words').waitFor();
    kubelet.logs.set(`${WEB}/previous`, kubelet.logs.get(WEB) ?? []);
    kubelet.end();
    kubelet.logs.delete(WEB);
    kubelet.write(WEB, 'first words');
    await setRuns('c://2', 1);
    await line('first words').waitFor();
    await line('The container was started again.').waitFor();
    await page.getByLabel('Previous run').check();
    await line('last words').waitFor();
    await says(/whole log of the run before/u);
    expect(page.url()).toContain('previous=1');
    await page.getByLabel('Previous run').uncheck();
    await line('first words').waitFor();
  });

  it('of a container that has not started say so, and begin when it has', async () => {
    const setup = 'logger/setup';
    kubelet.waiting.set(setup, 'container "setup" in pod "logger" is waiting to start: PodInitializing');
    await setRuns('c://2', 1, { waiting: { reason: 'PodInitializing' } });
    await page.getByLabel('Container').selectOption('setup');
    await page.getByText('The container has not started yet').waitFor();
    kubelet.waiting.delete(setup);
    kubelet.write(setup, 'ready');
    await setRuns('c://2', 1);
    await line('ready').waitFor();
    expect(page.url()).toContain('container=setup');
  });

  it('are kept up to 20 000 lines, with few of them in the document', async () => {
    await page.getByLabel('Container').selectOption('web');
    await line('first words').waitFor();
    kubelet.write(WEB, ...numbered(0, 25_000));
    await says(/^20000 lines; the oldest \d+ were dropped/u);
    await line('line 24999').waitFor();
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1000);
  });

  it('are one stream at a time, which ends with the tab', async () => {
    await vi.waitFor(() => expect(kubelet.streams.size).toBe(1), LIMIT);
    await page.keyboard.press('y');
    await page.locator('.yaml-line').first().waitFor();
    await vi.waitFor(() => expect(kubelet.streams.size).toBe(0), LIMIT);
    await page.keyboard.press('l');
    await line('line 24999').waitFor();
    await page.goto(`${host.url}#/overview`);
    await vi.waitFor(() => expect(kubelet.streams.size).toBe(0), LIMIT);
    tab.expectNoComplaints();
  });

  it('are not read while nobody looks at the page, and go on when somebody does', async () => {
    await using other = await browser.open(`${host.url}#/object/core/v1/pods/talk/logger?tab=logs`);
    const shown = (text: string): Promise<void> =>
      other.page.locator('.log-line').getByText(text, { exact: true }).waitFor();
    const look = (state: string): Promise<unknown> =>
      other.page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
         document.dispatchEvent(new Event('visibilitychange'));`,
      );
    await shown('line 24999');
    await other.page.clock.install();
    await look('hidden');
    await other.page.clock.fastForward(11_000);
    await vi.waitFor(() => expect(kubelet.streams.size).toBe(0), LIMIT);
    await other.page.locator('.log [data-phase=asleep]').waitFor();
    kubelet.write(WEB, 'meanwhile');
    await look('visible');
    await shown('meanwhile');
    await other.page.locator('.log-status').getByText('501 lines', { exact: true }).waitFor();
  });

  it('of a deleted Pod stay, and the page says that it is gone', async () => {
    await page.goto(`${host.url}#/object/core/v1/pods/talk/logger?tab=logs`);
    await line('meanwhile').waitFor();
    await env.cluster.delete(pods, target, { gracePeriodSeconds: 0 });
    kubelet.logs.clear();
    kubelet.end();
    await says(/The Pod was deleted/u);
    await line('meanwhile').waitFor();
  });

  it('of a server without kubelets are explained', async () => {
    const { session } = host;
    host.session = session && { ...session, mode: 'server' };
    await using other = await browser.open(`${host.url}#/object/core/v1/pods/talk/silent?tab=logs`);
    await other.page.getByText('This server has no kubelets').waitFor();
    host.session = session;
  });
});
