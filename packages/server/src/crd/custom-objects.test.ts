import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Json } from '../start/in-process-server.fixture.ts';
import { CRDS, CustomServer, LIMIT, MERGE, pathOf, specSchema, widget, widgets } from './custom-server.fixture.ts';

let server: CustomServer;
let count = 0;

beforeAll(async () => {
  server = await CustomServer.start();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Installs widgets with these fields in their spec, in a group of their own. */
async function install(properties: object = FIELDS, version: object = {}, spec: object = {}): Promise<string> {
  count += 1;
  const group = `o${count}.example.com`;
  const schema = { openAPIV3Schema: specSchema(properties) };
  await server.install(widgets(group, { schema, ...version }, spec));
  return group;
}

const FIELDS = { a: { type: 'string' }, n: { type: 'integer' } };

/** Gives the definition of a group another schema, and waits until it is served. */
async function change(group: string, properties: object): Promise<void> {
  const read = await server.ok('GET', `${CRDS}/widgets.${group}`);
  const versions = [{ ...read.spec.versions[0], schema: { openAPIV3Schema: specSchema(properties) } }];
  await server.ok('PATCH', `${CRDS}/widgets.${group}`, { spec: { versions } }, MERGE);
}

describe('a body', () => {
  let group: string;
  beforeAll(async () => {
    group = await install();
  });

  it('of another version is refused with 400, of another kind with 422, without a kind with 400', async () => {
    const version = await server.ask('POST', pathOf(group), widget(group, 'x', {}, 'v2'));
    expect(version.body).toMatchObject({
      code: 400,
      message: `the API version in the data (${group}/v2) does not match the expected API version (${group}/v1)`,
    });
    const kind = await server.ask('POST', pathOf(group), { ...widget(group, 'x'), kind: 'Other' });
    expect(kind.body).toMatchObject({
      code: 422,
      message: `Other.${group} "x" is invalid: kind: Invalid value: "Other": must be Widget`,
    });
    const none = await server.ask('POST', pathOf(group), { metadata: { name: 'x' } });
    expect(none.body.code).toBe(400);
    expect(none.body.message).toMatch(
      /^the object provided is unrecognized \(must be of type Widget\): Object 'Kind' is missing in /u,
    );
  });

  it('with metadata of the wrong type is refused', async () => {
    const bad = { ...widget(group, 'x'), metadata: { name: 'x', labels: { a: 1 } } };
    expect((await server.ask('POST', pathOf(group), bad)).body).toMatchObject({
      code: 400,
      message: expect.stringContaining(
        'cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels',
      ),
    });
    const name = await server.ask('POST', pathOf(group), widget(group, 'Bad_Name'));
    expect(name.status).toBe(422);
  });

  it('with unknown fields is pruned with a warning, refused when strict, and pruned silently on request', async () => {
    const given = widget(group, 'pruned', { spec: { a: 'x', unk: 1 } });
    const warned = await server.ask('POST', pathOf(group), { ...given, metadata: { name: 'pruned', foo: 1 } });
    expect(warned.body.spec).toEqual({ a: 'x' });
    expect(warned.headers['warning']).toBe(
      '299 - "unknown field \\"metadata.foo\\"", 299 - "unknown field \\"spec.unk\\""',
    );
    const text = `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"s"},"spec":{"a":"x","a":"y","unk":1}}`;
    const strict = await server.ask('POST', `${pathOf(group)}?fieldValidation=Strict`, text);
    expect(strict.body.message).toBe(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.a", unknown field "spec.unk"',
    );
    const silent = await server.ask(
      'POST',
      `${pathOf(group)}?fieldValidation=Ignore`,
      widget(group, 'i', { spec: { unk: 1 } }),
    );
    expect(silent).toMatchObject({ status: 201, body: { spec: {} } });
    expect(silent.headers['warning']).toBeUndefined();
  });

  it('may be YAML, and may not be protobuf', async () => {
    const yaml = `apiVersion: ${group}/v1\nkind: Widget\nmetadata: {name: yaml}\nspec: {a: "y"}\n`;
    expect(await server.ask('POST', pathOf(group), yaml, { type: 'application/yaml' })).toMatchObject({
      status: 201,
      body: { spec: { a: 'y' } },
    });
    const protobuf = { type: 'application/vnd.kubernetes.protobuf' };
    expect((await server.ask('POST', pathOf(group), 'k8s\0', protobuf)).status).toBeGreaterThanOrEqual(400);
    const accept = { accept: 'application/cbor' };
    expect((await server.ask('GET', pathOf(group), undefined, accept)).body).toMatchObject({
      code: 406,
      message:
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    });
  });

  it('posted to a name creates, and other paths are not served', async () => {
    expect((await server.ask('POST', pathOf(group, '/posted'), widget(group, 'posted'))).status).toBe(201);
    expect((await server.ask('GET', `/apis/${group}/v1/widgets`)).status).toBe(200);
    for (const [method, path] of [
      ['GET', `/apis/${group}/v1/widgets/posted`],
      ['POST', `/apis/${group}/v1/widgets`],
      ['GET', pathOf(group, '', 'v2')],
    ] as const) {
      const body = method === 'POST' ? widget(group, 'x') : undefined;
      expect(await server.ask(method, path, body)).toMatchObject({ status: 404, body: '404 page not found\n' });
    }
    expect((await server.ask('GET', pathOf(group, '/posted/status'))).body).toMatchObject({
      code: 404,
      message: `widgets.${group} "posted" not found`,
    });
    const missing = `/apis/${group}/v1/namespaces/nope/widgets`;
    expect((await server.ask('POST', missing, widget(group, 'x'))).body.message).toBe('namespaces "nope" not found');
  });
});

describe('an update', () => {
  it('needs a version, finds nothing that is not there, and refuses an old version', async () => {
    const group = await install();
    const made = await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { a: 'x' } }));
    expect((await server.ask('PUT', pathOf(group, '/w'), widget(group, 'w'))).body).toMatchObject({
      code: 422,
      message: expect.stringContaining('metadata.resourceVersion: Invalid value: 0: must be specified for an update'),
    });
    expect((await server.ask('PUT', pathOf(group, '/none'), { ...made, metadata: { name: 'none' } })).status).toBe(404);
    await server.ok('PATCH', pathOf(group, '/w'), { spec: { a: 'y' } }, MERGE);
    expect((await server.ask('PUT', pathOf(group, '/w'), made)).status).toBe(409);
    const strategic = await server.ask(
      'PATCH',
      pathOf(group, '/w'),
      {},
      { type: 'application/strategic-merge-patch+json' },
    );
    expect(strategic.status).toBe(415);
    const moved = await server.ask('PATCH', pathOf(group, '/w'), { apiVersion: `${group}/v9` }, MERGE);
    expect(moved.body).toMatchObject({ code: 422, message: expect.stringContaining(`must be ${group}/v1`) });
  });

  it('counts in the generation when it changes more than metadata; the status counts only without the subresource', async () => {
    const group = await install();
    const generation = async (patch: object): Promise<number> =>
      (await server.ok('PATCH', pathOf(group, '/w'), patch, MERGE)).metadata.generation;
    await server.ok('POST', pathOf(group), widget(group, 'w'));
    expect(await generation({ metadata: { labels: { a: 'b' } } })).toBe(1);
    expect(await generation({ spec: { a: 'x' } })).toBe(2);
    expect(await generation({ status: { ready: true } })).toBe(3);
  });

  it('of the status changes nothing else, and one of the object no status', async () => {
    const group = await install(FIELDS, { subresources: { status: {} } });
    const created = await server.ok(
      'POST',
      pathOf(group),
      widget(group, 'w', { spec: { a: 'x' }, status: { ready: true } }),
    );
    expect(created.status).toBeUndefined();
    const patch = { metadata: { labels: { a: 'b' } }, spec: { a: 'y' }, status: { ready: true } };
    const status = await server.ok('PATCH', pathOf(group, '/w/status'), patch, MERGE);
    expect(status).toMatchObject({ spec: { a: 'x' }, status: { ready: true }, metadata: { generation: 1 } });
    expect(status.metadata.labels).toBeUndefined();
    const object = await server.ok('PATCH', pathOf(group, '/w'), { spec: { a: 'y' }, status: { ready: false } }, MERGE);
    expect(object).toMatchObject({ spec: { a: 'y' }, status: { ready: true }, metadata: { generation: 2 } });
    expect((await server.ask('DELETE', pathOf(group, '/w/status'))).body).toMatchObject({
      code: 405,
      message: `delete is not supported on resources of kind "widgets.${group}"`,
    });
  });

  it('takes new finalizers without a domain, with a warning', async () => {
    const group = await install();
    const made = await server.ask('POST', pathOf(group), {
      ...widget(group, 'w'),
      metadata: { name: 'w', finalizers: ['foo'] },
    });
    expect(made.status).toBe(201);
    expect(made.headers['warning']).toContain('prefer a domain-qualified finalizer name');
    const kept = await server.ask('PATCH', pathOf(group, '/w'), { spec: { a: 'x' } }, MERGE);
    expect([kept.status, kept.headers['warning']]).toEqual([200, undefined]);
  });
});

