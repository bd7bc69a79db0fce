// The scenario with @kubernetes/client-node: `node main.mjs MODULE`, where the module is the name under which it is installed.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { answerCommands, objectLines } from '../protocol.mjs';

const [, , moduleName = '@kubernetes/client-node'] = process.argv;
const { ApisApi, CoreV1Api, CustomObjectsApi, KubeConfig, makeInformer, Watch } = await import(moduleName);
const namespace = process.env.INTEROP_NAMESPACE;
const path = `/api/v1/namespaces/${namespace}/configmaps`;
const RESTART_MS = 500;

const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);
const informers = new Map();

function versionOf() {
  const entry = createRequire(import.meta.url).resolve(moduleName);
  const folder = entry.slice(0, entry.lastIndexOf('/dist/'));
  return JSON.parse(readFileSync(join(dirname(`${folder}/x`), 'package.json'), 'utf8')).version;
}

async function list(kind, value) {
  if (kind === 'selected') return (await api.listNamespacedConfigMap({ namespace, labelSelector: value })).items;
  if (kind === 'exact') {
    const exact = { resourceVersion: value, resourceVersionMatch: 'Exact' };
    return (await api.listNamespacedConfigMap({ namespace, ...exact })).items;
  }
  const items = [];
  let next;
  do {
    const page = await api.listNamespacedConfigMap({ namespace, limit: Number(value) || undefined, _continue: next });
    items.push(...page.items);
    // oxlint-disable-next-line no-underscore-dangle -- the name that the client gives to `continue`
    next = page.metadata._continue;
  } while (next);
  return items;
}

/** One watch up to its end, or until `onEvent` returns true; an ERROR event and a refusal are what `done` gets. */
async function watchOnce(query, onEvent) {
  const ended = Promise.withResolvers?.() ?? deferred();
  const controller = await new Watch(config).watch(
    path,
    query,
    (type, object) => {
      if (onEvent(type, object)) ended.resolve();
    },
    (error) => (error ? ended.reject(error) : ended.resolve()),
  );
  try {
    await ended.promise;
  } finally {
    controller.abort();
  }
}

function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

/** An informer as the client's README has it: it stops at an error, and the handler starts it again. */
async function startInformer(selector) {
  const listFn = () => api.listNamespacedConfigMap({ namespace, labelSelector: selector });
  const informer = makeInformer(config, path, listFn, selector);
  informer.on('error', (error) => {
    console.error(String(error));
    const start = () => informer.start().catch(() => setTimeout(start, RESTART_MS));
    setTimeout(start, RESTART_MS);
  });
  await informer.start();
  return informer;
}

await answerCommands({
  hello: () => [`version ${versionOf()} on Node ${process.versions.node}`, 'view informer'],

  async discover() {
    const lines = [];
    const add = (groupVersion, { resources }) => {
      for (const { name, kind } of resources) if (!name.includes('/')) lines.push(`= ${groupVersion}/${name} ${kind}`);
    };
    add('v1', await api.getAPIResources());
    const custom = config.makeApiClient(CustomObjectsApi);
    const { groups } = await config.makeApiClient(ApisApi).getAPIVersions();
    for (const { name: group, versions } of groups) {
      for (const { version, groupVersion } of versions)
        add(groupVersion, await custom.getAPIResources({ group, version }));
    }
    return lines;
  },

  list: async (kind, value) => objectLines(await list(kind, value)),

  async bookmark(resourceVersion) {
    let found;
    await watchOnce({ resourceVersion, allowWatchBookmarks: true, timeoutSeconds: 4 }, (type, object) => {
      if (type === 'BOOKMARK') found ??= object.metadata.resourceVersion;
      return found !== undefined;
    });
    return [`= bookmark ${found ?? ''}`];
  },

  async 'watch-list'(selector) {
    const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
    const objects = [];
    let ended = false;
    const labelSelector = selector === 'all' ? undefined : selector;
    await watchOnce({ ...query, labelSelector, timeoutSeconds: 60 }, (type, object) => {
      if (type === 'ADDED') objects.push(object);
      ended = object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
      return ended;
    });
    if (!ended) throw new Error('the watch ended without the end marker');
    return objectLines(objects);
  },

  async start(selector) {
    informers.set('all', await startInformer(undefined));
    informers.set('selected', await startInformer(selector));
  },

  dump: (_view, scope) => objectLines(informers.get(scope).list()),

  async expired(resourceVersion) {
    let code;
    const outcome = watchOnce({ resourceVersion, timeoutSeconds: 5 }, (type, object) => {
      if (type === 'ERROR') code = object.code;
      return type === 'ERROR';
    });
    await outcome.catch((error) => {
      code ??= error.statusCode ?? error.code;
    });
    if (code !== 410) throw new Error(`no 410 but ${code}`);
  },

  async end() {
    for (const informer of informers.values()) await informer.stop();
  },
});
