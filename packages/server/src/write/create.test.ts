import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, VerbFixture } from './verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function map(name: string, metadata: object = {}, rest: object = { data: { k: 'v' } }): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...rest };
}

function yaml(name: string): string {
  return `kind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  t: 2001-01-01\n  c: 1:30\n`;
}

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

describe('create', () => {
  it('answers 201 with the object, its uid, its time to the second and the revision of the commit', async () => {
    await server.clock.advance(999);
    const { status, headers, text } = await server.call('POST', MAPS, { body: map('a') });
    expect([status, headers]).toEqual([201, { 'content-type': 'application/json' }]);
    expect(text).toBe(
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"${await server.revision()}","name":"a","namespace":"x","uid":"uid-2","creationTimestamp":"${NOW}","managedFields":[{"manager":"unknown","operation":"Update","apiVersion":"v1","time":"${NOW}","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:k":{}}}}]},"data":{"k":"v"}}\n`,
    );
    expect(await server.ok('GET', `${MAPS}/a`)).toEqual(JSON.parse(text));
  });

  it('does not let a client set what the server sets', async () => {
    const metadata = {
      uid: 'mine',
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
      selfLink: '/x',
      managedFields: [{ manager: 'me' }],
    };
    const created = await server.ok('POST', MAPS, { body: map('a', metadata) });
    expect(Object.keys(created.metadata).toSorted()).toEqual([
      'creationTimestamp',
      'managedFields',
      'name',
      'namespace',
      'resourceVersion',
      'uid',
    ]);
    expect(created.metadata).toMatchObject({ uid: 'uid-2', creationTimestamp: NOW });
    expect(created.metadata.managedFields).toMatchObject([{ manager: 'unknown', operation: 'Update' }]);
  });

  it.each([
    ['kind and apiVersion', { metadata: { name: 'a' } }],
    ['apiVersion', { kind: 'ConfigMap', metadata: { name: 'a' } }],
  ])('a body without %s is what the endpoint serves', async (_, body) => {
    expect(await server.ok('POST', MAPS, { body })).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  });

  it('kinds that count their changes begin at generation 1, others have none', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    const body = { metadata: { name: 'd', generation: 7 }, spec };
    const deployment = await server.ok('POST', '/apis/apps/v1/namespaces/x/deployments', { body });
    expect(deployment.metadata.generation).toBe(1);
    expect((await server.ok('POST', MAPS, { body: map('a') })).metadata.generation).toBeUndefined();
  });

  it.each([
    ['no name', { metadata: {} }, '', 'metadata.name: Required value: name or generateName is required'],
    ['null', 'null', '', 'metadata.name: Required value: name or generateName is required'],
    ['upper case', map('Abc'), 'Abc', `metadata.name: Invalid value: "Abc": ${SUBDOMAIN}`],
    ['a slash', map('a/b'), 'a/b', `metadata.name: Invalid value: "a/b": ${SUBDOMAIN}`],
    ['a bad label', map('a', { labels: { 'a b': 'c' } }), 'a', `metadata.labels: Invalid value: "a b": ${NAME_PART}`],
    [
      'a bad annotation',
      map('a', { annotations: { '/x': 'y' } }),
      'a',
      'metadata.annotations: Invalid value: "/x": prefix part must be non-empty',
    ],
    [
      'long annotations',
      map('a', { annotations: { a: 'x'.repeat(300_000) } }),
      'a',
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    [
      'a bad finalizer',
      map('a', { finalizers: ['x y'] }),
      'a',
      `[metadata.finalizers: Invalid value: "x y": ${NAME_PART}, metadata.finalizers[0]: Invalid value: "x y": name is neither a standard finalizer name nor is it fully qualified]`,
    ],
    [
      'two finalizers that contradict one another',
      map('a', { finalizers: ['orphan', 'foregroundDeletion'] }),
      'a',
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [
      'an empty owner',
      map('a', { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: '', uid: '' }] }),
      'a',
      '[metadata.ownerReferences.name: Invalid value: "": must not be empty, metadata.ownerReferences.uid: Invalid value: "": must not be empty]',
    ],
    [
      'an Event as owner',
      map('a', { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }] }),
      'a',
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
    [
      'two controllers',
      map('a', {
        ownerReferences: [1, 2].map((n) => ({
          uid: `u${n}`,
          controller: true,
          name: `o${n}`,
          kind: 'K',
          apiVersion: 'v1',
        })),
      }),
      'a',
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"K","name":"o1","uid":"u1","controller":true},{"apiVersion":"v1","kind":"K","name":"o2","uid":"u2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for K/o1 and K/o2',
    ],
    [
      'a bad key of data and a bad name at once',
      map('A', {}, { data: { '..': '' } }),
      'A',
      `[metadata.name: Invalid value: "A": ${SUBDOMAIN}, data[..]: Invalid value: "..": must not be '..']`,
    ],
  ])('%s is 422', async (_, body, name, errors) => {
    const answer = await server.call('POST', MAPS, { body });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: `ConfigMap ${JSON.stringify(name)} is invalid: ${errors}`, reason: 'Invalid' },
    });
    expect(answer.body.details.kind).toBe('ConfigMap');
  });

  it.each([
    [
      'another namespace',
      map('a', { namespace: 'y' }),
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'an unknown kind',
      { ...map('a'), kind: 'Nope' },
      'Nope in version "v1" cannot be handled as a ConfigMap: no kind "Nope" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'an unknown version',
      { ...map('a'), apiVersion: 'v2' },
      'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'another kind that the body is not either',
      { ...map('a'), kind: 'Secret' },
      'Secret in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
    ],
    [
      'another kind',
      { ...map('a', {}, {}), kind: 'Secret' },
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      'an apiVersion of three parts',
      { apiVersion: 'a/b/c' },
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})',
    ],
    [
      'a label that is a number',
      map('a', { labels: { a: 1 } }),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'a list',
      '[]',
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)',
    ],
    [
      'an apiVersion that is a number',
      { apiVersion: 1 },
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string ({"apiVersion":1})',
    ],
    [
      'nothing',
      '',
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ],
    [
      'broken JSON, of which the beginning is shown',
      `{"apiVersion":"v1","kind":"ConfigMap",`,
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"apiVersion":"v1","kind":"Con ...)',
    ],
    [
      'JSON that nests too deep',
      `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: exceeded max depth ({"data":${'['.repeat(22)} ...)`,
    ],
  ])('%s is 400', async (_, body, message) => {
    const answer = await server.call('POST', MAPS, { body });
    expect(answer).toMatchObject({ status: 400, body: { message, reason: 'BadRequest' } });
  });

  it('a version on a new object is 500, as Kubernetes has it', async () => {
    const answer = await server.call('POST', MAPS, { body: map('a', { resourceVersion: '5' }) });
    expect(answer).toMatchObject({
      status: 500,
      body: { message: 'resourceVersion should not be set on objects to be created' },
    });
    expect(answer.body.reason).toBeUndefined();
  });

  it('a taken name is 409, and says so when the object is on its way out', async () => {
    await server.ok('POST', MAPS, { body: map('a', { finalizers: ['example.com/x'] }) });
    const again = await server.call('POST', MAPS, { body: map('a') });
    expect(again).toMatchObject({
      status: 409,
      body: {
        message: 'configmaps "a" already exists',
        reason: 'AlreadyExists',
        details: { name: 'a', kind: 'configmaps' },
      },
    });
    await server.ok('DELETE', `${MAPS}/a`);
    const deleting = await server.call('POST', MAPS, { body: map('a') });
    expect(deleting.body.message).toBe('object is being deleted: configmaps "a" already exists');
  });

  it('into a missing namespace is 404, before anything else about the object is validated', async () => {
    const answer = await server.call('POST', '/api/v1/namespaces/nowhere/configmaps', { body: map('BAD') });
    expect(answer).toMatchObject({
      status: 404,
      body: { message: 'namespaces "nowhere" not found', details: { name: 'nowhere', kind: 'namespaces' } },
    });
  });

  it('into a namespace that no key could hold is 404', async () => {
    const name = 'n'.repeat(2000);
    expect((await server.call('POST', `/api/v1/namespaces/${name}/configmaps`, { body: map('a') })).status).toBe(404);
  });

  it('into a namespace that goes away is 403, also when it was open a moment ago', async () => {
    await server.ok('POST', MAPS, { body: map('early') });
    await server.ok('DELETE', '/api/v1/namespaces/x');
    const answer = await server.call('POST', MAPS, { body: map('late') });
    expect(answer).toMatchObject({
      status: 403,
      body: {
        message:
          'configmaps "late" is forbidden: unable to create new content in namespace x because it is being terminated',
        details: {
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: 'namespace x is being terminated',
              field: 'metadata.namespace',
            },
          ],
        },
      },
    });
  });

  it('32 creates of one name: one is made, 31 are told that it exists', async () => {
    const answers = await Promise.all(Array.from({ length: 32 }, () => server.call('POST', MAPS, { body: map('a') })));
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      201,
      ...Array.from({ length: 31 }, () => 409),
    ]);
  });
});

describe('create with generateName', () => {
  it('labels a namespace with the name that was made', async () => {
    const { metadata } = await server.ok('POST', '/api/v1/namespaces', {
      body: { metadata: { generateName: 'gen-' } },
    });
    expect(metadata.labels).toEqual({ 'kubernetes.io/metadata.name': metadata.name });
  });

  it('makes a name and keeps the beginning that was asked for', async () => {
    const { metadata } = await server.ok('POST', MAPS, { body: { metadata: { generateName: 'gen-' } } });
    expect(metadata.generateName).toBe('gen-');
    expect(metadata.name).toMatch(/^gen-[a-z0-9]{5}$/);
  });

  it('a name wins over the beginning of one', async () => {
    const { metadata } = await server.ok('POST', MAPS, { body: map('a', { generateName: 'gen-' }) });
    expect(metadata.name).toBe('a');
  });

  it('tries eight names and then asks to come back', async () => {
    const refusing = new RefusingEngine(createMemoryEngine());
    const full = await new VerbFixture(refusing.engine).namespace();
    refusing.refusals = 7;
    const made = await full.call('POST', MAPS, { body: { metadata: { generateName: 'gen-' } } });
    expect(made.status).toBe(201);
    refusing.refusals = 8;
    const { status, body } = await full.call('POST', MAPS, { body: { metadata: { generateName: 'gen-' } } });
    expect([status, body.reason, body.details.retryAfterSeconds]).toEqual([409, 'AlreadyExists', 1]);
    expect(body.message).toMatch(
      /^configmaps "gen-\w{5}" already exists, the server was not able to generate a unique name for the object$/,
    );
  });
});

/** An engine in which the next few keys that are to be created exist already. */
class RefusingEngine {
  refusals = 0;
  readonly engine: StorageEngine;

  constructor(inner: StorageEngine) {
    this.engine = Object.create(inner, {
      get: { value: inner.get.bind(inner) },
      revision: { value: inner.revision.bind(inner) },
      commit: {
        value: async (...args: Parameters<StorageEngine['commit']>) => {
          if (this.refusals-- <= 0) return inner.commit(...args);
          return { committed: false, reason: 'KEY_EXISTS', current: undefined, revision: 1n };
        },
      },
    });
  }
}

describe('the options of create', () => {
  it('a dry run is validated like a real one, shows no version and stores nothing', async () => {
    const before = await server.revision();
    const { status, body } = await server.call('POST', `${MAPS}?dryRun=All`, { body: map('a') });
    expect([status, body.metadata.name, body.metadata.resourceVersion]).toEqual([201, 'a', undefined]);
    expect(await server.revision()).toBe(before);
    expect((await server.call('POST', `${MAPS}?dryRun=All`, { body: map('A') })).status).toBe(422);
    await server.ok('POST', MAPS, { body: map('a') });
    expect((await server.call('POST', `${MAPS}?dryRun=All`, { body: map('a') })).status).toBe(409);
  });

  const twice = '{"metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';
  const odd = { ...map('a', { odd: 1 }), bogus: { deep: 1 } };

  it.each([
    ['', odd, '299 - "unknown field \\"metadata.odd\\"", 299 - "unknown field \\"bogus\\""'],
    ['', twice, '299 - "duplicate field \\"data.x\\""'],
    ['?fieldValidation=Warn', twice, '299 - "duplicate field \\"data.x\\""'],
    ['?fieldValidation=Ignore', odd, undefined],
    ['?fieldValidation=Ignore', twice, undefined],
  ])('%s warns as asked, and drops what the kind does not know: %#', async (query, body, warning) => {
    const answer = await server.call('POST', `${MAPS}${query}`, { body });
    expect([answer.status, answer.headers['warning']]).toEqual([201, warning]);
    expect(answer.text).not.toMatch(/bogus|odd/);
    if (body === twice) expect(answer.body.data).toEqual({ x: '2' });
  });

  it.each([
    [odd, 'unknown field "metadata.odd", unknown field "bogus"'],
    [twice, 'duplicate field "data.x"'],
  ])('Strict refuses: %#', async (body, complaints) => {
    const answer = await server.call('POST', `${MAPS}?fieldValidation=Strict`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe(
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${complaints}`,
    );
  });
});

