import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { denial, type PolicyNamespace, PolicyServer } from './policy-server.fixture.ts';

let server: PolicyServer;

beforeAll(async () => {
  server = await PolicyServer.start();
});

afterAll(() => server[Symbol.asyncDispose]());

const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const LIMITED = {
  paramKind,
  validations: [
    {
      expression: 'object.data.size() <= int(params.data.max)',
      messageExpression: '"above " + params.data.max + " of " + params.metadata.name + " " + params.kind',
    },
  ],
};

async function limited(paramRef: object | undefined, spec: object = LIMITED): Promise<PolicyNamespace> {
  const space = await server.namespace();
  await space.validate(spec, paramRef === undefined ? {} : { paramRef });
  return space;
}

async function limit(space: PolicyNamespace, name: string, max: number, labels: object = {}): Promise<void> {
  const body = { metadata: { name, labels }, data: { max: String(max) } };
  await space.http.ok('POST', `/api/v1/namespaces/${space.name}-params/configmaps`, body);
}

/** Parameters are kept in another namespace, which no policy is about. */
async function withParams(spec: object = LIMITED, paramRef: object = {}): Promise<PolicyNamespace> {
  const space = await server.namespace();
  await space.http.ok('POST', '/api/v1/namespaces', { metadata: { name: `${space.name}-params` } });
  const ref = { namespace: `${space.name}-params`, parameterNotFoundAction: 'Deny', ...paramRef };
  await space.validate(spec, { paramRef: ref });
  return space;
}

const TWO = { data: { x: '1', y: '2' } };
const NONE_FOUND =
  'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction';

