/** The page of the test: an informer over fetch, or with its watch over WebSocket, that shows what it has. */

import { resource } from '@listwatch/api';
import { type BrowserServerOptions, connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';

// As much of the browser as is used: its types and those of Node do not live well in one program.
declare const document: { getElementById(id: string): { textContent: string } | null };
declare const location: { readonly origin: string; readonly hash: string };

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

function show(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element !== null) element.textContent = text;
}

const wanted = new URLSearchParams(location.hash.slice(1));
const options: BrowserServerOptions = {
  server: location.origin,
  token: wanted.get('token') ?? '',
  watchOver: wanted.get('watchOver') === 'websocket' ? 'websocket' : 'fetch',
};
const cluster = await connect(options);
const shown = informer(cluster, configMaps, {
  namespace: wanted.get('namespace') ?? '',
  labelSelector: wanted.get('labelSelector') ?? undefined,
  backoff: { initialMs: 10, maxMs: 200 },
});

async function showPhases(): Promise<void> {
  for await (const { phase, error } of shown.statuses()) {
    show('phase', phase);
    show('error', String(error ?? ''));
  }
}

async function showObjects(): Promise<void> {
  for await (const _ of shown.changes()) {
    const names = shown.store.list().map(({ metadata }) => metadata.name);
    show('count', String(shown.store.size));
    show('names', names.toSorted().join(' '));
  }
}

await Promise.all([showPhases(), showObjects()]);
