import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { defineKind } from '@listwatch/kinds/author';
import { expect, it } from 'vitest';
import { startTestServer } from '../start-test-server.ts';

const website = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['host'],
        properties: { host: { type: 'string' }, replicas: { type: 'integer', default: 1 } },
      },
    },
  },
});

it('kinds of files and of objects are served from the start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-crds-'));
  writeFileSync(join(folder, 'website.yaml'), JSON.stringify(website.crd));
  writeFileSync(join(folder, 'other.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n');
  const mirror = defineKind({ group: 'example.org', version: 'v1', kind: 'Mirror', schema: { type: 'object' } });
  await using env = await startTestServer({ crds: [join(folder, '*.yaml'), mirror.crd], controllers: [] });
  rmSync(folder, { recursive: true });
  const [made] = await env.apply({
    apiVersion: 'example.com/v1',
    kind: 'Website',
    metadata: { name: 'a' },
    spec: { host: 'h' },
  });
  expect(made).toMatchObject({ spec: { host: 'h', replicas: 1 } });
  expect((await env.cluster.list(mirror.resource)).items).toEqual([]);
});

it('kinds can come later, also while time stands still', async () => {
  await using env = await startTestServer({ clock: new FakeClock() });
  const [crd] = await env.installCrds(website.crd);
  expect(crd).toMatchObject({
    metadata: { name: 'websites.example.com' },
    status: { acceptedNames: { kind: 'Website' } },
  });
  expect((await env.cluster.list(website.resource)).items).toEqual([]);
  // Again, as a second test of the same environment would.
  await env.installCrds(website.crd);
});

it('says what is wrong with a source', async () => {
  await using env = await startTestServer({ controllers: [] });
  await expect(env.installCrds({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })).rejects.toThrow(
    'there is no CustomResourceDefinition in the object',
  );
  await expect(env.installCrds('nowhere.yaml')).rejects.toThrow('nowhere.yaml cannot be read: there is no such file');
  const bad = { ...website.crd, spec: { ...website.crd.spec, scope: 'Nowhere' } };
  await expect(env.installCrds(bad)).rejects.toThrow('spec.scope: Unsupported value: "Nowhere"');
  await env.installCrds(website.crd);
  const twin = defineKind({
    group: 'example.com',
    version: 'v1',
    kind: 'Website',
    plural: 'sites',
    schema: { type: 'object' },
  });
  await expect(env.installCrds(twin.crd)).rejects.toThrow(
    'sites.example.com is not served: "WebsiteList" is already in use',
  );
});
