import { beforeEach, describe, expect, it } from 'vitest';
import { VerbFixture } from './verb.fixture.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/x/leases';
const BUDGETS = '/apis/policy/v1/namespaces/x/poddisruptionbudgets';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/x/events';

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

async function said(path: string, body: object): Promise<unknown[]> {
  const answer = await server.call('POST', path, { body });
  return [answer.status, answer.body.message];
}

describe('metadata that Kubernetes checks less for some kinds', () => {
  it('may have a finalizer without a domain where its kinds take one, and nowhere else', async () => {
    const metadata = { name: 'a', finalizers: ['foo'] };
    expect(await said(LEASES, { metadata })).toEqual([201, undefined]);
    expect(await said('/api/v1/namespaces/x/configmaps', { metadata })).toEqual([
      422,
      'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });

  it('may have any name that fits into a path, if it is of a PodDisruptionBudget', async () => {
    for (const name of ['Upper', 'a_b', 'a:b'])
      expect(await said(BUDGETS, { metadata: { name } })).toEqual([201, undefined]);
    expect((await said(BUDGETS, { metadata: { name: 'a%b' } }))[0]).toBe(422);
  });

  it('of a LimitRange may lack the name', async () => {
    const { body, status } = await server.call('POST', '/api/v1/namespaces/x/limitranges', {
      body: { spec: { limits: [] } },
    });
    expect([status, body.metadata.name]).toEqual([201, body.metadata.uid]);
    expect((await server.call('GET', `/api/v1/namespaces/x/limitranges/${body.metadata.name}`)).status).toBe(200);
  });

  it('names an owner by a version that is one', async () => {
    const owner = { apiVersion: 'a/b/c', kind: 'K', name: 'o', uid: 'u' };
    expect(await said(LEASES, { metadata: { name: 'a', ownerReferences: [owner] } })).toEqual([
      422,
      'Lease.coordination.k8s.io "a" is invalid: metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    ]);
  });

  it('of an Event is reported as that of the core group', async () => {
    expect((await said(EVENTS, { metadata: { name: 'a' } }))[1]).toMatch(/^Event "a" is invalid: /);
  });
});
