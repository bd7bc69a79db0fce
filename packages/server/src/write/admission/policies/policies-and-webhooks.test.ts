/** Policies and webhooks together, and what policies see of requests that are not the usual ones. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../start/in-process-server.fixture.ts';
import { HookedServer, HookServer, patchOf } from '../webhooks/hook-server.fixture.ts';
import { denial, type PolicyNamespace, PolicyServer } from './policy-server.fixture.ts';

const MERGE = { type: 'application/merge-patch+json' };

let server: PolicyServer;
let hook: HookServer;
let hooked: HookedServer;
let space: PolicyNamespace;

beforeAll(async () => {
  [server, hook] = await Promise.all([PolicyServer.start(), HookServer.start()]);
  hooked = new HookedServer(server.http, hook);
});

beforeEach(async () => {
  space = await server.namespace();
  hook.calls.length = 0;
  hook.answers = {};
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

async function configure(type: 'Mutating' | 'Validating', path: string, more: object = {}): Promise<void> {
  await hooked.configure(type, hooked.hookOf(space.name, path, more));
}

describe('a write passes', () => {
  it('mutating policies, mutating webhooks, validating policies, validating webhooks and quotas, in this order', async () => {
    const quotas = `/api/v1/namespaces/${space.name}/resourcequotas`;
    const hard = { 'count/configmaps': '0' };
    const { metadata } = await space.http.ok('POST', quotas, { metadata: { name: 'q' }, spec: { hard } });
    const status = { hard, used: { 'count/configmaps': '0' } };
    await space.http.ok('PUT', `${quotas}/q/status`, { metadata, spec: { hard }, status });
    await space.http.ok('GET', quotas);
    hook.answers['m'] = patchOf({ op: 'add', path: '/data/hook', value: 'yes' });
    hook.answers['v'] = ({ request }: Json) => ({ allowed: request.object.data.last !== 'hook' });
    await space.mutate(['Object{data: {"policy": "yes"}}']);
    await configure('Mutating', 'm');
    await space.validate({ validations: [{ expression: '!has(object.data.last) || object.data.last != "policy"' }] });
    await configure('Validating', 'v');
    const asked = async (last: string): Promise<readonly [number, readonly string[]]> => {
      hook.calls.length = 0;
      const answer = await space.create('a', { data: { k: 'v', last } });
      return [answer.status, hook.paths];
    };
    expect(await asked('policy')).toEqual([422, ['m']]);
    expect(await asked('hook')).toEqual([400, ['m', 'v']]);
    expect(await asked('quota')).toEqual([403, ['m', 'v']]);
    const [first, second] = hook.calls.map(({ request }) => request.object.data);
    expect([first, second]).toEqual([
      { k: 'v', last: 'quota', policy: 'yes' },
      { k: 'v', last: 'quota', policy: 'yes', hook: 'yes' },
    ]);
  });
});

describe('a mutating policy', () => {
  it.each([
    ['IfNeeded', 'rr'],
    ['Never', 'r'],
  ])('with %s ran %s times when a webhook changes the object after it', async (reinvocationPolicy, runs) => {
    const count = 'Object{data: {"runs": (has(object.data.runs) ? string(object.data.runs) : "") + "r"}}';
    hook.answers['m'] = patchOf({ op: 'add', path: '/data/hook', value: 'yes' });
    await space.mutate([count], { reinvocationPolicy });
    await configure('Mutating', 'm');
    expect((await space.create('a')).body.data).toEqual({ k: 'v', hook: 'yes', runs });
    expect(hook.paths).toEqual(['m']);
  });

  it('changes the options of a connection', async () => {
    const exec = { apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] };
    await space.mutate(['Object{container: "side"}'], { matchConstraints: space.matching(exec) });
    await configure('Validating', 'v', { rules: [exec] });
    const containers = ['main', 'side'].map((name) => ({ name, image: 'i' }));
    const pods = `/api/v1/namespaces/${space.name}/pods`;
    await space.http.ok('POST', pods, { metadata: { name: 'p' }, spec: { containers } });
    await space.http.ask('POST', `${pods}/p/exec?command=ls&stdout=true&container=main`);
    expect(hook.calls.map(({ request }) => request.object.container)).toEqual(['side']);
  });

  it('unites sets', async () => {
    const accounts = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
    const mutation = 'Object{metadata: Object.metadata{finalizers: ["example.com/b", "example.com/a"]}}';
    await space.mutate([mutation], { matchConstraints: space.matching(accounts) });
    const metadata = { name: 'p', finalizers: ['example.com/a'] };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const path = `/api/v1/namespaces/${space.name}/pods?dryRun=All`;
    const { body } = await space.http.ask('POST', path, { metadata, spec });
    expect(body.metadata.finalizers?.toSorted()).toEqual(['example.com/a', 'example.com/b']);
  });
});

describe('a validating policy', () => {
  it('sees what a connection runs', async () => {
    const exec = { apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] };
    const expression = 'object.kind == "PodExecOptions" && object.command[0] != "sh" && oldObject == null';
    await space.validate({
      matchConstraints: space.matching(exec),
      validations: [{ expression, message: 'no shell' }],
    });
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const pods = `/api/v1/namespaces/${space.name}/pods`;
    await space.http.ok('POST', pods, { metadata: { name: 'p' }, spec });
    expect(denial(await space.http.ask('POST', `${pods}/p/exec?command=sh&stdout=true`))).toEqual([422, 'no shell']);
    const other = await space.http.ask('POST', `${pods}/p/exec?command=ls&stdout=true`);
    expect(JSON.stringify(other.body)).not.toContain('no shell');
  });

  it('sees an object in the version of its rule', async () => {
    const rule = {
      apiGroups: ['autoscaling'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['horizontalpodautoscalers'],
    };
    const messageExpression =
      'object.apiVersion + " " + request.kind.version + " " + request.requestKind.version + " " + string(object.spec.targetCPUUtilizationPercentage)';
    await space.validate({
      matchConstraints: space.matching(rule),
      validations: [{ expression: 'false', messageExpression }],
    });
    const target = { type: 'Utilization', averageUtilization: 70 };
    const path = `/apis/autoscaling/v2/namespaces/${space.name}/horizontalpodautoscalers`;
    const answer = await space.http.ask('POST', path, {
      metadata: { name: 'h' },
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
      },
    });
    expect(denial(answer)).toEqual([422, 'autoscaling/v1 v1 v2 70']);
  });

  it('sees the namespace of an object, and none for a Namespace and an object without one', async () => {
    const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] };
    const matchConstraints = { resourceRules: [rule], objectSelector: { matchLabels: { only: space.name } } };
    const messageExpression = 'namespaceObject == null ? "none" : namespaceObject.metadata.labels.test';
    await space.validate({ matchConstraints, validations: [{ expression: 'false', messageExpression }] });
    const labels = { only: space.name };
    const metadata = { name: `${space.name}-x`, labels };
    const asked: readonly (readonly [number, string])[] = [
      denial(await space.http.ask('POST', space.configMaps, { metadata })),
      denial(await space.http.ask('PATCH', `/api/v1/namespaces/${space.name}`, { metadata: { labels } }, MERGE)),
      denial(await space.http.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata })),
    ];
    expect(asked).toEqual([
      [422, space.name],
      [422, 'none'],
      [422, 'none'],
    ]);
  });
});
