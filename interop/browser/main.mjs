// The scenario in Chromium: the page does all requests; this program opens it and hands the commands on.

import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { answerCommands } from '../protocol.mjs';

const { INTEROP_SERVER, INTEROP_TOKEN, INTEROP_NAMESPACE, CHROMIUM_BIN = '/usr/bin/chromium' } = process.env;
const script = readFileSync(new URL('page.js', import.meta.url), 'utf8');

const browser = await chromium.launch({ executablePath: CHROMIUM_BIN });
const page = await browser.newPage({ ignoreHTTPSErrors: true });
page.on('pageerror', (error) => console.error(String(error)));

/** The server sends no CORS headers, as kube-apiserver by default: the page is a document of the server's own origin. */
const hash = new URLSearchParams({ token: INTEROP_TOKEN, namespace: INTEROP_NAMESPACE }).toString();
await page.goto(`${INTEROP_SERVER}/livez#${hash}`);
await page.addScriptTag({ content: script });

const call = (name, ...args) => page.evaluate(([method, given]) => globalThis.interop[method](...given), [name, args]);
const lines = (entries) => entries.map(([key, version]) => `= ${key} ${version}`);

async function listPages(limit) {
  const entries = [];
  let next;
  do {
    const part = await call('list', { limit, continue: next });
    entries.push(...part.entries);
    next = part.metadata.continue;
  } while (next);
  return entries;
}

await answerCommands({
  hello: () => [`version Chromium ${browser.version()}`, 'view fetch', 'view websocket'],

  async discover() {
    const { groups } = await call('getJson', '/apis');
    const versions = ['v1', ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))];
    const found = [];
    for (const version of versions) {
      const { resources } = await call('getJson', version === 'v1' ? '/api/v1' : `/apis/${version}`);
      for (const { name, kind } of resources) if (!name.includes('/')) found.push(`= ${version}/${name} ${kind}`);
    }
    return found;
  },

  async list(kind, value) {
    if (kind === 'paged') return lines(await listPages(value));
    const exact = { resourceVersion: value, resourceVersionMatch: 'Exact' };
    const values = { all: {}, selected: { labelSelector: value }, exact }[kind];
    return lines((await call('list', values)).entries);
  },

  async bookmark(resourceVersion) {
    const values = { resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 4 };
    const found = await Promise.all(['fetch', 'websocket'].map((over) => call('read', over, values, 'bookmark')));
    const [first, second] = found.map(({ bookmark }) => bookmark);
    if (first === undefined || second === undefined) throw new Error(`over fetch ${first}, over WebSocket ${second}`);
    // Objects change meanwhile: both must be new enough.
    return [`= bookmark ${BigInt(first) < BigInt(second) ? first : second}`];
  },

  async 'watch-list'(selector) {
    const labelSelector = selector === 'all' ? undefined : selector;
    const initial = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
    const values = { ...initial, labelSelector, timeoutSeconds: 30 };
    const found = await Promise.all(['fetch', 'websocket'].map((over) => call('read', over, values)));
    if (found.some(({ bookmark }) => bookmark === undefined)) throw new Error('a watch ended without the end marker');
    const [first, second] = found.map(({ entries }) => lines(entries));
    if (first.toString() !== second.toString()) throw new Error('fetch and WebSocket do not show the same objects');
    return first;
  },

  start: (selector) => call('start', selector).then(() => []),

  dump: async (view, scope) => lines(await call('dump', view, scope)),

  async expired(resourceVersion) {
    const values = { resourceVersion, timeoutSeconds: 5 };
    for (const over of ['fetch', 'websocket']) {
      const { code } = await call('read', over, values);
      if (code !== 410) throw new Error(`no 410 over ${over} but ${code}`);
    }
  },

  end: () => browser.close(),
});