describe('a changed schema', () => {
  it('warns of an unchanged value that breaks a new rule, also when the write is refused', async () => {
    const group = await install({ n: { type: 'integer' }, m: { type: 'integer' } });
    await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { n: 9, m: 1 } }));
    const ruled = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 4' }] };
    await change(group, { n: ruled, m: ruled });
    const warning = '299 - "spec.n: Invalid value: 9: failed rule: self < 4"';
    const patch = async (body: object): Promise<readonly unknown[]> => {
      const { status, headers } = await server.ask('PATCH', pathOf(group, '/w'), body, MERGE);
      return [status, headers['warning']];
    };
    await vi.waitFor(async () => {
      expect(await patch({ metadata: { labels: { a: 'b' } } })).toEqual([200, warning]);
    }, LIMIT);
    expect(await patch({ spec: { m: 9 } })).toEqual([422, warning]);
    expect(await patch({ metadata: { labels: { a: '-' } } })).toEqual([422, warning]);
  });

  it('shows its defaults and hides fields that it has lost; the next write stores that', async () => {
    const group = await install({ a: { type: 'string' }, lost: { type: 'string' } });
    const made = await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { a: 'x', lost: 'y' } }));
    await change(group, { a: { type: 'string' }, b: { type: 'string', default: 'new' } });
    await vi.waitFor(async () => {
      const read = await server.ok('GET', pathOf(group, '/w'));
      expect(read.spec).toEqual({ a: 'x', b: 'new' });
      expect(read.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    }, LIMIT);
    const list = await server.ok('GET', pathOf(group));
    expect(list.items[0].spec).toEqual({ a: 'x', b: 'new' });
    const read = await server.ok('GET', pathOf(group, '/w'));
    const written = await server.ok('PUT', pathOf(group, '/w'), read);
    expect(written.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
    expect(written.metadata.generation).toBe(1);
    const again = await server.ok('PUT', pathOf(group, '/w'), written);
    expect(again.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
    await change(group, { a: { type: 'string' }, lost: { type: 'string' } });
    await vi.waitFor(async () => expect((await server.ok('GET', pathOf(group, '/w'))).spec).toEqual({ a: 'x' }), LIMIT);
  });
});

