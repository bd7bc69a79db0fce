/**
 * What a decision of RBAC costs: `npm run bench:access`. A store of 10 000 bindings, asked for a service account with a role in
 * its namespace, for one that has all 10 000, and for one that is refused; how soon a written binding counts; whether refusals tell by their time what exists; then our
 * whole server, and kube-apiserver where `KUBE_APISERVER_BIN` names it. Prints JSON lines. `-- binding-delay`: only how soon a binding counts.
 */

import { findRealPart, startKubeApiserver } from '@listwatch/conformance/parts';
import { rbacAuthorizer } from '../../packages/server/src/access/rbac/rbac-authorizer.ts';
import { RbacIndex } from '../../packages/server/src/access/rbac/rbac-index.ts';
import { binding, role } from '../../packages/server/src/access/rbac/rbac-objects.fixture.ts';
import type { AccessAttributes } from '../../packages/server/src/contract/authorization.ts';
import { judgeTarget } from '../server/beside/contests.ts';
import { machine } from '../server/machine.ts';
import { startOwnServer } from '../server/own-server.ts';
import { digits, middle } from '../server/result.ts';
import { report } from '../storage/measure.ts';
import { inScratch } from '../storage/scratch.ts';
import { benchBeside } from './beside.ts';
import { benchBindingDelay } from './binding-delay.ts';
import { benchRefusals } from './refusals.ts';

const BINDINGS = 10_000;
const ROUNDS = 7;
const DECISIONS = 200_000;
const GOAL_MICROS = 3;

const READ = { verbs: ['get', 'list', 'watch'], apiGroups: ['', 'apps'], resources: ['configmaps', 'deployments'] };

function account(namespace: string, name: string): AccessAttributes['user'] {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
}

/** One RoleBinding in each of 10 000 namespaces, each to an account of its own. */
function spread(): RbacIndex {
  const index = new RbacIndex();
  index.setRole(role('reader', [READ]));
  for (let i = 0; i < BINDINGS; i += 1) {
    const subject = { kind: 'ServiceAccount', name: 'a' } as const;
    index.setBinding(binding('b', { kind: 'ClusterRole', name: 'reader' }, [subject], `n${i}`));
  }
  return index;
}

/** 10 000 ClusterRoleBindings of one account, each to a role of its own for one name. */
function heaped(): RbacIndex {
  const index = new RbacIndex();
  const subject = { kind: 'ServiceAccount', name: 'a', namespace: 'n7' } as const;
  for (let i = 0; i < BINDINGS; i += 1) {
    index.setRole(role(`r${i}`, [{ ...READ, resourceNames: [`c${i}`] }]));
    index.setBinding(binding(`b${i}`, { kind: 'ClusterRole', name: `r${i}` }, [subject]));
  }
  return index;
}

function question(namespace: string, name: string, user = account('n7', 'a')): AccessAttributes {
  const resource = { group: '', version: 'v1', resource: 'configmaps', subresource: '' };
  return { user, verb: 'get', isResource: true, ...resource, namespace, name, path: '' };
}

function measure(bench: string, index: RbacIndex, asked: AccessAttributes): void {
  const authorizer = rbacAuthorizer(index);
  const { allowed } = authorizer.authorize(asked);
  const micros: number[] = [];
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    for (let i = 0; i < DECISIONS; i += 1) authorizer.authorize(asked);
    micros.push(((performance.now() - started) * 1000) / DECISIONS);
  }
  globalThis.gc?.();
  const kept = (process.memoryUsage().heapUsed - heap) / (ROUNDS * DECISIONS);
  const value = digits(middle(micros));
  const goal = { atMost: GOAL_MICROS };
  report({ bench, value, unit: 'us', goal, met: value <= GOAL_MICROS, allowed, keptBytes: digits(Math.max(0, kept)) });
}

machine();
await benchBindingDelay();
if (process.argv.includes('binding-delay')) process.exit();
const spreadIndex = spread();
measure('decision-one-of-10000', spreadIndex, question('n7', 'c'));
measure('decision-refused', spreadIndex, question('n8', 'c'));
const started = performance.now();
const heapedIndex = heaped();
report({ bench: 'index-10000-roles-and-bindings', value: digits(performance.now() - started), unit: 'ms' });
measure('decision-all-of-10000', heapedIndex, question('n7', 'c9999'));
measure('decision-all-of-10000-refused', heapedIndex, question('n7', 'x'));
const changed = performance.now();
heapedIndex.setRole(role('r5', [READ]));
report({ bench: 'role-changed', value: digits((performance.now() - changed) * 1000), unit: 'us' });

await benchRefusals();
await inScratch(async (folder) => {
  const own = await startOwnServer({ folder, storage: 'memory', fromSource: true });
  try {
    await benchBeside(own);
  } finally {
    await own.stop();
  }
});
if (findRealPart('kube-apiserver') !== undefined) {
  await using real = await startKubeApiserver();
  await benchBeside(judgeTarget(real));
}
