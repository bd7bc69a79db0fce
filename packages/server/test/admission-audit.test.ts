import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HookAnswer, HookServer, patchOf } from '../src/write/admission/webhooks/hook-server.fixture.ts';
import { AuditedServer, type Json } from './audited-server.fixture.ts';
import { SteeredEngine } from './steered-engine.fixture.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
const DEAD = 'https://127.0.0.1:1/dead';

let hook: HookServer;

beforeAll(async () => {
  hook = await HookServer.start();
});

afterAll(async () => {
  await hook[Symbol.asyncDispose]();
});

/** The annotations of admission in the event of a create. */
async function annotations(
  level: 'Metadata' | 'Request',
  objects: readonly (readonly [plural: string, object: object])[],
  answers: Record<string, HookAnswer> = {},
): Promise<Json> {
  hook.answers = answers;
  await using server = await AuditedServer.start({ rules: [{ level }] });
  for (const [plural, object] of objects) {
    const { status, text } = await server.ask('POST', `${GROUP}/${plural}`, object);
    if (status !== 201) throw new Error(text);
    // A list is answered when the cache, and with it admission, has what was written.
    await server.ask('GET', `${GROUP}/${plural}`);
  }
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
  await server.ask('POST', '/api/v1/namespaces/default/configmaps', body, { 'audit-id': 'it' });
  const events = await server.events('it');
  const all: readonly [string, string][] = Object.entries(events.at(-1).annotations);
  return Object.fromEntries(all.filter(([key]) => !key.startsWith('authorization.')));
}

function configuration(
  type: 'mutating' | 'validating',
  name: string,
  ...hooks: readonly object[]
): readonly [string, object] {
  const common = { rules: CONFIG_MAPS, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  const webhooks = hooks.map((own, index) => ({ name: `${name}${index}.hook.example.com`, ...common, ...own }));
  return [`${type}webhookconfigurations`, { metadata: { name }, webhooks }];
}

function called(webhook: string, mutated: boolean, configurationName = 'b'): string {
  return JSON.stringify({ configuration: configurationName, webhook: `${webhook}.hook.example.com`, mutated });
}

function patched(webhook: string, ...patch: readonly object[]): string {
  const facts = { configuration: 'b', webhook: `${webhook}.hook.example.com` };
  return JSON.stringify({ ...facts, patch, patchType: 'JSONPatch' });
}

const label = patchOf({ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } });

it('of mutating webhooks: who was called in which round, what changed, and which failure was ignored', async () => {
  const again = { clientConfig: hook.at('m'), reinvocationPolicy: 'IfNeeded' };
  const hooks = [
    configuration('mutating', 'a', { clientConfig: { url: DEAD }, failurePolicy: 'Ignore' }),
    configuration('mutating', 'b', again, { clientConfig: hook.at('n') }),
  ];
  const data = patchOf({ op: 'add', path: '/data/x', value: 'y' });
  const round0 = 'webhook.admission.k8s.io/round_0_index_';
  const metadata = {
    [`mutation.${round0}0`]: called('a0', false, 'a'),
    [`failed-open.mutation.${round0}0`]: 'a0.hook.example.com',
    [`mutation.${round0}1`]: called('b0', true),
    [`mutation.${round0}2`]: called('b1', true),
    'mutation.webhook.admission.k8s.io/round_1_index_1': called('b0', false),
  };
  const answers = { m: label, n: data };
  expect(await annotations('Metadata', hooks, answers)).toEqual(metadata);
  // The patch has parts of the object, which the event shows only from the level Request.
  expect(await annotations('Request', hooks, answers)).toEqual({
    ...metadata,
    [`patch.${round0}1`]: patched('b0', { op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }),
    [`patch.${round0}2`]: patched('b1', { op: 'add', path: '/data/x', value: 'y' }),
    'patch.webhook.admission.k8s.io/round_1_index_1': patched('b0', {
      op: 'add',
      path: '/metadata/labels',
      value: { seen: 'yes' },
    }),
  });
});