describe('lists and watches', () => {
  it('select by fields that the definition names, and refuse others', async () => {
    const selectableFields = [{ jsonPath: '.spec.a' }];
    const group = await install(FIELDS, { selectableFields });
    for (const [name, spec] of [
      ['x', { a: 'red' }],
      ['y', { a: 'blue' }],
      ['z', {}],
    ] as const) {
      await server.ok('POST', pathOf(group), widget(group, name, { spec }));
    }
    const names = async (selector: string): Promise<string[]> =>
      (await server.ok('GET', `${pathOf(group)}?fieldSelector=${encodeURIComponent(selector)}`)).items.map(
        (item: Json) => item.metadata.name,
      );
    expect(await names('spec.a=red')).toEqual(['x']);
    expect(await names('spec.a!=red')).toEqual(['y', 'z']);
    expect(await names('spec.a=')).toEqual(['z']);
    const refused = await server.ask('GET', `${pathOf(group)}?fieldSelector=spec.n%3D1`);
    expect(refused.body).toMatchObject({ code: 400, message: 'field label not supported: spec.n' });
    const watch = await server.watch(`${pathOf(group)}?fieldSelector=spec.a%3Dred`);
    await server.ok('PATCH', pathOf(group, '/y'), { spec: { a: 'red' } }, MERGE);
    await server.ok('PATCH', pathOf(group, '/x'), { spec: { a: 'green' } }, MERGE);
    await vi.waitFor(() => expect(watch.events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'DELETED']), LIMIT);
    watch.stop();
  });

  it('have pages, tables of the columns of the definition, and metadata alone', async () => {
    const additionalPrinterColumns = [
      { name: 'A', type: 'string', jsonPath: '.spec.a' },
      { name: 'N', type: 'integer', jsonPath: '.spec.n', priority: 1 },
    ];
    const group = await install(FIELDS, { additionalPrinterColumns });
    for (const name of ['x', 'y', 'z']) {
      await server.ok('POST', pathOf(group), widget(group, name, { spec: { a: name, n: 1 } }));
    }
    const page = await server.ok('GET', `${pathOf(group)}?limit=2`);
    expect(page.items.map((item: Json) => [item.kind, item.apiVersion, item.metadata.name])).toEqual([
      ['Widget', `${group}/v1`, 'x'],
      ['Widget', `${group}/v1`, 'y'],
    ]);
    const rest = await server.ok('GET', `${pathOf(group)}?limit=2&continue=${page.metadata.continue}`);
    expect(rest).toMatchObject({ metadata: { continue: '' }, items: [{ metadata: { name: 'z' } }] });
    const table = await server.ok('GET', pathOf(group), undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect(table.columnDefinitions).toMatchObject([
      { name: 'Name' },
      { name: 'A', type: 'string' },
      { name: 'N', priority: 1 },
    ]);
    expect(table.rows.map((row: Json) => row.cells)).toEqual([
      ['x', 'x', 1],
      ['y', 'y', 1],
      ['z', 'z', 1],
    ]);
    const accept = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
    expect((await server.ok('GET', pathOf(group), undefined, accept)).items[0]).not.toHaveProperty('spec');
    const binary = { accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
    expect((await server.ask('GET', pathOf(group), undefined, binary)).status).toBe(200);
    const deleted = await server.ok('DELETE', pathOf(group));
    expect(deleted.items).toHaveLength(3);
  });
});

async function head(path: string): Promise<number> {
  const user = { name: 'ada', groups: ['system:masters'] };
  const response = await server.server.handle({ method: 'HEAD', path, headers: {} }, { user });
  for await (const _ of response.body) void _;
  return response.status;
}

describe('a HEAD', () => {
  it('is answered as a GET on custom kinds and their discovery, and with 405 on built-in ones', async () => {
    const group = await install();
    await server.ok('POST', pathOf(group), widget(group, 'w'));
    const table: readonly (readonly [path: string, status: number])[] = [
      [pathOf(group), 200],
      [pathOf(group, '/w'), 200],
      [pathOf(group, '/none'), 404],
      [pathOf(group, '?watch=1'), 405],
      [`/apis/${group}/v1/widgets`, 200],
      [`/apis/${group}/v1/widgets/w`, 404],
      [`/apis/${group}/v1`, 200],
      [`/apis/${group}`, 200],
      ['/apis', 200],
      ['/api', 405],
      ['/api/v1', 405],
      ['/apis/apps', 200],
      ['/apis/apps/v1', 405],
      ['/api/v1/namespaces/default', 405],
      ['/api/v1/namespaces', 405],
    ];
    for (const [path, status] of table) expect([path, await head(path)]).toEqual([path, status]);
  });
});

describe('a scale', () => {
  it('of an object without replicas is a 500 when it is read, and can be set', async () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const group = await install({ replicas: { type: 'integer' } }, { subresources: { scale } });
    const asScale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'w' }, spec: { replicas: 2 } };
    for (const [method, body, options] of [
      ['PUT', asScale, {}],
      ['PATCH', { spec: { replicas: 2 } }, MERGE],
    ] as const) {
      await server.ok('POST', pathOf(group), widget(group, 'w'));
      expect((await server.ask('GET', pathOf(group, '/w/scale'))).body).toMatchObject({
        code: 500,
        message: 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
      });
      expect(await server.ok(method, pathOf(group, '/w/scale'), body, options)).toMatchObject({
        spec: { replicas: 2 },
      });
      await server.ok('DELETE', pathOf(group, '/w'));
    }
  });

  it('reads and sets the replicas where the definition says', async () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const group = await install({ replicas: { type: 'integer' } }, { subresources: { status: {}, scale } });
    await server.ok('POST', pathOf(group), widget(group, 'w'));
    expect((await server.ask('GET', pathOf(group, '/w/scale'))).body).toMatchObject({
      code: 500,
      message: expect.stringContaining('the spec replicas field ".spec.replicas" does not exist'),
    });
    await server.ok('PATCH', pathOf(group, '/w'), { spec: { replicas: 1 } }, MERGE);
    const scaled = await server.ok('PATCH', pathOf(group, '/w/scale'), { spec: { replicas: 5 } }, MERGE);
    expect(scaled).toMatchObject({ kind: 'Scale', spec: { replicas: 5 }, status: { replicas: 0 } });
    expect(await server.ok('GET', pathOf(group, '/w'))).toMatchObject({
      spec: { replicas: 5 },
      metadata: { generation: 3 },
    });
    const negative = await server.ask('PATCH', pathOf(group, '/w/scale'), { spec: { replicas: -1 } }, MERGE);
    expect(negative.body.message).toContain('.spec.replicas: Invalid value: -1: should be a non-negative integer');
  });
});

