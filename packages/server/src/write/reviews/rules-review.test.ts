import { expect, it } from 'vitest';
import { InProcessServer } from '../../start/in-process-server.fixture.ts';

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const SPEC = { spec: { namespace: 'a' } };
const ALL = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

const fail = (): never => {
  throw new Error('no list');
};

it('a review of rules lists what the default roles grant', async () => {
  await using server = await InProcessServer.start();
  const { status, spec } = await server.ok('POST', PATH, SPEC);
  expect([spec, status.resourceRules[0], status.incomplete]).toEqual([{}, ALL, false]);
  const bobs = await server.ok('POST', PATH, SPEC, { token: 'bob-token' });
  expect(bobs.status).toEqual({
    resourceRules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
    nonResourceRules: [
      { verbs: ['get'], nonResourceURLs: expect.arrayContaining(['/api', '/apis/*', '/version']) },
      { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
    ],
    incomplete: false,
  });
});

it('a review of rules needs a namespace', async () => {
  await using server = await InProcessServer.start();
  expect(await server.ask('POST', PATH, {})).toMatchObject({
    status: 400,
    body: { message: 'no namespace on request' },
  });
});

it('an authorizer that lists no rules, or fails to, is answered as incomplete', async () => {
  const allow = { authorize: () => ({ allowed: true }) as const };
  await using server = await InProcessServer.start({ authorizer: allow });
  expect((await server.ok('POST', PATH, SPEC)).status).toMatchObject({
    incomplete: true,
    evaluationError: 'the authorizer does not support user rule resolution',
  });
  await using failing = await InProcessServer.start({ authorizer: { ...allow, rules: fail } });
  expect((await failing.ok('POST', PATH, SPEC)).status).toMatchObject({ incomplete: true, evaluationError: 'no list' });
});

it('100 000 rules are listed', async () => {
  const resourceRules = Array.from({ length: 100_000 }, (_, index) => ({ ...ALL, resourceNames: [`n${index}`] }));
  const authorizer = {
    authorize: () => ({ allowed: true }) as const,
    rules: () => ({ resourceRules, nonResourceRules: [] }),
  };
  await using server = await InProcessServer.start({ authorizer });
  expect((await server.ok('POST', PATH, SPEC)).status.resourceRules).toHaveLength(100_000);
});