it('of validating webhooks: what they say of themselves, also in a denial, and which failure was ignored', async () => {
  const own = { why: 'because', 'not a key': 'x', 'a/b': 'x', '': 'x' };
  const answers = { v: { allowed: false, auditAnnotations: own } };
  const hooks = [
    configuration(
      'validating',
      'a',
      { clientConfig: hook.at('v'), matchConditions: [{ name: 'never', expression: 'false' }] },
      { clientConfig: hook.at('v') },
      { clientConfig: { url: DEAD }, failurePolicy: 'Ignore' },
    ),
  ];
  // The index is that among the webhooks that were called.
  expect(await annotations('Metadata', hooks, answers)).toEqual({
    'a1.hook.example.com/why': 'because',
    'failed-open.validating.webhook.admission.k8s.io/round_0_index_1': 'a2.hook.example.com',
  });
});

function policy(name: string, spec: object): readonly [string, object] {
  const matchConstraints = { resourceRules: CONFIG_MAPS };
  return ['validatingadmissionpolicies', { metadata: { name }, spec: { matchConstraints, ...spec } }];
}

function bound(policyName: string, ...validationActions: readonly string[]): readonly [string, object] {
  const spec = { policyName, validationActions };
  return ['validatingadmissionpolicybindings', { metadata: { name: `${policyName}-b` }, spec }];
}

it('of policies: the first failure of the action Audit, and the values of their own annotations', async () => {
  const validations = [{ expression: 'true' }, { expression: 'object.data.k == "x"', message: 'not x' }];
  const found = await annotations('Metadata', [
    policy('p', {
      validations,
      auditAnnotations: [
        { key: 'k', valueExpression: '"k is " + object.data.k' },
        { key: 'none', valueExpression: 'null' },
      ],
    }),
    bound('p', 'Audit'),
    policy('q', { validations: [{ expression: 'false' }] }),
    bound('q', 'Warn'),
  ]);
  expect(found).toEqual({
    'p/k': 'k is v',
    'validation.policy.admission.k8s.io/validation_failure': JSON.stringify([
      { message: 'not x', policy: 'p', binding: 'p-b', expressionIndex: 1, validationActions: ['Audit'] },
    ]),
  });
});

it('of a write that lost its compare, and was admitted again: one event, and each annotation and warning once', async () => {
  await using store = createMemoryEngine();
  const engine = new SteeredEngine(store);
  await using server = await AuditedServer.start({ rules: [{ level: 'Metadata' }], server: { engine } });
  const maps = '/api/v1/namespaces/default/configmaps';
  const updates = [{ ...CONFIG_MAPS[0], operations: ['UPDATE'] }];
  const auditAnnotations = [{ key: 'k', valueExpression: '"k was " + oldObject.data.k' }];
  const spec = {
    matchConstraints: { resourceRules: updates },
    validations: [{ expression: 'false' }],
    auditAnnotations,
  };
  for (const [plural, object] of [policy('p', spec), bound('p', 'Warn', 'Audit')]) {
    expect((await server.ask('POST', `${GROUP}/${plural}`, object)).status).toBe(201);
    await server.ask('GET', `${GROUP}/${plural}`);
  }
  await server.ask('POST', maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } });
  const merge = { 'content-type': 'application/merge-patch+json' };
  engine.beforeCommit('/registry/configmaps/default/a', async () => {
    await server.ask('PATCH', `${maps}/a`, { data: { k: 'w' } }, merge);
  });
  const answer = await server.ask('PATCH', `${maps}/a`, { data: { mine: 'x' } }, { ...merge, 'audit-id': 'it' });
  expect(JSON.parse(answer.text).data).toEqual({ k: 'w', mine: 'x' });
  expect(answer.headers['warning']?.match(/299 - /gu)).toHaveLength(1);
  const events = await server.events('it');
  expect(events.map(({ stage }: Json) => stage)).toEqual(['RequestReceived', 'ResponseComplete']);
  // What was decided first is what is recorded, as in Kubernetes.
  expect(events.at(-1).annotations['p/k']).toBe('k was v');
  const failures = JSON.parse(events.at(-1).annotations['validation.policy.admission.k8s.io/validation_failure']);
  expect(failures).toHaveLength(1);
});
