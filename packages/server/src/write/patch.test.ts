import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Body, VerbFixture } from './verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

let server: VerbFixture;
let stored: Body;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
  stored = await server.ok('POST', MAPS, { body: { metadata: { name: 'a' }, data: { k: 'v' } } });
});

function patch(type: string, body: unknown, query = ''): Promise<Answer> {
  return server.call('PATCH', `${MAPS}/a${query}`, { type, body });
}

describe('patch', () => {
  it.each([
    [MERGE, { data: { k: '2', z: '1' } }, { k: '2', z: '1' }],
    [MERGE, { data: { k: null } }, undefined],
    [MERGE, { data: null }, undefined],
    [`${MERGE}; charset=utf-8`, { data: { y: '1' } }, { k: 'v', y: '1' }],
    [JSON_PATCH, [{ op: 'replace', path: '/data/k', value: '2' }], { k: '2' }],
    [JSON_PATCH, [{ op: 'remove', path: '/data/k' }], undefined],
    [
      JSON_PATCH,
      [
        { op: 'copy', from: '/data/k', path: '/data/c' },
        { op: 'move', from: '/data/k', path: '/data/m' },
      ],
      { c: 'v', m: 'v' },
    ],
    [
      JSON_PATCH,
      [
        { op: 'test', path: '/data/k', value: 'v' },
        { op: 'add', path: '/data/z', value: '1' },
      ],
      { k: 'v', z: '1' },
    ],
  ])('%s %j', async (type, body, data) => {
    const answer = await patch(type, body);
    expect([answer.status, answer.body.data]).toEqual([200, data]);
    expect(answer.body.metadata.resourceVersion).toBe(await server.revision());
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(answer.body);
  });

  it.each([
    [MERGE, {}],
    [JSON_PATCH, []],
    [MERGE, { metadata: { labels: {} } }],
    [JSON_PATCH, [{ op: 'test', path: '/metadata/name', value: 'a' }]],
  ])('%s %j changes nothing and writes nothing', async (type, body) => {
    expect((await patch(type, body)).body).toEqual(stored);
    expect(await server.revision()).toBe(stored.metadata.resourceVersion);
  });

  it.each([
    [MERGE, '{', 400, 'error decoding patch: unexpected end of JSON input'],
    [
      MERGE,
      '[]',
      400,
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      JSON_PATCH,
      '{}',
      400,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [
      JSON_PATCH,
      '[{"op":1}]',
      400,
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
    [
      JSON_PATCH,
      '[5]',
      400,
      'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp',
    ],
    [
      JSON_PATCH,
      `[${Array.from({ length: 10_001 }, () => '{"op":"test","path":"/kind","value":"ConfigMap"}').join(',')}]`,
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ],
    [
      JSON_PATCH,
      '[{"op":"test","path":"/data/k","value":"x"}]',
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      JSON_PATCH,
      '[{"op":"frob","path":"/data/k"}]',
      422,
      'the server rejected our request due to an error in our request',
    ],
    [MERGE, '{"metadata":{"name":"zz"}}', 400, 'the name of the object (zz) does not match the name on the URL (a)'],
    [
      MERGE,
      '{"metadata":{"resourceVersion":"1"}}',
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      MERGE,
      '{"metadata":{"uid":"other"}}',
      422,
      'ConfigMap "a" is invalid: metadata.uid: Invalid value: "other": field is immutable',
    ],
    ['', '{}', 415, '415: Unsupported Media Type'],
    ['application/json', '{}', 415, '415: Unsupported Media Type'],
    ['application/apply-patch+json', '{}', 415, '415: Unsupported Media Type'],
    ['application/apply-patch+cbor', '{}', 415, '415: Unsupported Media Type'],
  ])('%s %.60s is refused with %i', async (type, body, status, message) => {
    const answer = await patch(type, body);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(stored);
  });

  it('that makes a value of the wrong type is 422 and shows what it makes', async () => {
    const { status, body } = await patch(MERGE, { data: { k: 5 } });
    expect([status, body.details.name, body.details.causes[0].field]).toEqual([422, undefined, 'patch']);
    expect(body.message).toMatch(
      /^ "" is invalid: patch: Invalid value: "\{.*\\"data\\":\{\\"k\\":5\}.*\}": json: cannot unmarshal number into Go struct field ConfigMap.data of type string$/,
    );
  });

  it('of a missing object is 404, whatever the patch is', async () => {
    const answer = await server.call('PATCH', `${MAPS}/nope`, { type: MERGE, body: '{' });
    expect([answer.status, answer.body.message]).toEqual([404, 'configmaps "nope" not found']);
  });

  it('with the current version is taken, and again is not', async () => {
    const body = { metadata: { resourceVersion: stored.metadata.resourceVersion }, data: { k: '2' } };
    expect((await patch(MERGE, body)).status).toBe(200);
    expect((await patch(MERGE, { ...body, data: { k: '3' } })).status).toBe(409);
  });

  it('a dry run shows the change and stores nothing', async () => {
    expect((await patch(MERGE, { data: { k: '2' } }, '?dryRun=All')).body.data).toEqual({ k: '2' });
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(stored);
  });

  it.each([
    ['', '{"bogus":1,"data":{"k":"2"}}', '299 - "unknown field \\"bogus\\""'],
    ['?fieldValidation=Ignore', '{"bogus":1,"data":{"k":"2"}}', undefined],
    ['', '{"data":{"k":"1","k":"2"}}', '299 - "duplicate field \\"data.k\\""'],
  ])('%s %s warns as asked', async (query, body, warning) => {
    const answer = await patch(MERGE, body, query);
    expect([answer.status, answer.headers['warning'], answer.body.data]).toEqual([200, warning, { k: '2' }]);
    expect(answer.body.bogus).toBeUndefined();
  });

  it('Strict refuses what the kind does not know: 422', async () => {
    const { status, body } = await patch(MERGE, { bogus: 1 }, '?fieldValidation=Strict');
    expect(status).toBe(422);
    expect(body.message).toMatch(/: strict decoding error: unknown field "bogus"$/);
  });

  it('32 at the same time are all applied', async () => {
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        index % 2 === 0
          ? patch(MERGE, { data: { [`k${index}`]: String(index) } })
          : patch(JSON_PATCH, [{ op: 'add', path: `/data/k${index}`, value: String(index) }]),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map(({ body }) => body.metadata.resourceVersion)).size).toBe(32);
    const { data } = await server.ok('GET', `${MAPS}/a`);
    expect(Object.keys(data)).toHaveLength(33);
  });
});

describe('patch of subresources', () => {
  const pods = '/api/v1/namespaces/x/pods';

  beforeEach(async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await server.ok('POST', pods, { body: { metadata: { name: 'p' }, spec, status: { phase: 'Running' } } });
  });

  it('status changes there and nowhere else', async () => {
    expect((await server.ok('GET', `${pods}/p`)).status.phase).toBe('Pending');
    const body = { status: { phase: 'Running' }, spec: { nodeName: 'zz' } };
    const there = await server.ok('PATCH', `${pods}/p/status`, { type: MERGE, body });
    expect([there.status.phase, there.spec.nodeName, there.metadata.generation]).toEqual(['Running', undefined, 1]);
    const elsewhere = await server.ok('PATCH', `${pods}/p`, { type: MERGE, body: { status: { phase: 'Failed' } } });
    expect(elsewhere.status.phase).toBe('Running');
  });

  it('a kind without a status has none to patch: 404', async () => {
    const answer = await server.call('PATCH', `${MAPS}/a/status`, { type: MERGE, body: {} });
    expect([answer.status, answer.body.message]).toEqual([404, 'the server could not find the requested resource']);
  });
});
