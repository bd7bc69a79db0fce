import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { AccessAttributes, AccessDecision, Authorizer } from '../contract/authorization.ts';
import { AuthorizationCounts } from './authorization-counts.ts';
import { type BuiltInAuthorizers, modeAuthorizer } from './authorization-mode.ts';

const ATTRIBUTES: AccessAttributes = {
  user: { name: 'bob', groups: [] },
  verb: 'get',
  isResource: false,
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '/x',
};

const builtIn = (authorize: Authorizer['authorize']): BuiltInAuthorizers => ({
  rbac: { authorize },
  node: () => ({ authorize }),
});

it('requests are counted by their result, and final decisions by who made them', async () => {
  const counts = new AuthorizationCounts();
  const answers: (() => AccessDecision | Promise<AccessDecision>)[] = [
    () => ({ allowed: true }),
    async () => ({ allowed: true }),
    () => ({ allowed: false, denied: true }),
    () => ({ allowed: false }),
    () => {
      throw new Error('down');
    },
    () => Promise.reject(new Error('down')),
  ];
  for (const authorize of answers) {
    const chain = counts.attempted(modeAuthorizer(['RBAC', 'AlwaysDeny'], builtIn(authorize), counts));
    await Promise.allSettled([(async () => chain.authorize(ATTRIBUTES))()]);
  }
  const masters = counts.attempted(
    modeAuthorizer(
      'RBAC',
      builtIn(() => ({ allowed: false })),
      counts,
    ),
  );
  await masters.authorize({ ...ATTRIBUTES, user: { name: 'root', groups: ['system:masters'] } });
  const registry = new Registry();
  counts.register(registry);
  expect((await registry.metrics()).split('\n').filter((line) => /^a.* [1-9]/u.test(line))).toEqual([
    'authorization_attempts_total{result="allowed"} 3',
    'authorization_attempts_total{result="denied"} 1',
    'authorization_attempts_total{result="error"} 2',
    'authorization_attempts_total{result="no-opinion"} 1',
    'apiserver_authorization_decisions_total{type="RBAC",name="rbac",decision="allowed"} 2',
    'apiserver_authorization_decisions_total{type="RBAC",name="rbac",decision="denied"} 1',
  ]);
});
