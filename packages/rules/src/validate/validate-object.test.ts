import { resource } from '@listwatch/api';
import {
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  type Deployment,
  deployments,
  pods,
  services,
  validatingAdmissionPolicies,
} from '@listwatch/kinds';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { hasRules, validate } from './validate-object.ts';

const deployment = (spec: object = {}, metadata: object = { name: 'web' }) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    ...spec,
  },
});
const configMap = (data: unknown) => ({ metadata: { name: 'a' }, data });
const crd = (schema: unknown) => ({
  metadata: { name: 'as.b.c' },
  spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
});

describe('a valid object', () => {
  it('comes back with its defaults and the type of its kind', async () => {
    const { object, errors, warnings } = await validate(deployments, deployment());
    expect([errors, warnings]).toEqual([[], []]);
    expectTypeOf(object).toEqualTypeOf<Deployment | undefined>();
    expect(object?.spec.replicas).toBe(1);
    expect(object?.spec.template.spec?.containers[0]?.imagePullPolicy).toBe('Always');
    expect(object?.metadata).toEqual({ name: 'web', namespace: 'default' });
  });

  it('is not changed itself', async () => {
    const sent = Object.freeze(deployment());
    const before = structuredClone(sent);
    await validate(deployments, sent);
    expect(sent).toEqual(before);
  });

  it('may leave its kind out, and its name to the server', async () => {
    const { object, errors } = await validate(configMaps, { metadata: { generateName: 'a-' } }, { namespace: 'n' });
    expect(errors).toEqual([]);
    expect(object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { generateName: 'a-', namespace: 'n' },
    });
  });

  it('may have warnings', async () => {
    const spec = { containers: [{ name: 'a', image: 'b', env: [{ name: 'X' }, { name: 'X' }] }] };
    const { errors, warnings } = await validate(pods, { metadata: { name: 'a' }, spec });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('spec.containers[0].env[1]: hides previous definition of "X"')]);
  });

  it('may hold what only JSON.stringify makes plain', async () => {
    const sent = { metadata: { name: 'a', creationTimestamp: new Date(0), labels: undefined }, data: { a: 'b' } };
    const { object, errors } = await validate(configMaps, sent);
    expect(errors).toEqual([]);
    expect(object?.metadata.creationTimestamp).toBe('1970-01-01T00:00:00Z');
  });
});

describe('an invalid object', () => {
  it('has each of its errors with path, type and message', async () => {
    const { object, errors } = await validate(
      deployments,
      deployment({ replicas: -1 }, { name: 'Web', namespace: '_' }),
    );
    expect(object?.spec.replicas).toBe(-1);
    expect(errors.map(({ path, type }) => [path, type])).toEqual([
      ['metadata.name', 'FieldValueInvalid'],
      ['metadata.namespace', 'FieldValueInvalid'],
      ['spec.replicas', 'FieldValueInvalid'],
    ]);
    expect(errors[2]?.message).toBe('Invalid value: -1: must be greater than or equal to 0');
  });

  it.each([
    [deployment({ replicas: 'two' }), 'spec.replicas', 'FieldValueTypeInvalid', 'json: cannot unmarshal string into'],
    [deployment({ replica: 2 }), 'spec.replica', 'UnknownField', 'unknown field "spec.replica"'],
    [
      deployment({ template: { spec: { containers: [{}, { ports: 1 }] } } }),
      'spec.template.spec.containers[1].ports',
      'FieldValueTypeInvalid',
      'json: cannot unmarshal number into',
    ],
    [
      { ...deployment(), kind: 'DaemonSet' },
      'kind',
      'FieldValueInvalid',
      'Invalid value: "DaemonSet": must be Deployment',
    ],
    [{ ...deployment(), apiVersion: 'apps/v1beta1' }, 'apiVersion', 'FieldValueInvalid', 'must be apps/v1'],
    [{ ...deployment(), kind: 1 }, 'kind', 'FieldValueTypeInvalid', 'number is not a string'],
    [undefined, '', 'FieldValueTypeInvalid', 'is not an object'],
    [[], '', 'FieldValueTypeInvalid', 'array is not an object'],
  ])('that cannot be read is described: %#', async (sent, path, type, message) => {
    const { object, errors } = await validate(deployments, sent);
    expect(object).toBeUndefined();
    expect(errors).toEqual([{ path, type, message: expect.stringContaining(message) }]);
  });

  it('needs a name', async () => {
    const { errors } = await validate(clusterRoles, { rules: [] });
    expect(errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'metadata.name: Required value: name or generateName is required',
    ]);
  });

  it('is validated by the expressions that it brings', async () => {
    const spec = { matchConstraints: { resourceRules: [] }, validations: [{ expression: 'object.' }] };
    const { errors } = await validate(validatingAdmissionPolicies, { metadata: { name: 'a' }, spec });
    expect(errors.map(({ path }) => path)).toContain('spec.validations[0].expression');
  });
});

