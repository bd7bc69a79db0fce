import { createMemoryEngine } from '@listwatch/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccessAttributes, AccessDecision } from '../contract/authorization.ts';
import { type ApiServer, createApiServer } from '../index.ts';

const RBAC = 'rbac.authorization.k8s.io';
const RULES = [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }];
const BOB = { name: 'bob', groups: ['g'] };
const SECOND = /^(?:escalate|bind|impersonate)/u;

/** Fails about the rights that requests need besides their own, and allows all others. */
function decide({ user, verb, resource }: AccessAttributes): AccessDecision {
  const isSecond = SECOND.test(verb) || (verb === 'create' && resource === 'configmaps');
  if (user.name === 'bob' && isSecond) throw new Error('no answer');
  return { allowed: true };
}

let server: ApiServer;
let reported: string[];

beforeEach(async () => {
  reported = [];
  server = createApiServer({
    engine: createMemoryEngine(),
    authorization: [
      { type: 'Own', name: 'quiet', authorizer: { authorize: () => ({ allowed: false, reason: 'who is that?' }) } },
      { type: 'Own', name: 'failing', authorizer: { authorize: decide } },
    ],
    onError: (error, { target }) => reported.push(`${target}: ${String(error)}`),
  });
  await server.start();
});
afterEach(() => server.close());

async function ask(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly [status: number, message: string]> {
  const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
  const type = { 'content-type': 'application/json' };
  const answer = await server.handle({ method, path, headers: { ...type, ...headers }, ...sent }, { user: BOB });
  const parts: Uint8Array[] = [];
  for await (const part of answer.body) parts.push(part);
  return [answer.status, JSON.parse(Buffer.concat(parts).toString()).message ?? ''];
}

const role = (name: string, rules: readonly object[]): object => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});
const binding = (name: string): object => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: 'b' },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
});

it('a failure about escalate or bind gives no right, and the rules of the user decide', async () => {
  expect(await ask('POST', `/apis/${RBAC}/v1/clusterroles`, role('r', RULES))).toEqual([
    403,
    'clusterroles.rbac.authorization.k8s.io "r" is forbidden: user "bob" (groups=["g" "system:authenticated"]) is ' +
      'attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  ]);
  expect(await ask('POST', `/apis/${RBAC}/v1/clusterroles`, role('empty', []))).toEqual([201, '']);
  expect(await ask('POST', `/apis/${RBAC}/v1/clusterrolebindings`, binding('empty'))).toEqual([201, '']);
  expect((await ask('POST', `/apis/${RBAC}/v1/clusterrolebindings`, binding('system:node')))[0]).toBe(403);
  expect((await ask('POST', `/apis/${RBAC}/v1/clusterrolebindings`, binding('none')))[0]).toBe(404);
  expect(reported).toEqual(Array(5).fill('authorization: UndecidedFailure: no answer'));
});

it('a failure about impersonation is a 403 that names the error and the reasons of others', async () => {
  expect(await ask('GET', '/api/v1/namespaces', undefined, { 'impersonate-user': 'eve' })).toEqual([
    403,
    'namespaces is forbidden: User "bob" cannot impersonate-on:user-info:list resource "namespaces" in API group "" at ' +
      'the cluster scope: no answer: who is that?',
  ]);
  expect(new Set(reported)).toEqual(new Set(['impersonation: UndecidedFailure: no answer']));
});

it('a failure about the creation by an update is a 500 that names the error', async () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
  const path = '/api/v1/namespaces/default/configmaps/c?fieldManager=m';
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  expect(await ask('PATCH', path, map, apply)).toEqual([500, 'Internal error occurred: no answer']);
  expect(reported).toEqual(['authorization: UndecidedFailure: no answer']);
});
