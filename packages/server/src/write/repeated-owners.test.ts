import { beforeEach, expect, it } from 'vitest';
import { VerbFixture } from './verb.fixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/x/configmaps';
const owner = (uid: string, name = 'p'): object => ({ apiVersion: 'v1', kind: 'Pod', name, uid });
const repeated = [owner('u1'), owner('u2'), owner('u1'), owner('u1', 'other')];
const distinct = [owner('u1'), owner('u2'), owner('u1', 'other')];

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

it('a create or an update keeps each owner reference once and warns', async () => {
  const body = { metadata: { name: 'a', ownerReferences: repeated } };
  const warning = expect.stringContaining('duplicate entries; API server dedups owner references in 1.20+');
  const created = await server.call('POST', CONFIG_MAPS, { body });
  expect(created.body.metadata.ownerReferences).toEqual(distinct);
  expect(created.headers['warning']).toEqual(warning);
  expect(created.headers['warning']).toMatch(/observed: u1"$/u);
  const updated = await server.call('PUT', `${CONFIG_MAPS}/a`, { body });
  expect([updated.body.metadata.ownerReferences, updated.headers['warning']]).toEqual([distinct, warning]);
});

it('a patch does so in other words', async () => {
  await server.ok('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } });
  const patched = await server.call('PATCH', `${CONFIG_MAPS}/a`, {
    body: { metadata: { ownerReferences: repeated } },
    type: 'application/merge-patch+json',
  });
  expect(patched.body.metadata.ownerReferences).toEqual(distinct);
  expect(patched.headers['warning']).toContain('duplicate entries after mutating admission happens; API server');
});

it('distinct references give no warning', async () => {
  const created = await server.call('POST', CONFIG_MAPS, {
    body: { metadata: { name: 'a', ownerReferences: distinct } },
  });
  expect([created.body.metadata.ownerReferences, created.headers['warning']]).toEqual([distinct, undefined]);
});
