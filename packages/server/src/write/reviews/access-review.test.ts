import { openEnvelope } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { bytesField, envelope, intField } from '../../../../schema/src/protobuf/written-message.fixture.ts';
import { type Asked, InProcessServer } from '../../start/in-process-server.fixture.ts';

const GROUP = '/apis/authorization.k8s.io/v1';
const CAN_I = `${GROUP}/selfsubjectaccessreviews`;
const CAN_THEY = `${GROUP}/subjectaccessreviews`;
const CAN_THEY_HERE = `${GROUP}/namespaces/a/localsubjectaccessreviews`;
const BOB = { name: 'bob', groups: ['devs'] };
const LIST_PODS = { resourceAttributes: { verb: 'list', resource: 'pods' } };

const groups = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `g${n}`);

const messageOf = ({ status, body }: Asked): unknown => [status, body.message];

describe('an access review', () => {
  it('of oneself says what the authorizer decides', async () => {
    await using server = await InProcessServer.start();
    const mine = await server.ask('POST', CAN_I, { spec: LIST_PODS });
    expect(mine).toMatchObject({ status: 201, headers: { 'content-type': 'application/json' } });
    expect(mine.body).toEqual({
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: LIST_PODS,
      status: { allowed: true },
    });
    const bobs = await server.ok('POST', CAN_I, { spec: LIST_PODS }, { user: BOB });
    expect(bobs.status).toEqual({ allowed: false });
  });

  it('of more values than one turn decodes is refused with 413, in JSON and in YAML', async () => {
    await using server = await InProcessServer.start();
    const most = await server.ask('POST', CAN_THEY, { spec: { user: 'a', groups: groups(9000), ...LIST_PODS } });
    expect(most.status).toBe(201);
    const body = { spec: { user: 'a', groups: groups(11_000), ...LIST_PODS } };
    expect(messageOf(await server.ask('POST', CAN_THEY, body))).toEqual([
      413,
      expect.stringContaining('limit is 10000'),
    ]);
    const yaml = { type: 'application/yaml' };
    expect((await server.ask('POST', CAN_THEY, JSON.stringify(body), yaml)).status).toBe(413);
  });

  it('of another user is judged by the user, groups and extra that it names', async () => {
    const seen: unknown[] = [];
    const authorizer = {
      authorize: ({ user, ...rest }: { user: { name: string } }) => {
        seen.push(user, rest);
        return user.name === 'eve' ? ({ allowed: false, reason: 'not eve' } as const) : ({ allowed: true } as const);
      },
    };
    await using server = await InProcessServer.start({ authorizer });
    const extra = { 'a.b/C': ['x'] };
    const attributes = { namespace: 'n', verb: 'get', group: 'apps', version: 'v1', resource: 'deployments' };
    const resourceAttributes = { ...attributes, subresource: 'scale', name: 'd' };
    const spec = { user: 'eve', groups: ['g'], uid: 'u', extra, resourceAttributes };
    const { status } = await server.ok('POST', CAN_THEY, { spec });
    expect(status).toEqual({ allowed: false, reason: 'not eve' });
    expect(seen.slice(-2)).toEqual([
      { name: 'eve', uid: 'u', groups: ['g'], extra },
      { ...resourceAttributes, isResource: true, path: '' },
    ]);
  });

  it('reports the failure of the authorizer, and selectors that cannot be parsed', async () => {
    const authorizer = {
      authorize: ({ verb }: { verb: string }) => {
        if (verb === 'fail') throw new Error('no answer');
        return { allowed: true } as const;
      },
    };
    await using server = await InProcessServer.start({ authorizer });
    const review = async (attributes: object): Promise<unknown> =>
      (await server.ok('POST', CAN_I, { spec: { resourceAttributes: attributes } })).status;
    expect(await review({ verb: 'fail' })).toEqual({ allowed: false, evaluationError: 'no answer' });
    const selectors = { fieldSelector: { rawSelector: '&&&' }, labelSelector: { rawSelector: '!!!' } };
    expect(await review({ verb: 'list', ...selectors })).toEqual({
      allowed: true,
      evaluationError:
        'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
    });
  });

  it.each([
    [
      CAN_I,
      {},
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      CAN_I,
      { spec: { resourceAttributes: {}, nonResourceAttributes: {} } },
      'spec.nonResourceAttributes: Invalid value: {"Path":"","Verb":""}: cannot be specified in combination with resourceAttributes',
    ],
    [
      CAN_I,
      { metadata: { name: 'x', labels: { a: 'b' } }, spec: LIST_PODS },
      'metadata: Invalid value: {"name":"x","labels":{"a":"b"}}: must be empty',
    ],
    [CAN_THEY, { spec: LIST_PODS }, 'spec.user: Invalid value: "": at least one of user or group must be specified'],
    [
      CAN_THEY_HERE,
      { spec: { user: 'bob', ...LIST_PODS } },
      'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    ],
    [
      CAN_THEY_HERE,
      { spec: { user: 'bob', nonResourceAttributes: { path: '/', verb: 'get' } } },
      'spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":"get"}: disallowed on this kind of request',
    ],
    [
      CAN_I,
      {
        spec: {
          resourceAttributes: {
            labelSelector: { requirements: [{ key: 'a b', operator: 'In', values: ['b', '-x.'] }] },
          },
        },
      },
      `[spec.resourceAttributes.labelSelector.requirements[0].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), spec.resourceAttributes.labelSelector.requirements[0].values[1]: Invalid value: "-x.": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')]`,
    ],
    [
      CAN_I,
      {
        spec: {
          resourceAttributes: {
            fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In' }] },
            labelSelector: {},
          },
        },
      },
      "[spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: \"a=b\": may not specified at the same time as requirements, spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn', spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required]",
    ],
  ])('at %s of %j is refused as invalid', async (path, body, why) => {
    await using server = await InProcessServer.start();
    const asked = await server.ask('POST', path, body);
    expect(messageOf(asked)).toEqual([422, `.authorization.k8s.io "" is invalid: ${why}`]);
    expect(asked.body.details).toMatchObject({ group: 'authorization.k8s.io' });
  });

  it('of a namespace is about that namespace, whether it exists or not', async () => {
    await using server = await InProcessServer.start();
    const spec = { user: 'bob', resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'a' } };
    expect(await server.ok('POST', CAN_THEY_HERE, { spec })).toMatchObject({
      metadata: { namespace: 'a' },
      status: { allowed: false },
    });
    const other = { metadata: { namespace: 'b' }, spec };
    expect(messageOf(await server.ask('POST', CAN_THEY_HERE, other))).toEqual([
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ]);
  });

  it('is read as YAML and as protobuf, and answered in protobuf to those who accept it', async () => {
    await using server = await InProcessServer.start();
    const yaml = 'spec: {resourceAttributes: {verb: list}}';
    const allowed = { status: { allowed: true } };
    expect(await server.ok('POST', CAN_I, yaml, { type: 'application/yaml' })).toMatchObject(allowed);
    const attributes = bytesField(1, bytesField(2, 'list'), bytesField(5, 'pods'));
    const message = envelope('authorization.k8s.io/v1', 'SelfSubjectAccessReview', bytesField(2, attributes));
    const response = await server.server.handle(
      {
        method: 'POST',
        path: CAN_I,
        headers: {
          'content-type': 'application/vnd.kubernetes.protobuf',
          accept: 'application/vnd.kubernetes.protobuf,application/json',
        },
        body: message,
      },
      { user: { name: 'ada', groups: ['system:masters'] } },
    );
    expect(response.status).toBe(201);
    expect(response.headers['content-type']).toBe('application/vnd.kubernetes.protobuf');
    const parts: Uint8Array[] = [];
    for await (const part of response.body) parts.push(part);
    const { kind, message: answer } = openEnvelope(Buffer.concat(parts));
    expect(kind).toBe('SelfSubjectAccessReview');
    // `status.allowed` is true.
    expect(Buffer.from(answer).includes(bytesField(3, intField(1, 1)).subarray(2))).toBe(true);
  });

  it('warns of unknown fields, and refuses them when asked to be strict', async () => {
    await using server = await InProcessServer.start();
    const body = { spec: { ...LIST_PODS, bar: 1 } };
    expect((await server.ask('POST', CAN_I, body)).headers['warning']).toBe('299 - "unknown field \\"spec.bar\\""');
    expect(messageOf(await server.ask('POST', `${CAN_I}?fieldValidation=Strict`, body))).toEqual([
      400,
      'SelfSubjectAccessReview in version "v1" cannot be handled as a SelfSubjectAccessReview: strict decoding error: unknown field "spec.bar"',
    ]);
  });

  it('has no Table: 406, or the next form that the client takes', async () => {
    await using server = await InProcessServer.start();
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const ask = (accept: string): Promise<Asked> => server.ask('POST', CAN_I, { spec: LIST_PODS }, { accept });
    expect(messageOf(await ask(table))).toEqual([
      406,
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ]);
    expect((await ask(`${table},application/json`)).body).toMatchObject({ kind: 'SelfSubjectAccessReview' });
    const partial = await ask('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
    expect(partial.body).toEqual({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: {} });
    expect((await ask('application/yaml')).body).toContain('status:\n  allowed: true\n');
  });

  it('can only be created', async () => {
    await using server = await InProcessServer.start();
    const asked = [
      await server.ask('GET', CAN_I),
      await server.ask('GET', `${CAN_I}/a`),
      await server.ask('POST', `${CAN_I}/a`, {}),
      await server.ask('POST', `${GROUP}/namespaces/a/selfsubjectaccessreviews`, {}),
      await server.ask('POST', `${GROUP}/localsubjectaccessreviews`, {}),
    ];
    expect(asked.map(({ status }) => status)).toEqual([405, 404, 404, 404, 404]);
  });

  it('with 9 000 groups is judged like any other', async () => {
    await using server = await InProcessServer.start();
    const many = Array.from({ length: 9000 }, (_, index) => `group-${index}`);
    const spec = { user: 'bob', groups: [...many, 'system:masters'], ...LIST_PODS };
    expect((await server.ok('POST', CAN_THEY, { spec })).status).toEqual({ allowed: true });
  });
});