describe('versions', () => {
  it('share their objects; the one that is stored may change', async () => {
    const group = await install();
    await server.ok('POST', pathOf(group), widget(group, 'w', { spec: { a: 'x' } }));
    const read = await server.ok('GET', `${CRDS}/widgets.${group}`);
    const [first] = read.spec.versions;
    const versions = [
      { ...first, storage: false, deprecated: true },
      { ...first, name: 'v2', storage: true },
    ];
    await server.ok('PATCH', `${CRDS}/widgets.${group}`, { spec: { versions } }, MERGE);
    await server.until(200, 'GET', pathOf(group, '/w', 'v2'));
    const old = await server.ask('GET', pathOf(group, '/w'));
    expect(old.headers['warning']).toBe(`299 - "${group}/v1 Widget is deprecated; use ${group}/v2 Widget"`);
    const first2 = await server.ok('PUT', pathOf(group, '/w'), old.body);
    expect(first2.metadata.resourceVersion).not.toBe(old.body.metadata.resourceVersion);
    const second = await server.ok('PUT', pathOf(group, '/w'), first2);
    expect(second.metadata.resourceVersion).toBe(first2.metadata.resourceVersion);
    const watch = await server.watch(`${pathOf(group)}?resourceVersion=${second.metadata.resourceVersion}`);
    const made = await server.ok('POST', pathOf(group, '', 'v2'), widget(group, 'n', { spec: { a: 'z' } }, 'v2'));
    expect(made.apiVersion).toBe(`${group}/v2`);
    await vi.waitFor(
      () => expect(watch.events[0]?.object).toMatchObject({ apiVersion: `${group}/v1`, spec: { a: 'z' } }),
      LIMIT,
    );
    watch.stop();
    const lists = await Promise.all(['v1', 'v2'].map((version) => server.ok('GET', pathOf(group, '', version))));
    expect(lists.map((list) => list.items.map((item: Json) => item.apiVersion))).toEqual([
      [`${group}/v1`, `${group}/v1`],
      [`${group}/v2`, `${group}/v2`],
    ]);
  });

  it('keep the owners that wrote in another one; an apply in another one takes the place of the last', async () => {
    const group = await install();
    const read = await server.ok('GET', `${CRDS}/widgets.${group}`);
    const [first] = read.spec.versions;
    const versions = [first, { ...first, name: 'v2', storage: false }];
    await server.ok('PATCH', `${CRDS}/widgets.${group}`, { spec: { versions } }, MERGE);
    await server.until(200, 'GET', pathOf(group, '', 'v2'));
    const apply = async (version: string, spec: object): Promise<Json> => {
      const path = `${pathOf(group, '/w', version)}?fieldManager=me`;
      const type = { type: 'application/apply-patch+yaml' };
      return server.ok('PATCH', path, widget(group, 'w', { spec }, version), type);
    };
    await apply('v1', { a: 'x', n: 1 });
    expect((await apply('v2', { n: 1 })).spec).toEqual({ n: 1 });
    const changed = await server.ok('PATCH', `${pathOf(group, '/w')}?fieldManager=other`, { spec: { a: 'z' } }, MERGE);
    const owners = changed.metadata.managedFields.map(({ manager, apiVersion }: Json) => [manager, apiVersion]);
    expect(owners).toEqual([
      ['me', `${group}/v2`],
      ['other', `${group}/v1`],
    ]);
  });
});