describe('the body of a create', () => {
  const json = JSON.stringify(map('a'));

  it.each(['', 'application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/yaml'])(
    'is read as %s',
    async (type) => expect((await server.call('POST', MAPS, { body: json, type })).status).toBe(201),
  );

  it.each(['text/plain', 'application/octet-stream', 'nonsense'])('is not read as %s: 415', async (type) => {
    expect(await server.call('POST', MAPS, { body: json, type })).toMatchObject({
      status: 415,
      body: {
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      },
    });
  });

  it('in YAML is read as Go reads it: y is a boolean, a time is text', async () => {
    const type = 'application/yaml';
    const made = await server.ok('POST', MAPS, { body: yaml('a'), type });
    expect(made.data).toEqual({ c: '1:30', t: '2001-01-01' });
    expect((await server.call('POST', MAPS, { body: yaml('y'), type })).body.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.name of type string',
    );
  });

  it('in YAML with a key twice warns of it', async () => {
    const body = 'metadata:\n  name: a\ndata:\n  x: "1"\n  x: "2"\n';
    const { headers, body: made } = await server.call('POST', MAPS, { body, type: 'application/yaml' });
    expect(headers['warning']).toBe('299 - "line 5: key \\"x\\" already set in map"');
    expect(made.data).toEqual({ x: '2' });
  });

  it.each(['a: [', 'a: *nobody', 'a: b: c'])('in broken YAML is 400: %s', async (body) => {
    const answer = await server.call('POST', MAPS, { body, type: 'application/yaml' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^the object provided is unrecognized \(must be of type ConfigMap\): yaml: /);
  });
});
