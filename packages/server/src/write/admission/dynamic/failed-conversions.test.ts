import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConversionWebhook } from '../../../crd/conversion-webhook.fixture.ts';
import { CustomServer, pathOf, specSchema, widget, widgets } from '../../../crd/custom-server.fixture.ts';
import type { Asked } from '../../../start/in-process-server.fixture.ts';
import { HookServer, patchOf } from '../webhooks/hook-server.fixture.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const WIDGETS = 'f.example.com';
const FAILED = 'conversion webhook for f.example.com/v1, Kind=Widget failed: boom';
/** A rule about another version than the one that clients write: the objects are converted for it. */
const rules = [{ apiGroups: [WIDGETS], apiVersions: ['v2'], operations: ['CREATE'], resources: ['widgets'] }];

let server: CustomServer;
let conversion: ConversionWebhook;
let made = 0;

beforeAll(async () => {
  [server, conversion] = await Promise.all([CustomServer.start(), ConversionWebhook.start()]);
  const text = { type: 'string' };
  const one = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: specSchema({ both: text }) } };
  const two = {
    ...one,
    name: 'v2',
    storage: false,
    schema: { openAPIV3Schema: specSchema({ first: text, second: text }) },
  };
  await server.install(widgets(WIDGETS, {}, { conversion: conversion.conversion, versions: [one, two] }));
  conversion.behave = () => ({ status: 500, body: { message: 'boom' } });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await conversion[Symbol.asyncDispose]();
});

/** Creates a widget in v1 while the objects are in effect. */
async function createdUnder(objects: readonly (readonly [plural: string, object: object])[]): Promise<Asked> {
  made += 1;
  const name = `w-${made}`;
  for (const [plural, object] of objects) {
    await server.ok('POST', `${GROUP}/${plural}`, { metadata: { name }, ...object });
    // A list is answered when the cache, and with it admission, has what was written.
    await server.ok('GET', `${GROUP}/${plural}`);
  }
  const asked = await server.ask('POST', pathOf(WIDGETS), widget(WIDGETS, name, { spec: { both: 'a b' } }));
  for (const [plural] of objects) {
    await server.ok('DELETE', `${GROUP}/${plural}/${name}`);
    await server.ok('GET', `${GROUP}/${plural}`);
  }
  return asked;
}

type Type = 'mutating' | 'validating';

function hooked(type: Type, failurePolicy: string): Promise<Asked> {
  const webhooks = [
    {
      name: 'a.hook.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/never' },
      rules,
      failurePolicy,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ];
  return createdUnder([[`${type}webhookconfigurations`, { webhooks }]]);
}

function judged(type: Type, failurePolicy: string): Promise<Asked> {
  const mutation = { expression: 'Object{spec: Object.spec{first: "x"}}' };
  const own =
    type === 'validating'
      ? { validations: [{ expression: 'true' }] }
      : {
          reinvocationPolicy: 'Never',
          mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: mutation }],
        };
  const policyName = `w-${made + 1}`;
  return createdUnder([
    [`${type}admissionpolicies`, { spec: { failurePolicy, matchConstraints: { resourceRules: rules }, ...own } }],
    [
      `${type}admissionpolicybindings`,
      { spec: { policyName, ...(type === 'validating' ? { validationActions: ['Deny'] } : {}) } },
    ],
  ]);
}

it.each<[Type, string, string]>([
  ['validating', 'Fail', ''],
  ['validating', 'Ignore', ''],
  // Kubernetes wraps the error twice there.
  ['mutating', 'Fail', 'Internal error occurred: '],
  ['mutating', 'Ignore', 'Internal error occurred: '],
])('a failed conversion for a %s webhook refuses the write under %s: no webhook was called', async (...given) => {
  const [type, failurePolicy, again] = given;
  const { status, body } = await hooked(type, failurePolicy);
  expect([status, body.message]).toEqual([500, `Internal error occurred: ${again}${FAILED}`]);
});

it('a failed conversion for a policy refuses the write under Fail', async () => {
  const validating = await judged('validating', 'Fail');
  const binding = `ValidatingAdmissionPolicy 'w-${made}' with binding 'w-${made}'`;
  expect([validating.status, validating.body.message]).toEqual([
    422,
    `widgets.${WIDGETS} "w-${made}" is forbidden: ${binding} denied request: failed to configure binding: failed to convert object version: ${FAILED}`,
  ]);
  const { status, body } = await judged('mutating', 'Fail');
  expect([status, body.reason, body.message]).toEqual([
    403,
    'Forbidden',
    `policy "w-${made}" denied request: failed to configure policy: ${FAILED}`,
  ]);
});

it.each<Type>(['mutating', 'validating'])(
  'a failed conversion for a %s policy is ignored under Ignore',
  async (type) => {
    expect((await judged(type, 'Ignore')).status).toBe(201);
  },
);

it('objects are converted once for all webhooks and policies of a step', async () => {
  conversion.behave = undefined;
  conversion.calls.length = 0;
  const hook = {
    clientConfig: { url: 'https://127.0.0.1:1/never' },
    rules,
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const webhooks = [1, 2, 3].map((index) => ({ ...hook, name: `h${index}.hook.example.com` }));
  expect((await createdUnder([['validatingwebhookconfigurations', { webhooks }]])).status).toBe(201);
  expect(conversion.calls).toEqual([1]);
});

it('what a mutating policy changes in another version comes back through the conversion webhook', async () => {
  conversion.behave = undefined;
  const { status, body } = await judged('mutating', 'Fail');
  expect([status, body.apiVersion, body.spec]).toEqual([201, `${WIDGETS}/v1`, { both: 'x b' }]);
});

it('so does what a mutating webhook changes, which sees the object in the version of its rule', async () => {
  conversion.behave = undefined;
  await using hook = await HookServer.start();
  hook.answers['m'] = patchOf({ op: 'replace', path: '/spec/second', value: 'y' });
  const own = { name: 'm.hook.example.com', clientConfig: hook.at('m'), rules };
  const webhooks = [{ ...own, sideEffects: 'None', admissionReviewVersions: ['v1'] }];
  const { status, body } = await createdUnder([['mutatingwebhookconfigurations', { webhooks }]]);
  expect([status, body.apiVersion, body.spec]).toEqual([201, `${WIDGETS}/v1`, { both: 'a y' }]);
  const [{ request } = { request: {} }] = hook.calls;
  const kinds = [request.kind.version, request.requestKind.version, request.object.apiVersion, request.object.spec];
  expect(kinds).toEqual(['v2', 'v1', `${WIDGETS}/v2`, { first: 'a', second: 'b' }]);
});
