import { loadYaml } from '@listwatch/client';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';
import { operatorManifests } from '../src/operator-manifests.ts';

it('a cluster takes the manifests, and the rights in them are those that the operator uses', async () => {
  const yaml = await operatorManifests();
  await using env = await startTestServer();
  await env.apply(yaml);
  const objects = await loadYaml(yaml);
  const rules = JSON.stringify(objects.filter((object) => JSON.stringify(object).includes('"kind":"ClusterRole"')));
  expect(rules).toContain('"websites"');
  expect(rules).toContain('"deployments"');
  expect(rules).not.toContain('"*"');
}, 60_000);
