import { gunzipSync } from 'node:zlib';
import { ApiClient } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './test-server.ts';

const APPS = '/openapi/v3/apis/apps/v1';
const PROTOBUF_2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const PROTOBUF_3 = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';

const OTHERS = ['.well-known/openid-configuration', 'api', 'api/v1', 'apis', 'openid/v1/jwks', 'version'];

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer(createMemoryEngine());
  client = new ApiClient(server);
});

afterAll(async () => {
  client.close();
  await server[Symbol.asyncDispose]();
  expect(server.unforeseen).toEqual([]);
});

/** One GET with these headers. */
const ask = (path: string, headers: Readonly<Record<string, string>>): ReturnType<ApiClient['request']> =>
  client.request('GET', path, { headers });

describe('memory', () => {
  // First: nobody has asked for a document yet.
  it('is used by documents only after somebody has asked for one', async () => {
    const used = async (): Promise<string | undefined> =>
      (await client.get('/metrics')).text
        .split('\n')
        .find((line) => line.startsWith('listwatch_memory_bytes{cache="openapi"}'));
    expect(await used()).toBe('listwatch_memory_bytes{cache="openapi"} 0');
    await client.get(APPS);
    expect(await used()).not.toBe('listwatch_memory_bytes{cache="openapi"} 0');
  });
});

describe('/openapi/v3', () => {
  it('lists all groups and versions of discovery, in the words that kubectl reads', async () => {
    const answer = await ask('/openapi/v3', { accept: 'application/json, */*' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const { paths } = JSON.parse(answer.text);
    const groups = JSON.parse((await client.get('/apis')).text).groups;
    const versions = groups.flatMap((group: { name: string; versions: { groupVersion: string }[] }) => [
      `apis/${group.name}`,
      ...group.versions.map(({ groupVersion }) => `apis/${groupVersion}`),
    ]);
    expect(new Set(Object.keys(paths))).toEqual(new Set([...OTHERS, ...versions]));
  });
});

describe('a document', () => {
  it.each([
    ['', 'application/json'],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json;as=x', 'application/json'],
    [PROTOBUF_3, PROTOBUF_3],
    ['application/com.github.proto-openapi.spec.v3@v1.0+protobuf', PROTOBUF_3],
    ['application/json;q=0.1, application/com.github.proto-openapi.spec.v3@v1.0+protobuf', PROTOBUF_3],
  ])('accepted as %j is %s', async (accept, type) => {
    const { status, headers } = await ask(APPS, { accept: accept });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['etag']).toMatch(/^"[0-9A-F]{128}"$/u);
    expect(headers['vary']).toBe('Accept-Encoding, Accept');
  });

  it.each(['text/plain', 'application/yaml', 'application/vnd.kubernetes.protobuf', PROTOBUF_2])(
    'accepted as %s only is a 406 without a body',
    async (accept) => {
      const { status, text } = await ask(APPS, { accept: accept });
      expect([status, text]).toEqual([406, '']);
    },
  );

  it('is not sent again to a client that has it, in any form', async () => {
    const { headers } = await client.get(APPS);
    const again = { 'if-none-match': headers['etag'] ?? '' };
    for (const accept of ['application/json', PROTOBUF_3]) {
      const { status, text } = await ask(APPS, { ...again, accept });
      expect([status, text]).toEqual([304, '']);
    }
    const tag = again['if-none-match'];
    for (const [tags, status] of [
      ['"other"', 200],
      [`"other", ${tag}`, 304],
      [`W/${tag}`, 304],
      ['*', 304],
    ] as const) {
      expect([tags, (await ask(APPS, { 'if-none-match': tags })).status]).toEqual([tags, status]);
    }
  });

  it('may be kept for ever under its hash, and moves when its hash is another', async () => {
    const { paths } = JSON.parse((await client.get('/openapi/v3')).text);
    const url: string = paths['apis/apps/v1'].serverRelativeURL;
    const kept = await client.get(url);
    expect(kept.headers['cache-control']).toBe('public, immutable');
    expect(Date.parse(kept.headers['expires'] ?? '')).toBeGreaterThan(Date.now());
    expect(url).toBe(`${APPS}?hash=${kept.headers['etag']?.replaceAll('"', '')}`);
    const moved = await client.get(`${APPS}?hash=ABC`);
    expect([moved.status, moved.headers['location'], moved.text]).toEqual([301, url, '']);
  });

  it('is sent packed to a client that takes gzip', async () => {
    const answer = await ask(APPS, { 'accept-encoding': 'gzip' });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(answer.bytes).toString()).toBe((await client.get(APPS)).text);
  });

  it('that does not exist is a 404 without a body', async () => {
    for (const path of ['/openapi/v3/apis/nope/v1', '/openapi/v3/', `${APPS}/`]) {
      const { status, text } = await client.get(path);
      expect([path, status, text]).toEqual([path, 404, '']);
    }
    const page = await client.get('/openapi/v2/x');
    expect([page.status, page.text]).toEqual([404, '404 page not found\n']);
  });

  it('is answered to any method', async () => {
    expect((await client.request('POST', APPS, {})).status).toBe(200);
    expect((await client.request('HEAD', APPS, {})).text).toBe('');
  });
});

describe('/openapi/v2', () => {
  it.each([
    ['application/json', 'application/json'],
    ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', PROTOBUF_2],
  ])('accepted as %s is %s', async (accept, type) => {
    const { status, headers } = await ask('/openapi/v2', { accept: accept });
    expect([status, headers['content-type']]).toEqual([200, type]);
  });

  it('describes all groups in one document', async () => {
    const { definitions, paths } = JSON.parse((await client.get('/openapi/v2')).text);
    expect(definitions).toHaveProperty(['io.k8s.api.apps.v1.Deployment', 'type'], 'object');
    expect(definitions).toHaveProperty(['io.k8s.api.core.v1.Pod', 'type'], 'object');
    expect(paths).toHaveProperty(['/api/v1/pods', 'get', 'operationId'], 'listCoreV1PodForAllNamespaces');
  });
});

describe('rights', () => {
  it('every user that is known reads documents, as discovery, and nobody else does', async () => {
    expect((await ask(APPS, { 'impersonate-user': 'bob' })).status).toBe(200);
    expect((await client.request('GET', APPS, { headers: { authorization: undefined } })).status).toBe(403);
  });
});