describe('parameters', () => {
  it('are found by name in the namespace that the binding names', async () => {
    const space = await withParams(LIMITED, { name: 'limit' });
    await limit(space, 'limit', 1);
    expect((await space.create('a')).status).toBe(201);
    expect(denial(await space.create('b', TWO))).toEqual([422, 'above 1 of limit ConfigMap']);
  });

  it('count as they are now', async () => {
    const space = await withParams(LIMITED, { name: 'limit' });
    await limit(space, 'limit', 1);
    expect((await space.create('a', TWO)).status).toBe(422);
    const path = `/api/v1/namespaces/${space.name}-params/configmaps/limit`;
    await space.http.ok('PATCH', path, { data: { max: '5' } }, { type: 'application/merge-patch+json' });
    expect((await space.create('a', TWO)).status).toBe(201);
  });

  it('still count when the last policy of their kind was deleted and another one came', async () => {
    const first = await withParams(LIMITED, { name: 'limit' });
    await limit(first, 'limit', 1);
    expect((await first.create('a', TWO)).status).toBe(422);
    await first.http.ok('DELETE', `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${first.name}`);
    const second = await withParams(LIMITED, { name: 'limit' });
    await limit(second, 'limit', 1);
    expect((await second.create('a', TWO)).status).toBe(422);
  });

  it('are found in the namespace of the request when the binding names none', async () => {
    const space = await limited({ name: 'limit', parameterNotFoundAction: 'Allow' });
    await space.http.ok('POST', space.configMaps, { metadata: { name: 'limit' }, data: { max: '1' } });
    expect(denial(await space.create('a', TWO))).toEqual([422, 'above 1 of limit ConfigMap']);
  });

  it('are found by label: each is one evaluation', async () => {
    const space = await withParams(LIMITED, { selector: { matchLabels: { is: 'limit' } } });
    await limit(space, 'nine', 9, { is: 'limit' });
    expect((await space.create('a', TWO)).status).toBe(201);
    await limit(space, 'one', 1, { is: 'limit' });
    await limit(space, 'zero', 0);
    expect(denial(await space.create('b', TWO))).toEqual([422, 'above 1 of one ConfigMap']);
  });

  it('that are missing deny, unless the binding or the failure policy allows it', async () => {
    const denied = await limited({ name: 'limit', parameterNotFoundAction: 'Deny' });
    expect(denial(await denied.create('a'))).toEqual([422, NONE_FOUND]);
    const allowed = await limited({ name: 'limit', parameterNotFoundAction: 'Allow' });
    expect((await allowed.create('a')).status).toBe(201);
    const ignored = await limited(
      { name: 'limit', parameterNotFoundAction: 'Deny' },
      { ...LIMITED, failurePolicy: 'Ignore' },
    );
    expect((await ignored.create('a')).status).toBe(201);
  });

  it('are null without a reference', async () => {
    const space = await limited(undefined, {
      paramKind,
      validations: [{ expression: 'params != null', message: 'null' }],
    });
    expect(denial(await space.create('a'))).toEqual([422, 'null']);
  });

  it('of an unknown kind fail the policy, and no binding is named', async () => {
    const unknown = { apiVersion: 'nope.example.com/v1', kind: 'Nope' };
    const space = await limited({ name: 'x', parameterNotFoundAction: 'Allow' }, { ...LIMITED, paramKind: unknown });
    const { body } = await space.create('a');
    expect(body.message).toBe(
      `configmaps "a" is forbidden: ValidatingAdmissionPolicy '${space.name}' denied request: failed to configure policy: ` +
        "failed to find resource referenced by paramKind: 'nope.example.com/v1, Kind=Nope'",
    );
  });

  it('of a kind without namespaces are in none', async () => {
    const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };
    const spec = { ...LIMITED, paramKind: high };
    const space = await limited({ name: 'high', namespace: 'default', parameterNotFoundAction: 'Allow' }, spec);
    expect(denial(await space.create('a'))).toEqual([
      422,
      'failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    ]);
  });

  it('with a namespace need one when the object has none', async () => {
    const space = await server.namespace();
    const classes = {
      apiGroups: ['scheduling.k8s.io'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['priorityclasses'],
    };
    const matchConstraints = { resourceRules: [classes], objectSelector: { matchLabels: { test: space.name } } };
    await space.validate(
      { ...LIMITED, matchConstraints },
      { paramRef: { name: 'x', parameterNotFoundAction: 'Allow' } },
    );
    const body = { metadata: { name: space.name, labels: { test: space.name } }, value: 5 };
    expect(denial(await space.http.ask('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', body))).toEqual([
      422,
      'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    ]);
  });

  it('may be of a custom kind that comes and goes', async () => {
    const group = 'params.example.com';
    const definition = {
      metadata: { name: `limits.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural: 'limits', kind: 'Limit' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { max: { type: 'integer' } } } },
          },
        ],
      },
    };
    const custom = { apiVersion: `${group}/v1`, kind: 'Limit' };
    const spec = {
      paramKind: custom,
      validations: [{ expression: 'object.data.size() <= params.max', message: 'above' }],
    };
    const space = await limited({ name: 'one', parameterNotFoundAction: 'Deny' }, spec);
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect(denial(await space.create('a', TWO))[1]).toContain('failed to find resource referenced by paramKind');
    await space.http.ok('POST', definitions, definition);
    const one = { apiVersion: `${group}/v1`, kind: 'Limit', metadata: { name: 'one' }, max: 1 };
    await vi.waitFor(() => space.http.ok('POST', `/apis/${group}/v1/limits`, one), { timeout: 20_000, interval: 20 });
    expect(denial(await space.create('a', TWO))).toEqual([422, 'above']);
    expect((await space.create('a')).status).toBe(201);
    await space.http.ok('DELETE', `${definitions}/limits.${group}`);
    await vi.waitFor(
      async () =>
        expect(denial(await space.create('b'))[1]).toContain('failed to find resource referenced by paramKind'),
      { timeout: 20_000, interval: 20 },
    );
  });
});

describe('who writes a policy with parameters', () => {
  const user = { name: 'poly', groups: ['system:authenticated'] };

  it('must be allowed to read them', async () => {
    const space = await server.namespace();
    const rules = [{ apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] }];
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await space.http.ok('POST', `${rbac}/clusterroles`, { metadata: { name: 'poly' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'poly' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'poly' }];
    await space.http.ok('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'poly' }, roleRef, subjects });
    const group = '/apis/admissionregistration.k8s.io/v1';
    const policy = { metadata: { name: 'poly' }, spec: { ...LIMITED, matchConstraints: space.matching() } };
    const refused = await space.http.ask('POST', `${group}/validatingadmissionpolicies`, policy, { user });
    expect([refused.status, refused.body.details.causes]).toEqual([
      422,
      [
        {
          reason: 'FieldValueForbidden',
          message:
            'Forbidden: user &{poly  [system:authenticated] map[]} must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)',
          field: 'spec.paramKind',
        },
      ],
    ]);
    await space.http.ok('POST', `${group}/validatingadmissionpolicies`, policy);
    const paramRef = { selector: {}, parameterNotFoundAction: 'Allow' };
    const binding = { metadata: { name: 'poly' }, spec: { policyName: 'poly', validationActions: ['Deny'], paramRef } };
    const unbound = await space.http.ask('POST', `${group}/validatingadmissionpolicybindings`, binding, { user });
    expect([unbound.status, unbound.body.message]).toEqual([
      422,
      'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "poly" is invalid: spec.paramRef: Forbidden: user &{poly  [system:authenticated] map[]} does not have "list" permission on the object referenced by paramRef',
    ]);
  });

  it('that are too many for a selector deny', { timeout: 60_000 }, async () => {
    const space = await withParams(LIMITED, { selector: { matchLabels: { is: 'limit' } } });
    await Promise.all(Array.from({ length: 1001 }, (_, index) => limit(space, `limit-${index}`, 1, { is: 'limit' })));
    const why = 'the selector of paramRef matches more than 1000 objects or 16777216 bytes';
    expect(denial(await space.create('a'))).toEqual([422, `failed to configure binding: ${why}`]);
  });
});
