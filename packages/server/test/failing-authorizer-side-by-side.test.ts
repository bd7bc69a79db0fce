import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { ApiClient } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenAuthenticator } from '../src/access/authenticator.ts';
import { type AskedReview, type ReviewReply, ReviewWebhook } from '../src/access/webhook/review-webhook.fixture.ts';
import { ConfiguredAuthorization, parseAuthorizationConfiguration } from '../src/authorizers.ts';
import { parseTokenFile } from '../src/index.ts';
import { startTestServer } from './test-server.ts';

const TOKENS = ['half-token,half,half,"g"', 'talker-token,talker,talker,"g"'];
const RBAC = 'rbac.authorization.k8s.io';
const API = `/apis/${RBAC}/v1`;
const RULES = [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }];

/** Two webhooks, one after the other. The users may do everything, but about some rights the first one fails. */
function reply({ target, body }: AskedReview): ReviewReply {
  const { user, resourceAttributes = {} } = body.spec;
  const { verb = '', resource = '', name = '' } = resourceAttributes;
  const fails = /^(?:escalate|bind|impersonate)/u.test(verb) || (verb === 'create' && resource === 'configmaps');
  // The first has no opinion, the second allows it.
  if (verb === 'bind' && name === 'permitted') return { allowed: target.startsWith('/second') };
  if (!fails) return { allowed: user === 'half' || user === 'talker' };
  if (!target.startsWith('/second')) return [400, 'no such thing'];
  return { allowed: false, ...(user === 'talker' && { reason: 'who is that?' }) };
}

function configuration(files: readonly string[]): string {
  const webhooks = files.map((kubeConfigFile, index) => ({
    type: 'Webhook',
    name: `hook-${index}`,
    webhook: {
      timeout: '10s',
      authorizedTTL: '1ms',
      unauthorizedTTL: '1ms',
      subjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
    },
  }));
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [...webhooks, { type: 'RBAC', name: 'rbac' }],
  });
}

const kubeconfig = (server: string): string =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: {} }],
  });

const role = (name: string, rules: readonly object[]): object => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});
const binding = (name: string, to: string): object => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: to },
});
const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' } };
type Case = readonly [
  what: string,
  method: string,
  path: string,
  body?: object | undefined,
  headers?: Readonly<Record<string, string>>,
];

const CASES: readonly Case[] = [
  ['a role with rules that the author lacks', 'POST', `${API}/clusterroles`, role('r', RULES)],
  ['a role without rules', 'POST', `${API}/clusterroles`, role('empty', [])],
  ['a binding to a role with rules', 'POST', `${API}/clusterrolebindings`, binding('b', 'system:node')],
  ['a binding to a role without rules', 'POST', `${API}/clusterrolebindings`, binding('e', 'empty')],
  ['a binding to a missing role', 'POST', `${API}/clusterrolebindings`, binding('m', 'missing')],
  ['a role for the next case', 'POST', `${API}/clusterroles`, role('permitted', [])],
  ['a binding that another authorizer permits', 'POST', `${API}/clusterrolebindings`, binding('p', 'permitted')],
  ['an update that creates', 'PUT', '/api/v1/namespaces/default/configmaps/c', config],
  [
    'an apply that creates',
    'PATCH',
    '/api/v1/namespaces/default/configmaps/c?fieldManager=m',
    config,
    { 'content-type': 'application/apply-patch+yaml' },
  ],
  [
    'a review',
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'bind', resource: 'x' } },
    },
  ],
  ['impersonation', 'GET', '/api/v1/namespaces', undefined, { 'impersonate-user': 'bob' }],
  [
    'impersonation of a service account',
    'GET',
    '/api/v1/namespaces',
    undefined,
    { 'impersonate-user': 'system:serviceaccount:default:a' },
  ],
  [
    'impersonation with a uid and extras',
    'GET',
    '/version',
    undefined,
    { 'impersonate-user': 'bob', 'impersonate-uid': 'u', 'impersonate-extra-acme.io%2fa': 'x' },
  ],
];

describe('authorizers that fail about a second right', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  const clients: ApiClient[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-failing-'));

  beforeAll(async () => {
    const hook = await ReviewWebhook.start();
    hook.reply = reply;
    const files = ['first', 'second'].map((name) => join(folder, name));
    for (const file of files)
      writeFileSync(file, kubeconfig(`${hook.url}/${file.endsWith('first') ? 'first' : 'second'}`));
    const text = configuration(files);
    writeFileSync(join(folder, 'config'), text);
    const real = await startKubeApiserver({
      tokens: TOKENS,
      flags: [`--authorization-config=${join(folder, 'config')}`],
    });
    const authorization = await ConfiguredAuthorization.create(parseAuthorizationConfiguration(text), {
      clock: backgroundClock,
      connect: async (file) => ({ url: `${hook.url}/${file.endsWith('first') ? 'first' : 'second'}` }),
    });
    const engine = createMemoryEngine();
    const own = await startTestServer(engine, {
      authorization,
      authenticator: tokenAuthenticator(parseTokenFile(TOKENS.join('\n'))),
    });
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() }, hook);
    clients.push(new ApiClient(real), new ApiClient(own));
  }, 180_000);
  afterAll(async () => {
    for (const client of clients) client.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const cases = CASES.map(([what, method, path, body, headers = {}]) => ({ what, method, path, body, headers }));
  it.each(cases)('$what: the same answer', async ({ method, path, body, headers }) => {
    for (const user of ['half', 'talker']) {
      const answers = clients.map(async (client) => {
        const { status, text } = await client.request(method, path, {
          body,
          headers: { ...headers, authorization: `Bearer ${user}-token` },
        });
        return { status, text: status >= 400 ? text : JSON.stringify(JSON.parse(text).status ?? '') };
      });
      const [real, own] = await Promise.all(answers);
      expect({ user, ...own }).toEqual({ user, ...real });
    }
  });
});
