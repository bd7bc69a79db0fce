/** How soon a written binding counts for the next requests of its subject, on each engine. */

import { text } from 'node:stream/consumers';
import { findRealPart, startEtcd } from '@listwatch/conformance/parts';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { digits, middle, percentile99 } from '../server/result.ts';
import { report } from '../storage/measure.ts';
import { inScratch } from '../storage/scratch.ts';

const BINDINGS = 2000;
const CHANGES = 300;
const GOAL_MS = 25;
const EARLY_MAX = 100_000;

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';
const MASTER = { name: 'ada', groups: ['system:masters'] };
const BOB = { name: 'bob', groups: ['system:authenticated'] };

/**
 * Prints, for each engine, how long behind the answer of a write a request was still decided by the old rights, and how many were (`early`): 0 when the
 * first one is decided by the new rights.
 */
export async function benchBindingDelay(): Promise<void> {
  await using memory = createMemoryEngine();
  await benchEngine('memory', memory);
  await inScratch(async (folder) => {
    await using lmdb = await openLmdbEngine({ path: folder });
    await benchEngine('lmdb', lmdb);
  });
  if (findRealPart('etcd') === undefined) return;
  await using etcd = await startEtcd();
  await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], compaction: 'off' });
  await benchEngine('etcd', engine);
}

function bind(binding: string, user: string): object {
  const apiGroup = 'rbac.authorization.k8s.io';
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'reader' };
  return { metadata: { name: binding }, roleRef, subjects: [{ apiGroup, kind: 'User', name: user }] };
}

async function benchEngine(name: string, engine: StorageEngine): Promise<void> {
  await using server = createApiServer({ engine });
  await server.start();
  const ask = async (method: string, path: string, user: typeof MASTER, body?: object): Promise<number> => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = { 'content-type': 'application/json' };
    const answer = await server.handle({ method, path, headers, body: bytes }, { user });
    await text(answer.body);
    return answer.status;
  };
  const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }];
  await ask('POST', `${RBAC}/clusterroles`, MASTER, { metadata: { name: 'reader' }, rules });
  for (let i = 0; i < BINDINGS; i += 1) {
    await ask('POST', `${RBAC}/clusterrolebindings`, MASTER, bind(`b${i}`, `user-${i}`));
  }
  const fromSent: number[] = [];
  const fromAnswer: number[] = [];
  let early = 0;
  for (let i = 0; i < CHANGES; i += 1) {
    const isGiven = i % 2 === 0;
    const sent = performance.now();
    const status = isGiven
      ? await ask('POST', `${RBAC}/clusterrolebindings`, MASTER, bind('bob', 'bob'))
      : await ask('DELETE', `${RBAC}/clusterrolebindings/bob`, MASTER);
    if (status !== (isGiven ? 201 : 200)) throw new Error(`${status} instead of success`);
    const answered = performance.now();
    let decided = answered;
    // The request that is decided rightly is asked at `decided`: what it takes itself does not count.
    while ((await ask('GET', `${MAPS}?resourceVersion=0`, BOB)) !== (isGiven ? 200 : 403)) {
      early += 1;
      if (early > EARLY_MAX) throw new Error('the change does not count');
      decided = performance.now();
    }
    fromSent.push(decided - sent);
    fromAnswer.push(decided - answered);
  }
  const value = digits(Math.max(...fromAnswer));
  report({
    bench: `a change counts, ${name}`,
    value,
    unit: 'ms behind the answer of the write, the longest',
    goal: { atMost: GOAL_MS },
    met: value <= GOAL_MS,
    early,
    middle: digits(middle(fromAnswer)),
    percentile99: digits(percentile99(fromAnswer)),
    // With the commit.
    fromSent: { middle: digits(middle(fromSent)), longest: digits(Math.max(...fromSent)) },
  });
}
