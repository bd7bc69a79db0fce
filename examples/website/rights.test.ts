/** How the rights of an operator are tested: it runs with those that it ships, and they are exactly those that it uses. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, decorateCluster, logging } from '@listwatch/client';
import { deployments, services } from '@listwatch/kinds';
import { conditionIs, deleted, silentLogger, waitFor } from '@listwatch/runtime';
import { manager, parseUsedRights, smallestRoles } from '@listwatch/runtime/manager';
import { startTestServer, type TestEnvironment, type TestUser } from '@listwatch/testing';
import { loadAll } from 'js-yaml';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { websiteOperator } from './operator.ts';
import { website } from './website.ts';

const shop = { namespace: 'default', name: 'shop' };
const SERVICE_ACCOUNT: TestUser = { metadata: { namespace: 'default', name: 'website' } };
const shipped = await readFile(new URL('rbac.yaml', import.meta.url), 'utf8');

let folder: string;
let env: TestEnvironment;
let refusals: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'website-'));
  env = await startTestServer({ crds: [website.crd], as: SERVICE_ACCOUNT });
  refusals = [];
});

afterEach(async () => {
  await env.close();
  await rm(folder, { recursive: true });
});

/** A Website comes, gets ready and goes, while the operator runs on `cluster`. */
async function liveThrough(cluster: Cluster, recordRights: string): Promise<void> {
  const stop = new AbortController();
  const noteRefusals = logging(({ method, path, status }) => {
    if (status === 403) refusals.push(`${method} ${path}`);
  }, cluster.clock);
  const program = manager(decorateCluster(cluster, noteRefusals), {
    health: false,
    logger: silentLogger,
    recordRights,
  });
  program.add(websiteOperator({ set: () => {}, remove: () => {} }));
  const running = program.run({ signal: stop.signal });
  const admin = env.as('admin', ['system:masters']);
  const object = website.object({ metadata: shop, spec: { host: 'shop.example.com', image: 'shop:1' } });
  await admin.create(website.resource, object);
  await waitFor(admin, website.resource, shop, conditionIs('Ready', 'False'));
  const body = { status: { replicas: 1, readyReplicas: 1 } };
  await admin.patch(deployments, shop, { type: 'merge', body }, { subresource: 'status' });
  await waitFor(admin, website.resource, shop, conditionIs('Ready'));
  await admin.delete(website.resource, shop);
  await waitFor(admin, website.resource, shop, deleted);
  await waitFor(admin, deployments, shop, deleted);
  await waitFor(admin, services, shop, deleted);
  stop.abort();
  await running;
}

it('does its work with the rights that it ships', async () => {
  await env.apply(shipped);
  await liveThrough(env.cluster, join(folder, 'rights.json'));
  expect(refusals).toEqual([]);
});

it('ships exactly the rights that it uses', async () => {
  const file = join(folder, 'rights.json');
  await liveThrough(env.as('admin', ['system:masters']), file);
  const used = parseUsedRights(await readFile(file, 'utf8'));
  const roles = loadAll(shipped).filter(isRole);
  expect(roles).toEqual(smallestRoles(used, { name: 'website' }));
});

function isRole(object: unknown): boolean {
  return typeof object === 'object' && object !== null && 'rules' in object;
}
