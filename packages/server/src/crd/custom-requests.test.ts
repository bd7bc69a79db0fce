import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRDS, CustomServer, MERGE, pathOf, specSchema, widget, widgets } from './custom-server.fixture.ts';

const group = 'requests.example.com';
const name = `widgets.${group}`;
const CRD = `${CRDS}/${name}`;
let server: CustomServer;

beforeAll(async () => {
  server = await CustomServer.start();
  const properties = {
    a: { type: 'string' },
    n: { type: 'integer' },
    kept: { type: 'string', nullable: true },
    filled: { type: 'object', default: {}, properties: { x: { type: 'string', default: 'd' } } },
    absent: { type: 'object', properties: { x: { type: 'string', default: 'd' } } },
    word: { type: 'string', default: 'w' },
  };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties },
        status: { type: 'object', properties: { n: { type: 'integer' } } },
      },
    },
  };
  const version = {
    schema,
    deprecated: true,
    subresources: { status: {} },
    selectableFields: [{ jsonPath: '.spec.a' }],
  };
  await server.install(widgets(group, version));
  await server.ok('POST', pathOf(group), widget(group, 'one', { spec: { a: 'x' } }));
  await server.ok('POST', pathOf(group), widget(group, 'two', { spec: {} }));
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

interface Case {
  readonly given: string;
  readonly ask: readonly [method: string, path: string, body?: unknown, options?: object];
  readonly status: number;
  /** What is in the answer. */
  readonly body?: object | undefined;
}

const thing = (more: object, called = 'bad') => ({ ...widget(group, called), ...more });
const text = (pattern: string): unknown => expect.stringContaining(pattern);

const refusals: readonly Case[] = [
  {
    given: 'a name with capitals',
    ask: ['POST', pathOf(group), thing({}, 'Bad_Name')],
    status: 422,
    body: { message: text('metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain') },
  },
  {
    given: 'an unknown and a repeated field, strict',
    ask: [
      'POST',
      `${pathOf(group)}?fieldValidation=Strict`,
      `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"s"},"spec":{"zz":1,"a":"1","a":"2"}}`,
    ],
    status: 400,
    body: { message: text('strict decoding error: duplicate field "spec.a", unknown field "spec.zz"') },
  },
  {
    given: 'a strategic patch',
    ask: ['PATCH', pathOf(group, '/one'), {}, { type: 'application/strategic-merge-patch+json' }],
    status: 415,
    body: { reason: 'UnsupportedMediaType' },
  },
  {
    given: 'an apply with a field that is not declared',
    ask: [
      'PATCH',
      `${pathOf(group, '/one')}?fieldManager=me`,
      thing({ spec: { zz: 1 } }, 'one'),
      { type: 'application/apply-patch+yaml' },
    ],
    status: 500,
    body: { message: text('.spec.zz: field not declared in schema') },
  },
  {
    given: 'only protobuf accepted',
    ask: ['GET', pathOf(group, '/one'), undefined, { accept: 'application/vnd.kubernetes.protobuf' }],
    status: 406,
  },
  {
    given: 'a namespace that is not there',
    ask: ['POST', `/apis/${group}/v1/namespaces/nope/widgets`, thing({})],
    status: 404,
    body: { message: 'namespaces "nope" not found' },
  },
  {
    given: 'a status of the wrong type',
    ask: ['PATCH', pathOf(group, '/one/status'), { status: { n: 'x' } }, MERGE],
    status: 422,
    body: { message: text('status.n: Invalid value: "string": n in body must be of type integer: "string"') },
  },
  {
    given: 'a fraction for an integer',
    ask: ['POST', pathOf(group), thing({ spec: { n: 1.5 } })],
    status: 422,
    body: { message: text('spec.n in body must be of type integer: "number"') },
  },
  {
    given: 'a delete of the definition with another uid',
    ask: ['DELETE', CRD, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'x' } }],
    status: 409,
    body: { message: text('Precondition failed: UID in precondition: x, UID in object meta:') },
  },
];

/** The names of the widgets that a field selector selects. */
async function names(selector: string): Promise<unknown[]> {
  const { items } = await server.ok('GET', `${pathOf(group)}?fieldSelector=${selector}`);
  return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

describe('a request for a custom kind', () => {
  it.each(refusals)(
    'with $given is refused with $status',
    async ({ ask: [method, path, body, options], status, body: part }) => {
      const answer = await server.ask(method, path, body, options ?? {});
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
      if (part !== undefined) expect(answer.body).toMatchObject(part);
    },
  );

  it('in a namespace that is going is refused with 403 and the cause', async () => {
    await server.ok('POST', '/api/v1/namespaces', {
      metadata: { name: 'going' },
      spec: { finalizers: ['kubernetes'] },
    });
    const path = `/apis/${group}/v1/namespaces/going/widgets`;
    await server.ok('POST', path, widget(group, 'before'));
    await server.ok('DELETE', '/api/v1/namespaces/going');
    expect((await server.ask('POST', path, widget(group, 'after'))).body).toMatchObject({
      code: 403,
      details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
    });
    expect((await server.ask('GET', `${path}/before`)).status).toBe(200);
  });

  it('drops nulls that are not allowed, keeps others, and fills defaults where their parent is', async () => {
    const spec = { a: null, kept: null, word: null };
    const made = await server.ok('POST', pathOf(group), widget(group, 'nulls', { spec }));
    expect(made.spec).toEqual({ kept: null, word: 'w', filled: { x: 'd' } });
    await server.ok('DELETE', pathOf(group, '/nulls'));
  });

  it('warns about unknown fields of metadata, and about the version', async () => {
    const body = { ...widget(group, 'warned'), metadata: { name: 'warned', foo: 1 } };
    const { headers } = await server.ask('POST', pathOf(group), body);
    expect(headers['warning']).toContain(`${group}/v1 Widget is deprecated`);
    expect(headers['warning']).toContain('unknown field \\"metadata.foo\\"');
    const { body: metrics } = await server.ask('GET', '/metrics');
    const labels = `group="${group}",version="v1",resource="widgets",subresource="",removed_release=""`;
    expect(metrics).toContain(`apiserver_requested_deprecated_apis{${labels}} 1\n`);
    await server.ok('DELETE', pathOf(group, '/warned'));
  });

  it('selects objects that lack a field by its empty value', async () => {
    expect(await names('spec.a%3D')).toEqual(['two']);
    expect(await names('spec.a%3Dx')).toEqual(['one']);
  });

  it('deletes the definition twice with 200, and not at all in a dry run', async () => {
    const mine = 'twice.example.com';
    const crd = `${CRDS}/widgets.${mine}`;
    await server.install(widgets(mine, { schema: { openAPIV3Schema: specSchema({}) } }));
    await server.ok('POST', pathOf(mine), {
      ...widget(mine, 'w'),
      metadata: { name: 'w', finalizers: ['example.com/f'] },
    });
    expect((await server.ask('DELETE', `${crd}?dryRun=All`)).status).toBe(200);
    expect((await server.ok('GET', crd)).metadata.deletionTimestamp).toBeUndefined();
    const first = await server.ok('DELETE', crd);
    const second = await server.ok('DELETE', crd);
    expect(second.metadata.deletionTimestamp).toBe(first.metadata.deletionTimestamp);
    await server.ok('PATCH', pathOf(mine, '/w'), { metadata: { finalizers: null } }, MERGE);
  });
});
