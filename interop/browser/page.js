// Runs in the page: lists with fetch, and watches over fetch or WebSocket, with nothing but what browsers have.

const RETRY_MS = 300;
const settings = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const maps = `/api/v1/namespaces/${settings.namespace}/configmaps`;
const headers = { authorization: `Bearer ${settings.token}` };
const views = new Map();

async function getJson(path) {
  const response = await fetch(path, { headers });
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error(body.message), { code: response.status });
  return body;
}

const versionOf = ({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion];

function query(values) {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined)).toString();
}

async function list(values) {
  const { items, metadata } = await getJson(`${maps}?${query(values)}`);
  return { entries: items.map(versionOf), metadata };
}

/** The events of one watch, line by line from the body of a response. */
async function* watchOverFetch(values) {
  const response = await fetch(`${maps}?${query({ ...values, watch: '1' })}`, { headers });
  if (!response.ok) throw Object.assign(new Error('the watch was refused'), { code: response.status });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + next.value).split('\n');
      rest = lines.pop();
      for (const line of lines) yield JSON.parse(line);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The events of one watch, each in a message. Browsers send no headers with it: the token is in a subprotocol. */
async function* watchOverWebSocket(values) {
  const token = btoa(settings.token).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const address = `${location.origin.replace('https:', 'wss:')}${maps}?${query({ ...values, watch: '1' })}`;
  const socket = new WebSocket(address, [`base64url.bearer.authorization.k8s.io.${token}`, 'base64.binary.k8s.io']);
  const arrived = [];
  let wake;
  let ended = false;
  socket.addEventListener('message', ({ data }) => {
    arrived.push(data);
    wake?.();
  });
  socket.addEventListener('close', () => {
    ended = true;
    wake?.();
  });
  try {
    for (;;) {
      while (arrived.length > 0) yield JSON.parse(await textOf(arrived.shift()));
      if (ended) return;
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    socket.close();
  }
}

/** Kubernetes sends text, or base64 under the subprotocol of that name. */
async function textOf(data) {
  const text = typeof data === 'string' ? data : await data.text();
  return text.startsWith('{') ? text : new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}

const WATCHES = { fetch: watchOverFetch, websocket: watchOverWebSocket };

/** Lists, then watches from there for ever: resumes at the last version, and lists again after a 410. */
async function follow(state, watch, labelSelector) {
  let resourceVersion;
  for (;;) {
    try {
      if (resourceVersion === undefined) {
        const { entries, metadata } = await list({ labelSelector });
        state.objects = new Map(entries);
        ({ resourceVersion } = metadata);
        state.synced();
      }
      for await (const { type, object } of watch({ labelSelector, resourceVersion, allowWatchBookmarks: true })) {
        if (type === 'ERROR') throw object;
        ({ resourceVersion } = object.metadata);
        if (type === 'DELETED') state.objects.delete(versionOf(object)[0]);
        else if (type !== 'BOOKMARK') state.objects.set(...versionOf(object));
      }
    } catch (error) {
      if (error.code === 410) resourceVersion = undefined;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS);
    });
  }
}

/** What the program calls. */
globalThis.interop = {
  list: (values) => list(values),
  getJson,

  /** The entries up to the first event for which `stop` says so, over one of the watches. */
  async read(over, values, stopAt) {
    const entries = [];
    for await (const { type, object } of WATCHES[over](values)) {
      const isEnd = object.metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
      if (type === 'ADDED') entries.push(versionOf(object));
      if (type === 'ERROR') return { entries, code: object.code };
      if (type === 'BOOKMARK' && (stopAt === 'bookmark' || isEnd))
        return { entries, bookmark: object.metadata.resourceVersion };
    }
    return { entries };
  },

  async start(selector) {
    const first = [];
    for (const [over, watch] of Object.entries(WATCHES)) {
      for (const [scope, labelSelector] of [
        ['all', undefined],
        ['selected', selector],
      ]) {
        const state = { objects: new Map(), synced: undefined };
        first.push(
          new Promise((resolve) => {
            state.synced = resolve;
          }),
        );
        views.set(`${over} ${scope}`, state);
        void follow(state, watch, labelSelector);
      }
    }
    await Promise.all(first);
  },

  dump: (view, scope) => [...views.get(`${view} ${scope}`).objects],
};
