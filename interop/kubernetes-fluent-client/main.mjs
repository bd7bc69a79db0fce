// The scenario with kubernetes-fluent-client.

import { readFileSync } from 'node:fs';
import { K8s, kind } from 'kubernetes-fluent-client';
import { answerCommands, NotOffered, objectLines, until } from '../protocol.mjs';

const namespace = process.env.INTEROP_NAMESPACE;
const views = new Map();
const watchers = [];

const notOffered = (reason) => () => {
  throw new NotOffered(reason);
};

function select(query, selector) {
  const [label, value] = selector.split('=');
  return query.WithLabel(label, value);
}

const maps = (selector) => {
  const query = K8s(kind.ConfigMap).InNamespace(namespace);
  return selector === undefined ? query : select(query, selector);
};

/** By uid, as the client's own cache: after a list it reports a new object before the end of the old one of the same name. */
async function startWatch(scope, selector) {
  const objects = new Map();
  views.set(scope, objects);
  let listed = false;
  const watcher = maps(selector).Watch(
    (object, phase) => {
      if (phase === 'DELETED') objects.delete(object.metadata.uid);
      else objects.set(object.metadata.uid, object);
    },
    { resyncDelaySec: 1 },
  );
  watcher.events.on('list', () => {
    listed = true;
  });
  watcher.events.on('watch_error', (error) => console.error(String(error)));
  watchers.push(watcher);
  await watcher.start();
  await until(() => listed, 'the first list');
}

await answerCommands({
  hello() {
    const text = readFileSync(new URL('node_modules/kubernetes-fluent-client/package.json', import.meta.url), 'utf8');
    return [
      `version ${JSON.parse(text).version} on Node ${process.versions.node}`,
      'view watch',
      'own server-side-apply',
    ];
  },

  discover: notOffered('it has the kinds of Kubernetes built in'),

  async list(type, value) {
    if (type === 'paged') throw new NotOffered('its lists take no limit');
    if (type === 'exact') throw new NotOffered('its lists take no resourceVersion');
    return objectLines((await maps(type === 'selected' ? value : undefined).Get()).items);
  },

  bookmark: notOffered('its watches do not ask for bookmarks'),
  'watch-list': notOffered('its watches take no sendInitialEvents'),
  expired: notOffered('its watches begin at the version of its own list'),

  async start(selector) {
    await startWatch('all', undefined);
    await startWatch('selected', selector);
  },

  dump: (_view, scope) => objectLines(views.get(scope).values()),

  async own() {
    const metadata = { name: 'applied', namespace };
    for (const a of ['1', '2']) await K8s(kind.ConfigMap).Apply({ metadata, data: { a } });
    const { data } = await maps().Get('applied');
    await maps().Delete('applied');
    if (data.a !== '2') throw new Error('the object is not as it was applied');
  },

  end() {
    for (const watcher of watchers) watcher.close();
  },
});
