import { expect, it } from 'vitest';
import { parseRoute } from '../route/parse-route.ts';
import { parseTarget } from '../route/request-target.ts';
import { ANONYMOUS } from './authenticator.ts';
import { accessAttributes, authorize, mastersAuthorizer } from './authorizer.ts';

const attributes = (method: string, target: string, user = ANONYMOUS) => {
  const parsed = parseTarget(target);
  if (parsed === undefined) throw new Error(target);
  return accessAttributes(parseRoute(method, parsed), user);
};

it.each([
  [
    'GET',
    '/api/v1/namespaces/default/configmaps',
    'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
  ],
  [
    'PUT',
    '/apis/apps/v1/namespaces/a/deployments/x/status',
    'deployments.apps "x" is forbidden: User "system:anonymous" cannot update resource "deployments/status" in API group "apps" in the namespace "a"',
  ],
  [
    'GET',
    '/api/v1/nodes?watch=true',
    'nodes is forbidden: User "system:anonymous" cannot watch resource "nodes" in API group "" at the cluster scope',
  ],
  [
    'GET',
    '/api/v1/nodes?fieldSelector=metadata.name%3Dn1',
    'nodes "n1" is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
  ],
  ['GET', '/metrics', 'forbidden: User "system:anonymous" cannot get path "/metrics"'],
  ['POST', '/version', 'forbidden: User "system:anonymous" cannot post path "/version"'],
  ['GET', '/readyz/ping', 'forbidden: User "system:anonymous" cannot get path "/readyz/ping"'],
  ['GET', '/%3Cb%3E', 'forbidden: User "system:anonymous" cannot get path "/&lt;b&gt;"'],
])('%s %s is not for the anonymous', async (method, target, message) => {
  await expect(authorize(mastersAuthorizer(), attributes(method, target))).rejects.toMatchObject({
    httpCode: 403,
    status: { message },
  });
});

it.each(['/healthz', '/livez', '/readyz', '/version'])('anybody may read %s', async (path) => {
  await authorize(mastersAuthorizer(), attributes('GET', path));
});

it('masters may do everything', async () => {
  const master = { name: 'root', groups: ['system:masters'] };
  await authorize(mastersAuthorizer(), attributes('DELETE', '/api/v1/nodes', master));
  await authorize(mastersAuthorizer(), attributes('GET', '/metrics', master));
});

it('a reason is shown', async () => {
  const authorizer = { authorize: () => ({ allowed: false, reason: 'not on Sundays' }) as const };
  await expect(authorize(authorizer, attributes('GET', '/x'))).rejects.toMatchObject({
    status: { message: 'forbidden: User "system:anonymous" cannot get path "/x": not on Sundays' },
  });
});

const ROBOT = { name: 'system:serviceaccount:a:robot', groups: ['system:serviceaccounts', 'system:authenticated'] };

it.each([
  ['GET', '/api', true],
  ['GET', '/apis/apps/v1', true],
  ['GET', '/openapi/v3', true],
  ['GET', '/apisx', false],
  ['GET', '/metrics', false],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', true],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', false],
  ['POST', '/apis/authentication.k8s.io/v1/tokenreviews', false],
  ['GET', '/openid/v1/jwks', true],
  ['GET', '/api/v1/namespaces/a/pods', false],
])('an authenticated service account may %s %s: %s', async (method, target, allowed) => {
  expect(await mastersAuthorizer().authorize(attributes(method, target, ROBOT))).toEqual({ allowed });
});

it('the published keys are for service accounts only', async () => {
  const user = { name: 'bob', groups: ['system:authenticated'] };
  expect(await mastersAuthorizer().authorize(attributes('GET', '/openid/v1/jwks', user))).toEqual({ allowed: false });
});
