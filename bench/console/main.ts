/**
 * The bench of the console's page: `npm run bench:console`. How soon the page can be used; frames a second and memory of a tab
 * whose table of 100 000 rows changes 1000 times a second; and the CPU of a server with no, one and ten tabs open while objects
 * change.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, connect } from '@listwatch/client';
import { requireRealPart } from '@listwatch/conformance/parts';
import { configMaps, namespaces } from '@listwatch/kinds';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { startConsoleHost } from '../../apps/console/test/console-host.ts';
import { hugeTable } from '../../apps/console/test/huge-table.ts';
import { machine } from '../server/machine.ts';
import { cpuMicros } from '../server/process-facts.ts';
import { markdownTable, middle, record } from '../server/result.ts';
import { inScratch } from '../storage/scratch.ts';
import { type FirstRow, frameTimes, NOTE_FIRST_ROW } from './page-probes.ts';
import { type ServedConsole, startServedConsole } from './served-console.ts';

const ROWS = 100_000;
const CHANGES_PER_SECOND = 1000;
const SECONDS = 10;
const LOADS = 5;
const TABS = 10;
/** Changes a second while tabs are counted. */
const WRITES_PER_SECOND = 50;
const page = { name: 'page' };
const OBJECTS = '#/objects/core/v1/configmaps?ns=bench';

machine({ rounds: 1 });
const browser = await chromium.launch({
  executablePath: requireRealPart('Chromium'),
  args: ['--enable-precise-memory-info'],
});
await inScratch(async (folder) => {
  const server = await startServedConsole(folder, process.env['BENCH_PROFILE']);
  const cluster = await connect({ kubeconfig: server.kubeconfig });
  try {
    await cluster.create(namespaces, { metadata: { name: 'bench' } });
    for (let i = 0; i < 100; i += 1)
      await cluster.create(configMaps, { metadata: { namespace: 'bench', name: `c${i}` } });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const url = await logIn(context, server);
    if (isAsked('loads')) await measureLoads(context, url);
    if (isAsked('tabs')) await measureTabs(context, url, server, cluster);
    await context.close();
    if (isAsked('table')) await measureTable(cluster);
  } finally {
    await cluster.close();
    await server.stop();
  }
});
await browser.close();
console.error(markdownTable());

/** All parts, or those that are named: `npm run bench:console -- table`. */
function isAsked(part: 'loads' | 'table' | 'tabs'): boolean {
  const parts = process.argv.slice(2);
  return parts.length === 0 || parts.includes(part);
}

async function logIn(context: BrowserContext, { link }: ServedConsole): Promise<string> {
  const tab = await context.newPage();
  await tab.goto(link);
  await tab.locator('nav').first().waitFor({ timeout: 60_000 });
  await tab.close();
  return new URL('/console/', link).href;
}

/** From the navigation to the first row that the keyboard can open, with an empty cache and with a filled one. */
async function measureLoads(context: BrowserContext, url: string): Promise<void> {
  const times: Record<'cold' | 'warm', FirstRow[]> = { cold: [], warm: [] };
  for (let load = 0; load < LOADS; load += 1) {
    const tab = await context.newPage();
    await tab.addInitScript(NOTE_FIRST_ROW);
    const session = await context.newCDPSession(tab);
    await session.send('Network.clearBrowserCache');
    for (const cache of ['cold', 'warm'] as const) {
      await tab.goto('about:blank');
      await tab.goto(url + OBJECTS);
      times[cache].push(await tab.evaluate<FirstRow>('benchNoted'));
    }
    await tab.close();
  }
  for (const cache of ['cold', 'warm'] as const) {
    const chosen = middle(times[cache].map(({ chosenMs }) => chosenMs));
    record(page, { bench: `interactive, ${cache} cache`, value: chosen, unit: 'ms', goal: { atMost: 1000 } });
  }
}

async function measureTabs(
  context: BrowserContext,
  url: string,
  server: ServedConsole,
  cluster: Cluster,
): Promise<void> {
  const write = async (): Promise<void> => {
    for (let sent = 0; sent < WRITES_PER_SECOND * SECONDS; sent += 1) {
      const patch = { type: 'merge', body: { data: { sent: String(sent) } } } as const;
      await cluster.patch(configMaps, { namespace: 'bench', name: `c${sent % 100}` }, patch);
      await sleep(1000 / WRITES_PER_SECOND);
    }
  };
  // The first writes compile the server's code.
  await write();
  for (const tabs of [0, 1, TABS]) {
    const opened = await Promise.all(Array.from({ length: tabs }, () => openTab(context, url + OBJECTS)));
    const before = cpuMicros(server.pid);
    await write();
    const micros = (cpuMicros(server.pid) - before) / (WRITES_PER_SECOND * SECONDS);
    record(server, { bench: `CPU a change with ${tabs} tabs open`, value: micros, unit: 'µs' });
    for (const tab of opened) await tab.close();
  }
}

async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(url);
  await tab.locator('[data-phase=live]').waitFor({ timeout: 60_000 });
  return tab;
}

/** The rows are made by this process, so that the page is the only thing that can be slow. */
async function measureTable(cluster: Cluster): Promise<void> {
  const host = await startConsoleHost(cluster);
  host.answers.set(/^\/api\/v1\/namespaces\/huge\/pods/u, () => hugeTable(ROWS, CHANGES_PER_SECOND));
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const tab = await context.newPage();
  await tab.addInitScript(NOTE_FIRST_ROW);
  const profiler = await profiled(tab);
  await tab.goto(`${host.url}#/objects/core/v1/pods?ns=huge`);
  const { rowMs } = await tab.evaluate<FirstRow>('benchNoted');
  record(page, { bench: `until the first of ${ROWS} rows is shown`, value: rowMs, unit: 'ms', goal: { atMost: 1000 } });
  await tab.locator('[data-phase=live]').waitFor({ timeout: 60_000 });
  await tab.getByText(String(ROWS), { exact: true }).waitFor({ timeout: 60_000 });
  const loaded = await tab.evaluate<number>('performance.now()');
  record(page, { bench: `until all ${ROWS} rows are shown`, value: loaded / 1000, unit: 's' });
  await profiler?.('load');
  const frames = await tab.evaluate<readonly number[]>(frameTimes(SECONDS));
  await profiler?.('changes');
  const gaps = frames.slice(1).map((time, index) => time - (frames[index] ?? 0));
  record(page, { bench: 'frames a second', value: gaps.length / SECONDS, unit: '1/s', goal: { atLeast: 30 } });
  record(page, { bench: 'longest frame', value: Math.max(...gaps), unit: 'ms', goal: { atMost: 50 } });
  const late = gaps.filter((gap) => gap > 50).length;
  record(page, { bench: 'frames above 50 ms', value: late, unit: 'of all', frames: gaps.length });
  const session = await context.newCDPSession(tab);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  record(page, { bench: 'heap of the tab', value: heap / 2 ** 20, unit: 'MiB' });
  await context.close();
  await host.close();
}

/** With `BENCH_PROFILE=folder`: writes what the page has done since the last call as a `.cpuprofile`. */
async function profiled(tab: Page): Promise<((name: string) => Promise<void>) | undefined> {
  const folder = process.env['BENCH_PROFILE'];
  if (folder === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  const { writeFileSync } = await import('node:fs');
  const session = await tab.context().newCDPSession(tab);
  await session.send('Profiler.enable');
  await session.send('Profiler.start');
  return async (name) => {
    const { profile } = await session.send('Profiler.stop');
    writeFileSync(join(folder, `page-${name}.cpuprofile`), JSON.stringify(profile));
    await session.send('Profiler.start');
  };
}
