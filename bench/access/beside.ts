/** What a decision costs a whole server with 10 000 bindings, ours or another: the CPU of SubjectAccessReviews. */

import type { Connection } from '../server/connection.ts';
import { spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { costOf } from '../server/process-facts.ts';
import { digits, middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';

const BINDINGS = 10_000;
const CONCURRENCY = 16;
const REVIEWS = 4000;
const ROUNDS = 5;

const API_GROUP = 'rbac.authorization.k8s.io';
const RBAC = `/apis/${API_GROUP}/v1`;
const REVIEW = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/** Whom a review is about. */
interface Asked {
  readonly what: string;
  readonly namespace: string;
  readonly groups: readonly string[];
  readonly isAllowed: boolean;
}

/** The first one is allowed before any binding is looked at: the others cost what it costs, and a decision of RBAC. */
const ASKED: readonly Asked[] = [
  { what: 'a master', namespace: 'n7', groups: ['system:masters'], isAllowed: true },
  { what: 'allowed by RBAC', namespace: 'n7', groups: ['system:authenticated'], isAllowed: true },
  { what: 'refused by RBAC', namespace: 'nobody', groups: ['system:authenticated'], isAllowed: false },
];

/** The reviewer is in `system:masters`, too: each review is one decision. */
export async function benchBeside(target: Target): Promise<void> {
  await withConnections(target, 'h2', CONCURRENCY, async (connections) => {
    await fill(connections);
    const costs = await inTurn(target, connections);
    const [master = 0] = costs;
    for (const [index, { what }] of ASKED.entries()) {
      const value = costs[index] ?? 0;
      record(target, {
        bench: `review, 10 000 bindings: ${what}`,
        value: digits(value),
        unit: 'us CPU',
        more: digits(value - master),
      });
    }
  });
}

/** 10 000 ClusterRoleBindings, each of an account of its own. */
async function fill(connections: readonly Connection[]): Promise<void> {
  const rules = [
    { verbs: ['get', 'list', 'watch'], apiGroups: ['', 'apps'], resources: ['configmaps', 'deployments'] },
  ];
  const [first] = connections;
  if (first === undefined) throw new RangeError('there is no connection');
  await post(first, `${RBAC}/clusterroles`, { metadata: { name: 'reader' }, rules });
  const roleRef = { apiGroup: API_GROUP, kind: 'ClusterRole', name: 'reader' };
  await spread(connections, BINDINGS, async (connection, i) => {
    const subjects = [{ kind: 'ServiceAccount', name: 'a', namespace: `n${i}` }];
    await post(connection, `${RBAC}/clusterrolebindings`, { metadata: { name: `b${i}` }, roleRef, subjects });
  });
  // kube-apiserver follows its own writes.
  while (!(await review(first, { namespace: `n${BINDINGS - 1}`, groups: [] })))
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Server CPU of one review of each, the middle of the rounds. Throws when one is answered otherwise. */
async function inTurn({ pid }: Target, connections: readonly Connection[]): Promise<readonly number[]> {
  const costs: number[][] = ASKED.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, asked] of ASKED.entries()) {
      const { serverMicros } = await costOf(pid, () =>
        spread(connections, REVIEWS, async (connection) => {
          if ((await review(connection, asked)) !== asked.isAllowed) throw new Error(`${asked.what}: answered wrongly`);
        }),
      );
      // The first round warms up.
      if (round > 0) costs[index]?.push(serverMicros / REVIEWS);
    }
  }
  return costs.map(middle);
}

async function review(
  connection: Connection,
  { namespace, groups }: Pick<Asked, 'groups' | 'namespace'>,
): Promise<boolean> {
  const user = `system:serviceaccount:${namespace}:a`;
  const resourceAttributes = { verb: 'get', version: 'v1', resource: 'configmaps', namespace, name: 'c' };
  const body = await post(connection, REVIEW, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, groups, resourceAttributes },
  });
  return body.includes('"allowed":true');
}

async function post(connection: Connection, path: string, object: object): Promise<string> {
  const question = { method: 'POST', path, body: JSON.stringify(object), contentType: 'application/json', keep: true };
  const { status, body } = await connection.ask(question);
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${body}`);
  return body;
}
