import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asked } from '../../../start/in-process-server.fixture.ts';
import { type PolicyNamespace, PolicyServer } from './policy-server.fixture.ts';

let server: PolicyServer;

beforeAll(async () => {
  server = await PolicyServer.start();
});

afterAll(() => server[Symbol.asyncDispose]());

async function changing(
  mutations: readonly string[],
  spec: object = {},
  binding: object = {},
): Promise<PolicyNamespace> {
  const space = await server.namespace();
  await space.mutate(mutations, spec, binding);
  return space;
}

/** The data of a created ConfigMap, or why it was refused. */
async function made(mutations: readonly string[], spec: object = {}): Promise<unknown> {
  const space = await changing(mutations, spec);
  return outcome(space, await space.create('a'));
}

function outcome({ name }: PolicyNamespace, { status, body }: Asked): unknown {
  if (status === 201) return body.data;
  return [status, body.reason, body.message.replace(`policy '${name}' with binding '${name}-b' denied request: `, '')];
}

describe('a mutating policy', () => {
  it('applies a configuration by the schema of the kind', async () => {
    const text =
      'Object{metadata: Object.metadata{labels: {"x": "y"}}, data: {"n": string(object.metadata.name), "op": request.operation}}';
    const space = await changing([text]);
    const { body } = await space.create('a');
    expect([body.metadata.labels, body.data]).toEqual([{ x: 'y' }, { k: 'v', n: 'a', op: 'CREATE' }]);
  });

  it('applies JSON patches, and each mutation sees those before it', async () => {
    expect(
      await made([
        'Object{data: {"one": "1"}}',
        '[JSONPatch{op: "add", path: "/data/two", value: object.data.one + "2"}, JSONPatch{op: "move", from: "/data/k", path: "/data/m"}]',
        'Object{data: {"three": object.data.two + "3"}}',
      ]),
    ).toEqual({ one: '1', two: '12', three: '123', m: 'v' });
  });

  it('skips a patch whose test fails, and goes on', async () => {
    const patch =
      '[JSONPatch{op: "test", path: "/data/k", value: "other"}, JSONPatch{op: "add", path: "/data/x", value: "y"}]';
    expect(await made([patch, 'Object{data: {"after": "yes"}}'])).toEqual({ k: 'v', after: 'yes' });
  });

  it.each([
    [
      'an expression that fails',
      'Object{data: {"x": string(object.data.nope)}}',
      `expression 'Object{data: {"x": string(object.data.nope)}}' resulted in error: no such key: nope`,
    ],
    [
      'an unknown field',
      'Object{spec: Object.spec{x: 1}}',
      'error applying patch: failed to convert patch object to typed object: .spec: field not declared in schema',
    ],
    [
      'a value of another type',
      'Object{data: {"x": 1}}',
      'error applying patch: failed to convert patch object to typed object: .data.x: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      'a missing path',
      '[JSONPatch{op: "remove", path: "/data/nope"}]',
      "JSON Patch: error in remove for path: '/data/nope': Unable to remove nonexistent key: nope: missing value",
    ],
    [
      'an unknown operation',
      '[JSONPatch{op: "merge", path: "/data", value: {}}]',
      'JSON Patch: Unexpected kind: merge',
    ],
  ])('denies with 403 and the reason Invalid for %s', async (_, mutation, message) => {
    expect(await made([mutation])).toEqual([403, 'Invalid', message]);
  });

  it('skips what fails when errors are ignored', async () => {
    const failurePolicy = 'Ignore';
    const after = 'Object{data: {"after": "yes"}}';
    expect(await made(['Object{data: {"x": string(object.data.nope)}}', after], { failurePolicy })).toEqual({
      k: 'v',
      after: 'yes',
    });
  });

  it.each([
    [
      'an unknown field',
      '[JSONPatch{op: "add", path: "/bogus", value: 1}]',
      'strict decoding error: unknown field "bogus"',
    ],
    [
      'a wrong type',
      '[JSONPatch{op: "add", path: "/data/x", value: 1}]',
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
  ])('answers 500 for a patch that leaves %s, whatever the failure policy is', async (_, mutation, message) => {
    const expected = [500, 'InternalError', `Internal error occurred: ${message}`];
    expect(await made([mutation])).toEqual(expected);
    expect(await made([mutation], { failurePolicy: 'Ignore' })).toEqual(expected);
  });

  it('may make an object that its kind refuses', async () => {
    const space = await changing(['Object{data: {"bad key": "x"}}']);
    expect((await space.create('a')).status).toBe(422);
  });

  it('may choose the name of a new object', async () => {
    const space = await changing(['Object{metadata: Object.metadata{name: "other"}}']);
    expect((await space.create('a')).body.metadata.name).toBe('other');
  });

  it('adds fields that nobody owns', async () => {
    const space = await changing(['Object{data: {"x": "y"}}']);
    const { body } = await space.create('a');
    expect(body.metadata.managedFields[0].fieldsV1['f:data']).toEqual({ '.': {}, 'f:k': {} });
  });

  it('is not asked about deletions', async () => {
    const space = await changing(['Object{data: {"x": "y"}}']);
    await space.create('a');
    expect((await space.http.ask('DELETE', `${space.configMaps}/a`)).status).toBe(200);
  });

  it('sees parameters, and is denied by missing ones as forbidden', async () => {
    const space = await server.namespace();
    await space.http.ok('POST', space.configMaps, {
      metadata: { name: 'p', labels: { is: 'param' } },
      data: { v: 'one' },
    });
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const paramRef = { selector: { matchLabels: { is: 'param' } }, parameterNotFoundAction: 'Deny' };
    await space.mutate(['Object{data: {"from": string(params.data.v)}}'], { paramKind }, { paramRef });
    expect((await space.create('a')).body.data).toEqual({ k: 'v', from: 'one' });
    await space.http.ok('DELETE', `${space.configMaps}/p`);
    const why = 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction';
    expect(outcome(space, await space.create('b'))).toEqual([403, 'Forbidden', why]);
  });

  it('is counted for each mutation', async () => {
    const space = await changing(['Object{data: {"x": string(object.data.k)}}']);
    await space.create('a');
    await space.create('b', { data: { z: 'z' } });
    const { body } = await space.http.ask('GET', '/metrics');
    for (const error of ['no_error', 'invalid_error']) {
      const labels = `error_type="${error}",policy="${space.name}",policy_binding="${space.name}-b"`;
      expect(body).toContain(`apiserver_mutating_admission_policy_check_total{${labels}} 1`);
    }
  });
});

describe('lists and defaults', () => {
  const pods = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };

  async function pod(mutation: string): Promise<Asked> {
    const space = await server.namespace();
    await space.mutate([mutation], { matchConstraints: space.matching(pods) });
    const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    return space.http.ask('POST', `/api/v1/namespaces/${space.name}/pods?dryRun=All`, body);
  }

  it('are merged by key, and filled after each mutation', async () => {
    const text =
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", imagePullPolicy: "Always"}, Object.spec.containers{name: "d", image: "j"}]}}';
    const { body } = await pod(text);
    expect(body.spec.containers).toMatchObject([
      { name: 'c', image: 'i', imagePullPolicy: 'Always' },
      { name: 'd', image: 'j', terminationMessagePath: '/dev/termination-log' },
    ]);
  });

  it('that are owned as a whole may not be changed', async () => {
    const { status, body } = await pod(
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", command: ["ls"]}]}}',
    );
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining('may not mutate atomic arrays, maps or structs: .spec.containers[0].command'),
    ]);
  });
});