describe('a change', () => {
  it('is validated by the rules of an update', async () => {
    const { object: old } = await validate(deployments, deployment());
    const changed = deployment({ selector: { matchLabels: { app: 'x' } } }, { name: 'other' });
    const { errors } = await validate(deployments, changed, { old });
    expect(errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'metadata.name: Invalid value: "other": field is immutable',
      expect.stringMatching(/^spec\.template\.metadata\.labels: Invalid value/u),
      expect.stringMatching(/^spec\.selector: Invalid value: .*: field is immutable$/u),
    ]);
  });

  it('keeps what the server has set', async () => {
    const metadata = { name: 'a', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
    const spec = { type: 'LoadBalancer', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [{ port: 80 }] };
    const { object: old } = await validate(services, { metadata, spec });
    const { object, errors } = await validate(services, { metadata: { name: 'a' }, spec }, { old: { ...old, status } });
    expect(errors).toEqual([]);
    expect(object?.metadata).toMatchObject({ uid: 'u', creationTimestamp: '2026-01-02T03:04:05Z' });
    expect(object?.status).toEqual(status);
  });

  it('of what cannot be read is an error', async () => {
    const { errors } = await validate(configMaps, configMap({}), { old: { metadata: 1 } });
    expect(errors).toEqual([
      { path: 'metadata', type: 'FieldValueTypeInvalid', message: expect.stringMatching(/^the old object: json/u) },
    ]);
  });
});

describe('a hostile object', () => {
  const cyclic: Record<string, unknown> = { name: 'a' };
  cyclic['a'] = cyclic;
  const doubled = Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, inner], 'x');
  const deep = Array.from({ length: 5000 }).reduce<unknown>((inner) => ({ not: inner }), {});
  const throwing = {
    get metadata(): never {
      throw new Error('no');
    },
  };

  it.each([
    ['that contains itself', configMaps, { metadata: cyclic }, 'exceeded max depth'],
    ['that is deep', customResourceDefinitions, crd(deep), 'exceeded max depth'],
    [
      'whose parts are shared a trillion times',
      configMaps,
      { metadata: { name: 'a' }, data: doubled },
      'too many values',
    ],
    [
      'with a list of a billion',
      configMaps,
      { metadata: { name: 'a', finalizers: Object.assign([], { length: 1e9 }) } },
      'too many values',
    ],
    [
      'with many fields',
      configMaps,
      configMap(Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [at, '']))),
      'too many fields',
    ],
    ['with a long text', configMaps, configMap({ a: 'x'.repeat(4e6) }), 'too many characters'],
    ['that throws', configMaps, throwing, 'no'],
  ] as const)('%s is refused, and nothing is thrown', async (_, kind, sent, message) => {
    const { object, errors } = await validate(kind, sent);
    expect(object).toBeUndefined();
    expect(errors.map((error) => [error.path, error.message])).toEqual([['', message]]);
  });

  it('that is larger than a store takes is refused', async () => {
    const metadata = { name: 'a', finalizers: ['x/y'], labels: { a: 'x'.repeat(2e6) } };
    const { errors } = await validate(configMaps, { metadata });
    expect(errors).toEqual([{ path: '', type: 'FieldValueInvalid', message: 'etcdserver: request is too large' }]);
  });

  it('has a hundred errors at most', async () => {
    const data = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`/${at}`, '']));
    expect((await validate(configMaps, configMap(data))).errors).toHaveLength(100);
  });

  it('cannot change the prototype of an answer', async () => {
    const sent: unknown = JSON.parse('{"metadata":{"name":"a"},"data":{"__proto__":"x"}}');
    const { object } = await validate(configMaps, sent);
    expect(Object.entries(object?.data ?? {})).toEqual([['__proto__', 'x']]);
  });
});

describe('a resource without rules', () => {
  const widgets = resource({
    group: 'example.com',
    version: 'v1',
    plural: 'widgets',
    kind: 'Widget',
    namespaced: true,
  });

  it('is refused', async () => {
    expect([hasRules(deployments), hasRules(widgets)]).toEqual([true, false]);
    await expect(validate(widgets, {})).rejects.toThrow(
      new RangeError('there are no rules for widgets of example.com'),
    );
  });
});
