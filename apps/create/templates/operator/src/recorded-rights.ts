import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployments } from '@listwatch/kinds';
import { conditionIs, deleted, waitFor } from '@listwatch/runtime';
import { manager, parseUsedRights, type SmallestRole, smallestRoles } from '@listwatch/runtime/manager';
import { startTestServer } from '@listwatch/testing';
import { websiteOperator } from './operator.ts';
import { LEASE, NAME, NAMESPACE } from './settings.ts';
import { website } from './website.ts';

/**
 * The smallest roles of the operator: it runs against a server in this process, does all that it can do, and is watched while it does.
 * Let it do here what you teach it.
 */
export async function recordedRights(): Promise<readonly SmallestRole[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rights-'));
  const file = join(folder, 'rights.json');
  await using env = await startTestServer({ crds: [website.crd] });
  try {
    await env.apply(`{ apiVersion: v1, kind: Namespace, metadata: { name: ${NAMESPACE} } }`);
    const program = manager(env.cluster, { recordRights: file, health: false, leaderElection: { lease: LEASE } });
    program.add(websiteOperator);
    const stop = new AbortController();
    const running = program.run({ signal: stop.signal });
    const target = { namespace: 'default', name: 'one' };
    await env.cluster.create(website.resource, website.object({ metadata: target, spec: { image: 'one:1' } }));
    await waitFor(env.cluster, website.resource, target, conditionIs('Ready', 'False'));
    await env.cluster.delete(deployments, target); // and it comes back
    await waitFor(
      env.cluster,
      deployments,
      target,
      (object) => object?.metadata.deletionTimestamp === undefined && object !== undefined,
    );
    await env.cluster.delete(website.resource, target);
    await waitFor(env.cluster, website.resource, target, deleted);
    stop.abort();
    await running;
    return smallestRoles(parseUsedRights(await readFile(file, 'utf8')), { name: NAME });
  } finally {
    await rm(folder, { recursive: true });
  }
}