describe('the second round', () => {
  const COUNT = 'Object{data: {"runs": (has(object.data.runs) ? string(object.data.runs) : "") + "r"}}';

  it('runs a policy again only when it may be', async () => {
    const never = await changing([COUNT]);
    expect((await never.create('a')).body.data.runs).toBe('r');
    const ifNeeded = await changing([COUNT], { reinvocationPolicy: 'IfNeeded' });
    expect((await ifNeeded.create('a')).body.data.runs).toBe('rr');
  });

  it('shows a policy what one after it has changed', async () => {
    const space = await server.namespace();
    const sees = 'Object{data: {"sees": has(object.data.late) ? "late" : "nothing"}}';
    await space.mutate([sees], { reinvocationPolicy: 'IfNeeded' }, { name: `${space.name}-1` });
    await space.mutate(['Object{data: {"late": "yes"}}'], {}, { name: `${space.name}-2` });
    expect((await space.create('a')).body.data).toEqual({ k: 'v', sees: 'late', late: 'yes' });
  });
});

describe('a policy about another version', () => {
  it('changes the object in that version', async () => {
    const space = await server.namespace();
    const autoscalers = {
      apiGroups: ['autoscaling'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['horizontalpodautoscalers'],
    };
    await space.mutate(['Object{spec: Object.spec{targetCPUUtilizationPercentage: 42}}'], {
      matchConstraints: space.matching(autoscalers),
    });
    const body = {
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
    };
    const path = `/apis/autoscaling/v2/namespaces/${space.name}/horizontalpodautoscalers`;
    const { status, body: answer } = await space.http.ask('POST', path, body);
    expect([status, answer.spec.metrics?.[0]?.resource]).toEqual([
      201,
      { name: 'cpu', target: { type: 'Utilization', averageUtilization: 42 } },
    ]);
  });
});
