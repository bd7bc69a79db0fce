/** Negotiation: JSON, YAML, Tables, metadata only, and what is refused. */

import { expect } from 'vitest';
import type { Answer } from './server-answer.ts';
import type { ServerSection } from './server-suite.ts';
import { expectStatus, type ServerTest } from './server-test.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The kind that an envelope names: a text of less than 128 bytes behind that of the apiVersion. */
function kindInside(bytes: Buffer): string {
  expect(bytes.toString('latin1', 0, 4)).toBe('k8s\0');
  const at = 8 + (bytes[7] ?? 0);
  return bytes.toString('latin1', at + 2, at + 2 + (bytes[at + 1] ?? 0));
}

function accepting(test: ServerTest, path: string, accept: string, query = {}): Promise<Answer> {
  return test.client.get(path, query, { headers: { accept } });
}

export const negotiationCases: ServerSection = {
  title: 'negotiation',
  cases: [
    {
      title: 'a list as a Table has columns, a row for each object with its metadata, and the metadata of the list',
      run: async (test) => {
        await test.addAll(['a', 'b']);
        const { document } = expectStatus(await accepting(test, test.secrets, TABLE, { limit: 1 }), 200);
        expect(document).toMatchObject({
          kind: 'Table',
          apiVersion: 'meta.k8s.io/v1',
          metadata: {
            resourceVersion: expect.stringMatching(/^\d+$/u),
            continue: expect.any(String),
            remainingItemCount: 1,
          },
          rows: [
            {
              object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } },
            },
          ],
        });
        expect(document).toHaveProperty('columnDefinitions.0.name', 'Name');
        expect(document).toHaveProperty('rows.0.cells.0', 'a');
      },
    },
    {
      title: 'an object, a list and their metadata are answered in protobuf, in the envelope of Kubernetes',
      run: async (test) => {
        await test.add('a');
        const object = `${test.secrets}/a`;
        const asked = [
          [object, `${PROTOBUF},application/json`, 'Secret'],
          [test.secrets, PROTOBUF, 'SecretList'],
          [object, METADATA.replace('application/json', PROTOBUF), 'PartialObjectMetadata'],
          [test.secrets, METADATA_LIST.replace('application/json', PROTOBUF), 'PartialObjectMetadataList'],
        ] as const;
        for (const [path, accept, kind] of asked) {
          const { status, headers, bytes } = await accepting(test, path, accept);
          expect([status, headers['content-type'], kindInside(bytes)]).toEqual([200, PROTOBUF, kind]);
        }
      },
    },
    {
      title: 'a failure is a Status in protobuf for those who ask for it',
      run: async (test) => {
        const { status, headers, bytes } = await accepting(test, `${test.secrets}/missing`, PROTOBUF);
        expect([status, headers['content-type'], kindInside(bytes)]).toEqual([404, PROTOBUF, 'Status']);
        expect(bytes.toString('latin1')).toContain('secrets "missing" not found');
      },
    },
    {
      title: 'a Table in protobuf is refused in JSON, and the next clause counts',
      run: async (test) => {
        const table = TABLE.replace('application/json', PROTOBUF);
        const refused = expectStatus(await accepting(test, test.secrets, table), 406);
        expect(refused.document.message).toBe(
          `only the following media types are accepted: application/json, application/yaml, ${PROTOBUF}`,
        );
        expect((await accepting(test, test.secrets, `${table},application/json`)).document.kind).toBe('SecretList');
      },
    },
    {
      title: 'a Table row shows no object, its metadata or all of it, as includeObject says; other words are 400',
      run: async (test) => {
        await test.add('a');
        const rows = async (includeObject: string): Promise<unknown> =>
          expectStatus(await accepting(test, test.secrets, TABLE, { includeObject }), 200).document['rows'];
        expect(await rows('None')).toMatchObject([{ cells: expect.any(Array), object: null }]);
        expect(await rows('Metadata')).toMatchObject([{ object: { kind: 'PartialObjectMetadata' } }]);
        expect(await rows('Object')).toMatchObject([{ object: { kind: 'Secret', metadata: { name: 'a' } } }]);
        const refused = expectStatus(await accepting(test, test.secrets, TABLE, { includeObject: 'Some' }), 400);
        expect(refused.document.message).toMatch(/^Unable to convert to Table as requested: /u);
      },
    },
    {
      title: 'a Table of the beta version is answered as such, and a Table that is refused falls back to plain JSON',
      run: async (test) => {
        await test.add('a');
        const beta = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io, application/json';
        expect((await accepting(test, test.secrets, beta)).document).toMatchObject({
          kind: 'Table',
          apiVersion: 'meta.k8s.io/v1beta1',
        });
        const unknown = 'application/json;as=Table;v=v9;g=meta.k8s.io, application/json';
        expect((await accepting(test, test.secrets, unknown)).document.kind).toBe('SecretList');
      },
    },
    {
      title: 'a watch as Tables defines its columns in the first event only',
      run: async (test) => {
        await test.addAll(['a', 'b']);
        const stream = await test.watch({}, { headers: { accept: TABLE } });
        const [first, second] = await stream.take(2);
        expect(first).toMatchObject({
          type: 'ADDED',
          object: { kind: 'Table', rows: [{ object: { metadata: { name: 'a' } } }] },
        });
        expect(first?.object).toHaveProperty('columnDefinitions.0.name', 'Name');
        expect(second).toMatchObject({
          type: 'ADDED',
          object: { kind: 'Table', rows: [{ object: { metadata: { name: 'b' } } }] },
        });
        expect(second?.object['columnDefinitions']).toBeNull();
      },
    },
    {
      title: 'metadata only: one object, a list and a watch show the metadata and nothing else',
      run: async (test) => {
        const version = await test.add('a');
        const one = expectStatus(await accepting(test, `${test.secrets}/a`, METADATA), 200).document;
        expect(one).toMatchObject({
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { name: 'a' },
        });
        expect(one).not.toHaveProperty('data');
        const list = expectStatus(await accepting(test, test.secrets, METADATA_LIST), 200).document;
        expect(list).toMatchObject({
          kind: 'PartialObjectMetadataList',
          items: [{ metadata: { resourceVersion: version } }],
        });
        expect(list.items?.[0]).not.toHaveProperty('data');
        const stream = await test.watch({}, { headers: { accept: METADATA } });
        const [event] = await stream.take(1);
        expect(event).toMatchObject({
          type: 'ADDED',
          object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } },
        });
        expect(event?.object).not.toHaveProperty('data');
      },
    },
    {
      title: 'a list as metadata of one object and an object as metadata of a list are 406',
      run: async (test) => {
        await test.add('a');
        const list = expectStatus(await accepting(test, test.secrets, METADATA), 406).document;
        expect(list).toMatchObject({ reason: 'NotAcceptable', message: expect.stringContaining('is a list') });
        const one = expectStatus(await accepting(test, `${test.secrets}/a`, METADATA_LIST), 406).document;
        expect(one.message).toContain('is not a list');
      },
    },
    {
      title: 'a watch as metadata of a list ends at its first event without sending it',
      run: async (test) => {
        const stream = await test.watch({}, { headers: { accept: METADATA_LIST } });
        await test.add('a');
        expect(await stream.untilEnd()).toEqual([]);
        expect(stream.end?.clean).toBe(true);
      },
    },
    {
      title: 'YAML is served to lists and gets, weighed by q, and is 406 for a watch',
      run: async (test) => {
        await test.add('a');
        const list = expectStatus(await accepting(test, test.secrets, 'application/yaml'), 200);
        expect(list.headers['content-type']).toBe('application/yaml');
        expect(list.text).toMatch(/^kind: SecretList$/mu);
        const weighed = 'application/json;q=0.1,application/yaml;q=0.9';
        expect((await accepting(test, `${test.secrets}/a`, weighed)).headers['content-type']).toBe('application/yaml');
        const query = { watch: true, timeoutSeconds: 1 };
        for (const accept of ['application/yaml', 'application/yaml,application/json']) {
          const watch = expectStatus(await accepting(test, test.secrets, accept, query), 406);
          expect(watch.text).toContain('only the following media types are accepted: application/json;stream=watch');
        }
      },
    },
    {
      title: 'what nobody can answer is 406 with a Status that says what can be had',
      run: async (test) => {
        for (const accept of ['text/html', 'application/cbor']) {
          const { document } = expectStatus(await accepting(test, test.secrets, accept), 406);
          expect(document).toMatchObject({ kind: 'Status', reason: 'NotAcceptable', code: 406 });
          expect(document.message).toContain('application/json, application/yaml');
        }
      },
    },
    {
      title: 'JSON is indented for those who ask and for curl, never for a watch',
      run: async (test) => {
        await test.add('a');
        expect((await test.client.get(test.secrets)).text).toMatch(/^\{"kind":/u);
        expect((await test.client.get(test.secrets, { pretty: true })).text).toMatch(/^\{\n {2}"kind": /u);
        const curl = { headers: { 'user-agent': 'curl/8.0' } };
        expect((await test.client.get(test.secrets, {}, curl)).text).toMatch(/^\{\n {2}"kind": /u);
        const stream = await test.watch({ pretty: true, timeoutSeconds: 1 }, curl);
        expect(await stream.untilEnd()).toHaveLength(1);
      },
    },
  ],
};
