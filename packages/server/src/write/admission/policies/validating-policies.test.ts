import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { denial, type PolicyNamespace, PolicyServer } from './policy-server.fixture.ts';

let server: PolicyServer;

beforeAll(async () => {
  server = await PolicyServer.start();
});

afterAll(() => server[Symbol.asyncDispose]());

async function guarded(spec: object, binding?: object): Promise<PolicyNamespace> {
  const namespace = await server.namespace();
  await namespace.validate(spec, binding);
  return namespace;
}

const NEVER = { validations: [{ expression: 'false', message: 'never' }] };

describe('a validating policy', () => {
  it('denies with the reason of the validation, and names itself, its binding and the object', async () => {
    const space = await guarded({ validations: [{ expression: 'object.metadata.name != "a"', message: 'no a' }] });
    expect((await space.create('b')).status).toBe(201);
    const by = `ValidatingAdmissionPolicy '${space.name}' with binding '${space.name}-b'`;
    expect((await space.create('a')).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `configmaps "a" is forbidden: ${by} denied request: no a`,
      reason: 'Invalid',
      details: { name: 'a', kind: 'configmaps', causes: [{ message: `${by} denied request: no a` }] },
      code: 422,
    });
  });

  it.each([
    ['Forbidden', 403],
    ['Invalid', 422],
    ['RequestEntityTooLarge', 413],
  ])('answers %s with %i', async (reason, code) => {
    const space = await guarded({ validations: [{ expression: 'false', message: 'm', reason }] });
    expect(await space.create('a')).toMatchObject({ status: code, body: { reason } });
  });

  it('sees updates with the stored object, and deletions without a new one', async () => {
    const space = await server.namespace();
    await space.validate({
      validations: [
        { expression: 'request.operation != "UPDATE" || object.data.k == oldObject.data.k', message: 'k is fixed' },
        {
          expression: 'request.operation != "DELETE" || (object == null && oldObject.data.k != "v")',
          messageExpression: '"keep " + oldObject.metadata.name + " of " + request.options.kind',
        },
      ],
    });
    await space.create('a');
    expect((await space.patch('a', { data: { x: 'y' } })).status).toBe(200);
    expect(denial(await space.patch('a', { data: { k: 'w' } }))).toEqual([422, 'k is fixed']);
    expect(denial(await space.http.ask('DELETE', `${space.configMaps}/a`))).toEqual([422, 'keep a of DeleteOptions']);
    expect((await space.http.ask('GET', `${space.configMaps}/a`)).status).toBe(200);
  });

  it('sees the generated name', async () => {
    const space = await guarded({ validations: [{ expression: 'request.name == object.metadata.name && false' }] });
    const { body } = await space.http.ask('POST', space.configMaps, { metadata: { generateName: 'gen-' } });
    expect(body.details.name).toMatch(/^gen-.{5}$/);
  });

  it('has no effect without a binding, and none any more when the binding is gone', async () => {
    const space = await guarded(NEVER);
    expect((await space.create('a')).status).toBe(422);
    await space.http.ok(
      'DELETE',
      `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/${space.name}-b`,
    );
    expect((await space.create('a')).status).toBe(201);
  });

  it('counts as soon as it has changed', async () => {
    const space = await guarded({ validations: [{ expression: 'false', message: 'one' }] });
    expect(denial(await space.create('a'))[1]).toBe('one');
    await space.validate({ validations: [{ expression: 'false', message: 'two' }] });
    expect(denial(await space.create('a'))[1]).toBe('two');
  });

  it('is about the names, labels and resources that it says', async () => {
    const named = await server.namespace();
    await named.validate({ ...NEVER, matchConstraints: named.matching({ resourceNames: ['a'] }) });
    expect([(await named.create('a')).status, (await named.create('b')).status]).toEqual([422, 201]);
    const labelled = await server.namespace();
    const objectSelector = { matchLabels: { x: 'y' } };
    await labelled.validate({ ...NEVER, matchConstraints: labelled.matching({}, { objectSelector }) });
    const label = { metadata: { labels: { x: 'y' } } };
    expect([(await labelled.create('a')).status, (await labelled.create('b', label)).status]).toEqual([201, 422]);
    const excluded = await server.namespace();
    const excludeResourceRules = [{ ...excluded.matching().resourceRules[0], resourceNames: ['free'] }];
    await excluded.validate({
      ...NEVER,
      matchConstraints: excluded.matching({ resources: ['*'] }, { excludeResourceRules }),
    });
    expect([(await excluded.create('a')).status, (await excluded.create('free')).status]).toEqual([422, 201]);
  });

  it('is narrowed by its binding, but not widened', async () => {
    const space = await server.namespace();
    const matchResources = {
      objectSelector: { matchLabels: { x: 'y' } },
      resourceRules: [space.matching().resourceRules[0]],
    };
    await space.validate(
      { ...NEVER, matchConstraints: space.matching({ operations: ['CREATE'] }) },
      { matchResources },
    );
    expect((await space.create('a')).status).toBe(201);
    expect((await space.create('b', { metadata: { labels: { x: 'y' } } })).status).toBe(422);
    expect((await space.patch('a', { metadata: { labels: { x: 'y' } } })).status).toBe(200);
  });

  it('never sees policies and reviews', async () => {
    const space = await server.namespace();
    const every = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
    await space.validate({
      ...NEVER,
      matchConstraints: { resourceRules: [every] },
      matchConditions: [{ name: 'c', expression: `request.userInfo.username == "${space.name}"` }],
    });
    const user = { name: space.name, groups: ['system:masters'] };
    const ask = async (path: string, body: object): Promise<number> =>
      (await space.http.ask('POST', `${path}?dryRun=All`, body, { user })).status;
    const group = '/apis/admissionregistration.k8s.io/v1';
    const binding = { metadata: { name: 'x' }, spec: { policyName: 'p', validationActions: ['Deny'] } };
    expect(await ask(`${group}/validatingadmissionpolicybindings`, binding)).toBe(201);
    expect(await ask(`${group}/validatingwebhookconfigurations`, { metadata: { name: 'x' } })).toBe(422);
    const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
    expect(
      (await space.http.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review, { user })).status,
    ).toBe(201);
    expect(await ask('/api/v1/namespaces', { metadata: { name: 'x' } })).toBe(422);
  });
});

