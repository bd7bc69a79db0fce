import { readFileSync } from 'node:fs';
import { ApiClient } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from './test-server.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const SIZES = { secrets: 7, 'deployments.apps': 9, leases: 11, pods: 0 };

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer(createMemoryEngine(), { watchCacheSizes: SIZES, defaultWatchCacheSize: 5 });
  client = new ApiClient(server);
});

afterAll(async () => {
  client.close();
  await server[Symbol.asyncDispose]();
});

/** The value of one series; undefined when there is none. */
async function metric(series: string): Promise<number | undefined> {
  const { text } = await client.get('/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe('what /metrics shows', () => {
  it('is what the reference lists, with the same types', async () => {
    const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
    // The controllers and managers bring their own metrics, and are tested with them.
    const [own = ''] = page.split('\n## Controllers\n');
    const listed = Array.from(own.matchAll(/^\| `(\w+)` +\| (\w+)/gmu), ([, name, type]) => `${name} ${type}`);
    const { text } = await client.get('/metrics');
    const shown = Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gmu), ([, name, type]) => `${name} ${type}`);
    expect(listed.toSorted()).toEqual(shown.toSorted());
  });

  it('counts commits, watchers, the events they were sent and their bytes', async () => {
    const labels = '{group="",resource="secrets"}';
    const commits = (await metric('listwatch_storage_commits_total{outcome="committed"}')) ?? 0;
    const stream = await client.watch(SECRETS);
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    await client.request('POST', SECRETS, { body });
    await client.request('POST', SECRETS, { body });
    const [event] = await stream.take(1);
    expect(await metric(`listwatch_watchers${labels}`)).toBe(1);
    expect(await metric(`listwatch_watch_channels${labels}`)).toBe(1);
    expect(await metric(`listwatch_watch_events_total${labels}`)).toBe(1);
    expect(await metric('listwatch_watch_flush_seconds_total')).toBeGreaterThan(0);
    expect(await metric(`listwatch_watch_bytes_total${labels}`)).toBe(JSON.stringify(event).length + 1);
    expect(await metric(`listwatch_cache_objects${labels}`)).toBe(1);
    expect(await metric(`listwatch_cache_window_events${labels}`)).toBe(1);
    expect(await metric('listwatch_storage_commits_total{outcome="committed"}')).toBe(commits + 1);
    expect(await metric('listwatch_storage_commits_total{outcome="refused"}')).toBe(1);
    const created =
      'apiserver_request_total{verb="POST",group="",version="v1",resource="secrets",subresource="",code="201"}';
    expect(await metric(created)).toBe(1);
    stream.close();
  });

  it('counts the watches that begin with all objects', async () => {
    const states = 'listwatch_watch_states_total{group="",resource="configmaps"}';
    const path = '/api/v1/namespaces/default/configmaps';
    const { metadata } = JSON.parse((await client.get(path)).text);
    const resumed = await client.watch(path, { query: { watch: true, resourceVersion: metadata.resourceVersion } });
    expect(await metric(states)).toBe(0);
    const initial = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
    const listed = await client.watch(path, { query: { watch: true, ...initial } });
    await listed.take(1);
    expect(await metric(states)).toBe(1);
    resumed.close();
    listed.close();
  });
});

const deprecatedSeries = (resource: string): string =>
  `apiserver_requested_deprecated_apis{group="",version="v1",resource="${resource}",subresource="",removed_release=""}`;

it('shows which deprecated APIs were requested, and no others', async () => {
  expect(await metric(deprecatedSeries('endpoints'))).toBeUndefined();
  for (let i = 0; i < 2; i += 1) await client.get('/api/v1/namespaces/default/endpoints');
  await client.get('/api/v1/componentstatuses');
  expect(await metric(deprecatedSeries('endpoints'))).toBe(1);
  expect(await metric(deprecatedSeries('componentstatuses'))).toBe(1);
  expect(await metric(deprecatedSeries('secrets'))).toBeUndefined();
});

describe('the metrics of a custom kind', () => {
  it('come with its definition and go with it', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const objects = 'listwatch_cache_objects{group="m.example.com",resource="things"}';
    const schema = { openAPIV3Schema: { type: 'object' } };
    const body = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.m.example.com' },
      spec: {
        group: 'm.example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    expect(await metric('listwatch_custom_definitions')).toBe(0);
    await client.request('POST', definitions, { body });
    const things = '/apis/m.example.com/v1/things';
    await vi.waitFor(async () => expect((await client.get(things)).status).toBe(200), 20_000);
    const thing = { apiVersion: 'm.example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
    expect((await client.request('POST', things, { body: thing })).status).toBe(201);
    const apply = { body: thing, headers: { 'content-type': 'application/apply-patch+yaml' } };
    const labelled = { ...apply, body: { ...thing, metadata: { name: 'a', labels: { x: 'y' } } } };
    for (const patch of [labelled, apply]) await client.request('PATCH', `${things}/a?fieldManager=m`, patch);
    await vi.waitFor(async () => expect(await metric(objects)).toBe(1), 20_000);
    expect(await metric('listwatch_custom_definitions')).toBe(1);
    expect(await metric('listwatch_memory_bytes{cache="fieldSets"}')).toBeGreaterThan(0);
    expect(await metric('listwatch_memory_limit_bytes{cache="fieldSets"}')).toBe(15_000_000);
    await client.request('DELETE', `${definitions}/things.m.example.com`);
    await vi.waitFor(async () => expect(await metric('listwatch_custom_definitions')).toBe(0), 20_000);
    expect(await metric(objects)).toBeUndefined();
  });
});

describe('what /debug/cache shows', () => {
  it('is the window of each resource, as large as was asked for by resource and group', async () => {
    const document: unknown = JSON.parse((await client.get('/debug/cache')).text);
    expect(document).toMatchObject({
      resources: expect.arrayContaining([
        sized('', 'secrets', 7),
        sized('apps', 'deployments', 9),
        // Named without its group, it is another resource.
        sized('coordination.k8s.io', 'leases', 5),
        sized('', 'configmaps', 5),
        sized('', 'pods', 1),
      ]),
    });
  });
});

function sized(group: string, resource: string, capacity: number): unknown {
  return expect.objectContaining({ group, resource, state: 'ready', window: expect.objectContaining({ capacity }) });
}
