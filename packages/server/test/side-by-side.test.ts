import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG_MAPS, type SameRequest, Side } from './side-by-side.ts';
import { startTestServer } from './test-server.ts';

const disposables: AsyncDisposable[] = [];
let sides: readonly [Side, Side] | undefined;

beforeAll(async () => {
  const real = await startKubeApiserver();
  const engine = createMemoryEngine();
  const own = await startTestServer(engine);
  disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() });
  sides = [new Side(real), new Side(own)];
  for (const side of sides) await side.fill();
}, 120_000);
afterAll(async () => {
  for (const side of sides ?? []) side.close();
  for (const one of disposables) await one[Symbol.asyncDispose]();
});

/** Asks both everything, some at a time, and gives what they answered. */
async function answers(requests: readonly SameRequest[]): Promise<readonly [string[], string[]]> {
  if (sides === undefined) throw new Error('there are no servers');
  const found: [string[], string[]] = [[], []];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests.length) {
      const index = next;
      next += 1;
      const request = requests[index];
      if (request === undefined) return;
      for (const [which, side] of sides?.entries() ?? []) {
        (found[which] ?? [])[index] = `${shown(request)}\n${await side.answer(request)}`;
      }
    }
  };
  await Promise.all(Array.from({ length: 12 }, work));
  return found;
}

function shown({ method = 'GET', path, query = {}, headers }: SameRequest): string {
  const values = Object.entries(query).map(([key, value]) => `${key}=${typeof value === 'string' ? value : '<own>'}`);
  return `${method} ${path}?${values.join('&')} ${JSON.stringify(headers ?? {})}`;
}

type Query = NonNullable<SameRequest['query']>;
const none: Query[string] = '';
const present: Query[string] = (side) => side.version;
const token: Query[string] = (side) => side.token;

/** Every combination of these values; an empty one leaves its parameter out. */
function combinations(values: Readonly<Record<string, readonly Query[string][]>>): readonly Query[] {
  return Object.entries(values).reduce<readonly Query[]>(
    (queries, [key, some]) =>
      queries.flatMap((query) => some.map((value) => (value === none ? query : { ...query, [key]: value }))),
    [{}],
  );
}

const versions = [none, '0', '00', present, 'abc', '-1'];
const matches = [none, 'Exact', 'NotOlderThan', 'Bogus'];

/** Versions that a server has forgotten are not asked for: ours remembers more, on purpose. */
const requests: Readonly<Record<string, readonly SameRequest[]>> = {
  'lists of any version, match, limit and token': combinations({
    resourceVersion: versions,
    resourceVersionMatch: matches,
    limit: [none, '0', '1', '-1', 'abc', '500'],
    continue: [none, 'abc', token],
  }).map((query) => ({ path: CONFIG_MAPS, query })),
  'watches of any version, match and way to begin': combinations({
    watch: ['true'],
    timeoutSeconds: ['1'],
    resourceVersion: versions,
    resourceVersionMatch: matches,
    sendInitialEvents: [none, 'true', 'false', 'x'],
    allowWatchBookmarks: [none, 'true', 'x'],
  }).map((query) => ({ path: CONFIG_MAPS, query })),
  'lists by labels': [
    'app=a',
    'app==a',
    'app!=a',
    'app in (a,b)',
    'app notin (a)',
    'app',
    '!app',
    'n>1',
    'n<2',
    'n>x',
    'app=',
    'app in ()',
    'app in (',
    '=a',
    'a b',
    'app=a,n=1',
    ',',
    'app=a,',
    'App/x=1',
    '-x=1',
    'x/y/z=1',
    'app=a b',
    'app in (a,,b)',
    'n >1',
  ].map((labelSelector) => ({ path: CONFIG_MAPS, query: { labelSelector } })),
  'lists by fields': [
    'metadata.name=c1',
    'metadata.name!=c1',
    'metadata.name==c1',
    'metadata.namespace=x',
    'data.k=1',
    'metadata.name',
    'metadata.name=c1,metadata.name=c2',
    '=c1',
    'metadata.name=c\\,1',
    'metadata.name=a\\',
    'x=',
    ',',
    'spec.x=1',
  ].map((fieldSelector) => ({ path: CONFIG_MAPS, query: { fieldSelector } })),
  representations: [
    'application/json',
    'text/html',
    '*/*',
    'application/*',
    'image/png, application/json',
    'application/json;stream=watch',
    ...['PartialObjectMetadataList', 'PartialObjectMetadata', 'Nope'].map(
      (kind) => `application/json;as=${kind};v=v1;g=meta.k8s.io`,
    ),
  ].flatMap((accept) => ['', '/c1'].map((name) => ({ path: CONFIG_MAPS + name, headers: { accept } }))),
  paths: [
    '/api/v2',
    '/apis/nope',
    '/nope',
    '/api/v1/nope',
    '/api/v1/namespaces/nope',
    '/api/v1/configmaps/c1',
    ...[
      '/nope',
      '/c1/nope',
      '/c1/status',
      '/c1?resourceVersion=abc',
      '/c1?resourceVersion=0',
      '?pretty=true&limit=1',
    ].map((rest) => CONFIG_MAPS + rest),
    '/healthz',
    '/livez',
    '/readyz',
    '/livez/ping',
    '/healthz/nope',
  ].map((path) => ({ path })),
  methods: ['PUT', 'PATCH', 'POST', 'HEAD', 'TRACE'].flatMap((method) =>
    [CONFIG_MAPS, `${CONFIG_MAPS}/c1`, '/api/v1/configmaps', '/api/v1/configmaps/c1']
      .filter((path) => method !== 'PUT' || path !== `${CONFIG_MAPS}/c1`)
      .map((path) => ({ method, path, ...(method === 'HEAD' || method === 'TRACE' ? {} : { body: {} }) })),
  ),
  'objects that cannot be': [
    { metadata: {} },
    { metadata: { name: 'c1' } },
    { metadata: { name: 'a b' } },
    { metadata: { name: 'q', namespace: 'other' } },
    { metadata: { name: 'q', labels: { 'a b': '1' } } },
    { metadata: { name: 'q', labels: { a: 1 } } },
    { metadata: { name: 'q' }, data: { 'a/b': 'x' } },
    { metadata: { name: 'q' }, data: 5 },
    { metadata: { name: 'q' }, bogus: 1 },
    { kind: 'Secret', metadata: { name: 'q' } },
  ].map((body) => ({
    method: 'POST',
    path: CONFIG_MAPS,
    query: { fieldValidation: 'Strict', dryRun: 'All' },
    body: { apiVersion: 'v1', kind: 'ConfigMap', ...body },
  })),
};

describe('a kube-apiserver and ours, side by side', needs('kube-apiserver'), () => {
  it.each(Object.entries(requests))(
    'answer %s alike',
    async (_, same) => {
      const [real, own] = await answers(same);
      expect(own).toEqual(real);
    },
    120_000,
  );
});
