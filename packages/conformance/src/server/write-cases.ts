/** Create, update and patch, on ConfigMaps. */

import { expect } from 'vitest';
import type { RequestOptions } from './api-client.ts';
import type { Answer } from './server-answer.ts';
import type { ServerSection } from './server-suite.ts';
import { configMap, expectStatus, type ServerTest } from './server-test.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';

function put(test: ServerTest, name: string, body: unknown, options: RequestOptions = {}): Promise<Answer> {
  return test.client.request('PUT', `${test.configMaps}/${name}`, { ...options, body });
}

function patch(test: ServerTest, name: string, type: string, body: unknown, query = {}): Promise<Answer> {
  const headers = { 'content-type': type };
  return test.client.request('PATCH', `${test.configMaps}/${name}`, { headers, body, query });
}

export const writeCases: ServerSection = {
  title: 'create, update, patch',
  cases: [
    {
      title: 'a create is 201 with uid, time and version, over HTTP/1.1 and HTTP/2',
      run: async (test) => {
        for (const protocol of ['http/1.1', 'http/2'] as const) {
          const name = protocol.replaceAll(/\W/gu, '-');
          const { document } = expectStatus(await test.create(name, { data: { k: 'v' } }, { protocol }), 201);
          expect(document).toMatchObject({
            kind: 'ConfigMap',
            apiVersion: 'v1',
            metadata: {
              name,
              namespace: test.namespace,
              uid: expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u),
              creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u),
              resourceVersion: expect.stringMatching(/^\d+$/u),
            },
            data: { k: 'v' },
          });
        }
      },
    },
    {
      title: 'a name that exists is 409 AlreadyExists',
      run: async (test) => {
        await test.create('a');
        const { document } = expectStatus(await test.create('a'), 409);
        expect(document).toMatchObject({ reason: 'AlreadyExists', message: 'configmaps "a" already exists' });
      },
    },
    {
      title: 'generateName makes names, each another one',
      run: async (test) => {
        await test.open();
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } };
        const names = new Set<string>();
        for (let round = 0; round < 3; round += 1) {
          const { document } = expectStatus(await test.client.request('POST', test.configMaps, { body }), 201);
          expect(document.metadata.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/u);
          names.add(document.metadata.name ?? '');
        }
        expect(names.size).toBe(3);
      },
    },
    {
      title: 'a create with a version is 500, into a missing namespace 404, with another namespace 400',
      run: async (test) => {
        const versioned = expectStatus(await test.create('a', { metadata: { resourceVersion: '5' } }), 500);
        expect(versioned.document.message).toBe('resourceVersion should not be set on objects to be created');
        const elsewhere = `/api/v1/namespaces/${test.namespace}-missing/configmaps`;
        const missing = await test.client.request('POST', elsewhere, { body: configMap('a') });
        expect([missing.status, missing.document.message]).toEqual([
          404,
          `namespaces "${test.namespace}-missing" not found`,
        ]);
        const other = expectStatus(await test.create('a', { metadata: { namespace: 'other' } }), 400);
        expect(other.document.message).toBe(
          'the namespace of the provided object does not match the namespace sent on the request',
        );
      },
    },
    {
      title: 'a body that is no object, of another version or of an unknown media type is refused',
      run: async (test) => {
        await test.open();
        const post = (body: unknown, headers = {}): Promise<Answer> =>
          test.client.request('POST', test.configMaps, { body, headers });
        expect((await post('{"apiVersion":')).status).toBe(400);
        expect((await post('')).status).toBe(400);
        expect((await post([])).status).toBe(400);
        const version = expectStatus(await post({ ...configMap('a'), apiVersion: 'v2' }), 400).document;
        expect(version.message).toMatch(/v2/u);
        const media = expectStatus(await post(configMap('a'), { 'content-type': 'text/plain' }), 415).document;
        expect(media).toMatchObject({ reason: 'UnsupportedMediaType' });
        expect(media.message).toContain('application/json, application/yaml');
      },
    },
    {
      title: 'an invalid name, label and key is 422 and names the field',
      run: async (test) => {
        const name = expectStatus(await test.create('A_b'), 422).document;
        expect(name).toMatchObject({ reason: 'Invalid', details: { causes: [{ field: 'metadata.name' }] } });
        const label = expectStatus(await test.create('a', { metadata: { labels: { x: 'c d' } } }), 422).document;
        expect(label).toMatchObject({ details: { causes: [{ field: 'metadata.labels' }] } });
        const key = expectStatus(await test.create('a', { data: { 'a b': '' } }), 422).document;
        expect(key).toMatchObject({ details: { causes: [{ field: 'data[a b]' }] } });
      },
    },
    {
      title: 'an unknown or repeated field is 400 with Strict, a warning by default, nothing with Ignore',
      run: async (test) => {
        await test.open();
        const post = (name: string, query: Record<string, string>): Promise<Answer> => {
          const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"x":"1","x":"2"},"bogus":1}`;
          return test.client.request('POST', test.configMaps, { body, query });
        };
        const strict = expectStatus(await post('a', { fieldValidation: 'Strict' }), 400);
        expect(strict.document.message).toContain(
          'strict decoding error: duplicate field "data.x", unknown field "bogus"',
        );
        const warned = expectStatus(await post('b', {}), 201);
        expect(String(warned.headers['warning'])).toContain('299 - "unknown field \\"bogus\\""');
        const ignored = expectStatus(await post('c', { fieldValidation: 'Ignore' }), 201);
        expect(ignored.headers['warning']).toBeUndefined();
        expect((await post('d', { fieldValidation: 'Bogus' })).status).toBe(422);
      },
    },
    {
      title: 'an update with the version of the object succeeds, with an old one it is 409 Conflict',
      run: async (test) => {
        const first = expectStatus(await test.create('a', { data: { k: '1' } }), 201).version;
        const body = configMap('a', { data: { k: '2' }, metadata: { resourceVersion: first } });
        const second = expectStatus(await put(test, 'a', body), 200);
        expect(BigInt(second.version)).toBeGreaterThan(BigInt(first));
        const { document } = expectStatus(await put(test, 'a', body), 409);
        expect(document).toMatchObject({
          reason: 'Conflict',
          message:
            'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
        });
      },
    },
    {
      title: 'an update without a version takes what is there, and keeps uid and creation time',
      run: async (test) => {
        const created = expectStatus(await test.create('a'), 201).document;
        const updated = expectStatus(await put(test, 'a', configMap('a', { data: { n: '1' } })), 200).document;
        expect(updated.metadata).toMatchObject({
          uid: created.metadata.uid,
          creationTimestamp: created.metadata.creationTimestamp,
        });
      },
    },
    {
      title: 'an update that changes nothing keeps the version',
      run: async (test) => {
        const created = expectStatus(await test.create('a', { data: { k: 'v' } }), 201);
        expect(expectStatus(await put(test, 'a', created.document), 200).version).toBe(created.version);
        expect(expectStatus(await put(test, 'a', configMap('a', { data: { k: 'v' } })), 200).version).toBe(
          created.version,
        );
        const same = await patch(test, 'a', MERGE_PATCH, { data: { k: 'v' } });
        expect(expectStatus(same, 200).version).toBe(created.version);
      },
    },
    {
      title: 'an update of what is not there is 404, under another name 400, with another uid 409',
      run: async (test) => {
        await test.create('a');
        expect((await put(test, 'nope', configMap('nope'))).status).toBe(404);
        const named = expectStatus(await put(test, 'a', configMap('zz')), 400).document;
        expect(named.message).toBe('the name of the object (zz) does not match the name on the URL (a)');
        expect((await put(test, 'a', configMap('a', { metadata: { uid: 'x' } }))).status).toBe(409);
      },
    },
    {
      title: 'of updates with the same version at the same time exactly one succeeds',
      run: async (test) => {
        const { version } = expectStatus(await test.create('a'), 201);
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            put(test, 'a', configMap('a', { data: { n: String(n) }, metadata: { resourceVersion: version } })),
          ),
        );
        const statuses = answers.map(({ status }) => status).toSorted((left, right) => left - right);
        expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
      },
    },
    {
      title: 'patches without a version at the same time all succeed',
      run: async (test) => {
        await test.create('a');
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, n) => patch(test, 'a', MERGE_PATCH, { data: { [`k${n}`]: '1' } })),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
        const { document } = await test.client.get(`${test.configMaps}/a`);
        expect(Object.keys(document.data ?? {})).toHaveLength(8);
      },
    },
    {
      title: 'a JSON patch adds, tests, moves and removes; one that fails is 422, one that is none 400',
      run: async (test) => {
        await test.create('a', { data: { k: 'v', gone: '1' } });
        const patched = await patch(test, 'a', JSON_PATCH, [
          { op: 'test', path: '/data/k', value: 'v' },
          { op: 'add', path: '/metadata/annotations', value: {} },
          { op: 'add', path: '/metadata/annotations/a.b~1c', value: '1' },
          { op: 'move', from: '/data/k', path: '/data/moved' },
          { op: 'remove', path: '/data/gone' },
        ]);
        expect(expectStatus(patched, 200).document).toMatchObject({ metadata: { annotations: { 'a.b/c': '1' } } });
        expect(patched.document.data).toEqual({ moved: 'v' });
        const failing = await patch(test, 'a', JSON_PATCH, [{ op: 'test', path: '/data/moved', value: 'x' }]);
        expect([failing.status, failing.document.reason]).toEqual([422, 'Invalid']);
        expect((await patch(test, 'a', JSON_PATCH, [{ op: 'remove', path: '/data/nope' }])).status).toBe(422);
        expect((await patch(test, 'a', JSON_PATCH, { not: 'a list' })).status).toBe(400);
      },
    },
    {
      title: 'a merge patch sets and removes fields, and its version is a condition',
      run: async (test) => {
        const { version } = expectStatus(await test.create('a', { data: { k: 'v', gone: '1' } }), 201);
        const patched = expectStatus(await patch(test, 'a', MERGE_PATCH, { data: { gone: null, z: '1' } }), 200);
        expect(patched.document.data).toEqual({ k: 'v', z: '1' });
        const old = { metadata: { resourceVersion: version }, data: { k: '2' } };
        expect(expectStatus(await patch(test, 'a', MERGE_PATCH, old), 409).document.reason).toBe('Conflict');
        expect((await patch(test, 'a', MERGE_PATCH, '{"data":')).status).toBe(400);
        expect((await patch(test, 'nope', MERGE_PATCH, {})).status).toBe(404);
      },
    },
    {
      title: 'a patch of no known media type is 415, and force without apply is 422',
      run: async (test) => {
        await test.create('a');
        expect(expectStatus(await patch(test, 'a', 'text/plain', {}), 415).document.reason).toBe(
          'UnsupportedMediaType',
        );
        const forced = expectStatus(await patch(test, 'a', MERGE_PATCH, {}, { force: true }), 422).document;
        expect(forced.message).toContain('force: Forbidden: may not be specified for non-apply patch');
      },
    },
    {
      title: 'a dry run answers as the write would, and writes nothing',
      run: async (test) => {
        const created = expectStatus(await test.create('a', {}, { query: { dryRun: 'All' } }), 201).document;
        expect(created.metadata).not.toHaveProperty('resourceVersion');
        expect((await test.client.get(`${test.configMaps}/a`)).status).toBe(404);
        await test.create('a', { data: { k: '1' } });
        const body = configMap('a', { data: { k: '2' } });
        expect((await put(test, 'a', body, { query: { dryRun: 'All' } })).document.data).toEqual({ k: '2' });
        expect((await test.client.get(`${test.configMaps}/a`)).document.data).toEqual({ k: '1' });
        expect((await put(test, 'a', body, { query: { dryRun: 'some' } })).status).toBe(422);
      },
    },
    {
      title: 'a body above 3 MiB is 413',
      run: async (test) => {
        await test.open();
        const body = configMap('a', { data: { k: 'x'.repeat(3 * 1024 * 1024) } });
        const { document } = expectStatus(await test.client.request('POST', test.configMaps, { body }), 413);
        expect(document.message).toContain('limit is 3145728');
      },
    },
  ],
};
