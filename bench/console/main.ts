/**
 * The bench of the console's page: `npm run bench:console`. Frames a second and memory of a tab whose table of 100 000 rows
 * changes 1000 times a second, and the CPU of a server with no, one and ten tabs open while objects change.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@listwatch/client';
import { requireRealPart } from '@listwatch/conformance/parts';
import { configMaps, namespaces } from '@listwatch/kinds';
import { type Browser, chromium } from 'playwright-core';
import { startConsoleHost } from '../../apps/console/test/console-host.ts';
import { hugeTable } from '../../apps/console/test/huge-table.ts';
import { machine } from '../server/machine.ts';
import { startOwnServer } from '../server/own-server.ts';
import { cpuMicros } from '../server/process-facts.ts';
import { markdownTable, record } from '../server/result.ts';
import { inScratch } from '../storage/scratch.ts';

const ROWS = 100_000;
const CHANGES_PER_SECOND = 1000;
const SECONDS = 10;
const TABS = 10;
/** Changes a second while tabs are counted. */
const WRITES_PER_SECOND = 50;
const page = { name: 'page' };

/** The times of all frames of ten seconds. A text, because the loader puts helpers into functions that a page does not have. */
const FRAME_TIMES = `new Promise((resolve) => {
  const times = [];
  const next = (time) => {
    times.push(time);
    if (time - times[0] < ${SECONDS * 1000}) requestAnimationFrame(next);
    else resolve(times);
  };
  requestAnimationFrame(next);
})`;

machine({ rounds: 1 });
const browser = await chromium.launch({
  executablePath: requireRealPart('Chromium'),
  args: ['--enable-precise-memory-info'],
});
await inScratch(async (folder) => {
  const server = await startOwnServer({ folder, storage: 'memory' });
  const cluster = await connect({ server: server.url, token: server.token, insecureSkipTlsVerify: true });
  const host = await startConsoleHost(cluster);
  try {
    host.answers.set(/^\/api\/v1\/namespaces\/huge\/pods/u, () => hugeTable(ROWS, CHANGES_PER_SECOND));
    await measureTable(browser, host.url);
    await cluster.create(namespaces, { metadata: { name: 'bench' } });
    for (let i = 0; i < 100; i += 1)
      await cluster.create(configMaps, { metadata: { namespace: 'bench', name: `c${i}` } });
    const write = async (): Promise<void> => {
      for (let sent = 0; sent < WRITES_PER_SECOND * SECONDS; sent += 1) {
        const patch = { type: 'merge', body: { data: { sent: String(sent) } } } as const;
        await cluster.patch(configMaps, { namespace: 'bench', name: `c${sent % 100}` }, patch);
        await sleep(1000 / WRITES_PER_SECOND);
      }
    };
    for (const tabs of [0, 1, TABS]) {
      const opened = await Promise.all(
        Array.from({ length: tabs }, () => openTab(browser, `${host.url}#/objects/core/v1/configmaps?ns=bench`)),
      );
      const before = cpuMicros(server.pid);
      await write();
      const micros = (cpuMicros(server.pid) - before) / (WRITES_PER_SECOND * SECONDS);
      record(server, { bench: `CPU a change with ${tabs} tabs open`, value: micros, unit: 'µs' });
      for (const tab of opened) await tab.close();
    }
  } finally {
    await host.close();
    await cluster.close();
    await server.stop();
  }
});
await browser.close();
console.error(markdownTable());

async function openTab(from: Browser, url: string): Promise<Awaited<ReturnType<Browser['newPage']>>> {
  const tab = await from.newPage({ viewport: { width: 1280, height: 800 } });
  await tab.goto(url);
  await tab.locator('[data-phase=live]').waitFor({ timeout: 60_000 });
  return tab;
}

async function measureTable(from: Browser, url: string): Promise<void> {
  const started = performance.now();
  const tab = await openTab(from, `${url}#/objects/core/v1/pods?ns=huge`);
  record(page, { bench: `until ${ROWS} rows are shown`, value: (performance.now() - started) / 1000, unit: 's' });
  const frames = await tab.evaluate<readonly number[]>(FRAME_TIMES);
  const gaps = frames.slice(1).map((time, index) => time - (frames[index] ?? 0));
  record(page, { bench: 'frames a second', value: gaps.length / SECONDS, unit: '1/s', goal: { atLeast: 30 } });
  record(page, { bench: 'longest frame', value: Math.max(...gaps), unit: 'ms' });
  const session = await tab.context().newCDPSession(tab);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  record(page, { bench: 'heap of the tab', value: heap / 2 ** 20, unit: 'MiB' });
  await tab.close();
}
