/**
 * Serves the page in front of a small shop that changes every second, to look at while working on it:
 *
 *     npm run -s example apps/console/test/serve-page.ts
 */

import { configMaps } from '@listwatch/kinds';
import { startTestServer } from '@listwatch/testing';
import { buildPage, isPageCurrent } from '../build-page.mjs';
import { startConsoleHost } from './console-host.ts';
import { openShop } from './shop.ts';

if (!isPageCurrent()) await buildPage();
const env = await startTestServer();
const oldest = await env.engine.revision();
await openShop(env);
const host = await startConsoleHost(env.cluster, { engine: env.engine, oldest });
process.stdout.write(`${host.url}\n`);
let number = 0;
setInterval(() => {
  number += 1;
  const patch = { type: 'merge', body: { data: { tick: String(number) } } } as const;
  void env.cluster.patch(configMaps, { namespace: 'shop', name: 'settings' }, patch);
}, 1000);