describe('the actions of a binding', () => {
  const failing = {
    validations: [
      { expression: 'false', message: 'one' },
      { expression: 'false', message: 'two' },
    ],
  };

  it('warn of each failed validation', async () => {
    const space = await guarded(failing, { validationActions: ['Warn'] });
    const { status, headers } = await space.create('a');
    expect(status).toBe(201);
    const text = `Validation failed for ValidatingAdmissionPolicy '${space.name}' with binding '${space.name}-b'`;
    expect(headers['warning']).toBe(`299 - "${text}: one", 299 - "${text}: two"`);
  });

  it('of several bindings all count', async () => {
    const space = await guarded(failing);
    await space.bind({ validationActions: ['Warn'] }, `${space.name}-w`);
    const answer = await space.create('a');
    expect(denial(answer)).toEqual([422, 'one']);
    expect(answer.headers['warning']).toContain(`with binding '${space.name}-w': one`);
  });

  it('deny on errors of audit annotations, whatever they are', async () => {
    const auditAnnotations = [{ key: 'a', valueExpression: 'string(object.data.nope)' }];
    const space = await guarded({ auditAnnotations }, { validationActions: ['Warn'] });
    expect(denial(await space.create('a'))).toEqual([
      422,
      "expression 'string(object.data.nope)' resulted in error: no such key: nope",
    ]);
  });
});

describe('the authorizer of a policy', () => {
  it('decides about the user of the request, and about service accounts', async () => {
    const space = await server.namespace();
    await space.validate({
      validations: [
        { expression: 'authorizer.requestResource.check("get").allowed()', message: 'may not read' },
        {
          expression: `!authorizer.serviceAccount("${space.name}", "default").group("apps").resource("deployments").check("list").allowed()`,
        },
        { expression: 'authorizer.path("/healthz").check("get").allowed()' },
      ],
    });
    expect((await space.create('a')).status).toBe(201);
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${space.name}`;
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }];
    await space.http.ok('POST', `${rbac}/roles`, { metadata: { name: 'w' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'w' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'writer' }];
    await space.http.ok('POST', `${rbac}/rolebindings`, { metadata: { name: 'w' }, roleRef, subjects });
    const user = { name: 'writer', groups: ['system:authenticated'] };
    expect(denial(await space.create('b', {}, { user }))).toEqual([422, 'may not read']);
  });
});

describe('what policies decide', () => {
  it('is counted by policy, binding and action', async () => {
    const space = await guarded({ validations: [{ expression: 'object.metadata.name != "no"', message: 'm' }] });
    await space.create('ok');
    await space.create('no');
    const { body } = await space.http.ask('GET', '/metrics');
    const labels = `enforcement_action="deny",error_type="invalid_error",policy="${space.name}",policy_binding="${space.name}-b"`;
    expect(body).toContain(`apiserver_validating_admission_policy_check_total{${labels}} 1`);
    expect(body).toContain(`apiserver_validating_admission_policy_check_duration_seconds_count{${labels}} 1`);
  });
});
