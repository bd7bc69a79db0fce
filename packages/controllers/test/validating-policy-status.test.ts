import { type ApiObject, type Resource, resource } from '@listwatch/api';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

interface Policy extends ApiObject {
  readonly spec: object;
  readonly status?: { readonly observedGeneration?: number; readonly typeChecking?: object };
}

const policies: Resource<Policy> = resource({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  namespaced: false,
});

interface Definition extends ApiObject {
  readonly spec: object;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const definitions: Resource<Definition> = resource({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
});

let env: TestEnvironment;
beforeAll(async () => {
  env = await startTestServer({ controllers: ['validatingadmissionpolicy-status-controller'] });
});
afterAll(() => env.close());

const WAIT = { timeout: 20_000, interval: 20 };

function matching(apiGroups: readonly string[], apiVersions: readonly string[], resources: readonly string[]): object {
  return { resourceRules: [{ apiGroups, apiVersions, operations: ['CREATE'], resources }] };
}

const DEPLOYMENTS = matching(['apps'], ['v1'], ['deployments']);

let made = 0;

/** The warnings about a policy, as `fieldRef: warning`. */
async function warnings(spec: object): Promise<readonly string[]> {
  made += 1;
  const name = `checked-${made}`;
  await env.cluster.create(policies, { metadata: { name }, spec: { matchConstraints: DEPLOYMENTS, ...spec } });
  const status = await vi.waitFor(async () => {
    const found = (await env.cluster.get(policies, { name })).status;
    expect(found?.observedGeneration).toBe(1);
    return found;
  }, WAIT);
  const { expressionWarnings = [] }: { expressionWarnings?: readonly { fieldRef: string; warning: string }[] } =
    status?.typeChecking ?? {};
  return expressionWarnings.map(({ fieldRef, warning }) => `${fieldRef}: ${warning}`);
}

describe('the types in a policy', () => {
  it('are not complained about when they fit', async () => {
    const validations = [
      { expression: 'object.spec.replicas > 1 && object.spec.template.spec.containers.all(c, c.image != "")' },
      { expression: 'object.spec.strategy.rollingUpdate.maxSurge == "1" || object.metadata.labels["a"] == "b"' },
      { expression: 'timestamp("2020-01-01T00:00:00Z") < object.metadata.creationTimestamp' },
    ];
    expect(await warnings({ validations })).toEqual([]);
  });

  it('are shown with the field, the kind and the place in the expression', async () => {
    const validations = [
      { expression: 'object.spec.replicas > 1' },
      { expression: 'object.spec.replicaz > 1', messageExpression: '"x" + object.spec.nope' },
    ];
    expect(await warnings({ validations })).toEqual([
      "spec.validations[1].expression: apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replicaz'\n | object.spec.replicaz > 1\n | ...........^\n",
      `spec.validations[1].messageExpression: apps/v1, Kind=Deployment: ERROR: <input>:1:18: undefined field 'nope'\n | "x" + object.spec.nope\n | .................^\n`,
    ]);
  });

  it('of operands must fit', async () => {
    const [found] = await warnings({ validations: [{ expression: 'object.spec.replicas > "1"' }] });
    expect(found).toContain("found no matching overload for '_>_' applied to '(int, string)'");
  });

  it('are checked for each kind, and not for rules about all', async () => {
    const validations = [{ expression: 'object.spec.strategy.type == "Recreate"' }];
    const both = matching(['apps'], ['v1'], ['deployments', 'replicasets', 'deployments/status']);
    expect(await warnings({ validations, matchConstraints: both })).toEqual([
      expect.stringContaining('apps/v1, Kind=ReplicaSet: ERROR: <input>:1:12'),
    ]);
    const all = matching(['*'], ['*'], ['*']);
    expect(await warnings({ validations: [{ expression: 'object.nope.nope == 1' }], matchConstraints: all })).toEqual(
      [],
    );
  });

  it('of parameters are those of their kind, those of object variables are not known', async () => {
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const validations = [{ expression: 'params.data.max == "1" && params.nope == "1"' }];
    expect(await warnings({ validations, paramKind })).toEqual([expect.stringContaining("undefined field 'nope'")]);
    const variables = [{ name: 's', expression: 'object.spec' }];
    expect(await warnings({ variables, validations: [{ expression: 'variables.s.replicaz > 1' }] })).toEqual([]);
  });

  it('of custom kinds are those that the server publishes', async () => {
    const group = 'checked.example.com';
    const properties = { spec: { type: 'object', properties: { size: { type: 'integer' } } } };
    const schema = { openAPIV3Schema: { type: 'object', properties } };
    await env.cluster.create(definitions, {
      metadata: { name: `boxes.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'boxes', kind: 'Box' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await vi.waitFor(async () => {
      const answer = await env.cluster.raw(`/openapi/v3/apis/${group}/v1`);
      expect(answer.status).toBe(200);
      await answer.close();
    }, WAIT);
    const matchConstraints = matching([group], ['v1'], ['boxes']);
    const fine = [
      { expression: 'object.spec.size > 1 && object.metadata.name != "" && object.metadata.labels["a"] == "b"' },
    ];
    expect(await warnings({ matchConstraints, validations: fine })).toEqual([]);
    expect(await warnings({ matchConstraints, validations: [{ expression: 'object.spec.sise > 1' }] })).toEqual([
      expect.stringContaining(`${group}/v1, Kind=Box: ERROR: <input>:1:12: undefined field 'sise'`),
    ]);
  });

  it('are checked again when the policy has changed', async () => {
    const metadata = { name: 'changed' };
    const spec = { matchConstraints: DEPLOYMENTS, validations: [{ expression: 'object.spec.replicaz > 1' }] };
    await env.cluster.create(policies, { metadata, spec });
    const status = async (generation: number): Promise<Policy['status']> =>
      vi.waitFor(async () => {
        const found = await env.cluster.get(policies, metadata);
        expect(found.status?.observedGeneration).toBe(generation);
        return found.status;
      }, WAIT);
    expect((await status(1))?.typeChecking).toHaveProperty('expressionWarnings');
    const mended = { spec: { validations: [{ expression: 'object.spec.replicas > 1' }] } };
    await env.cluster.apply(
      policies,
      { metadata, spec: { ...spec, ...mended.spec } },
      { fieldManager: 't', force: true },
    );
    expect((await status(2))?.typeChecking ?? {}).toEqual({});
  });
});
