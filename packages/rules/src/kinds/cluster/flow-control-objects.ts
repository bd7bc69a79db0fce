/** The FlowSchemas and PriorityLevelConfigurations of a new cluster. Servers restore them. */

import type { JsonRecord } from '@listwatch/api/values';

type Specs = ReadonlyMap<string, JsonRecord>;

/** The annotation that lets a newer kube-apiserver update the spec of the object. */
export const AUTO_UPDATE: Readonly<Record<string, string>> = { 'apf.kubernetes.io/autoupdate-spec': 'true' };

const EVERY_REQUEST = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const EVERYBODY = [group('system:unauthenticated'), group('system:authenticated')];
const CONTROLLER_MANAGER = user('system:kube-controller-manager');
const SCHEDULER = user('system:kube-scheduler');
const SYSTEM_ACCOUNTS = { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } };
const LEASES = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] };

/** The specs of the mandatory schemas, which cannot be changed. */
export const MANDATORY_FLOW_SCHEMAS: Specs = new Map([
  ['catch-all', schema('catch-all', 10_000, 'ByUser', EVERYBODY)],
  ['exempt', schema('exempt', 1, undefined, [group('system:masters')])],
]);

/** The specs of all schemas, by name. */
export const FLOW_SCHEMAS: Specs = new Map([
  ...MANDATORY_FLOW_SCHEMAS,
  ['global-default', schema('global-default', 9900, 'ByUser', EVERYBODY)],
  ['kube-controller-manager', schema('workload-high', 800, 'ByNamespace', [CONTROLLER_MANAGER])],
  ['kube-scheduler', schema('workload-high', 800, 'ByNamespace', [SCHEDULER])],
  ['kube-system-service-accounts', schema('workload-high', 900, 'ByNamespace', [SYSTEM_ACCOUNTS])],
  ['probes', schema('exempt', 2, undefined, EVERYBODY, probeRules())],
  ['service-accounts', schema('workload-low', 9000, 'ByUser', [group('system:serviceaccounts')])],
  [
    'system-leader-election',
    schema('leader-election', 100, 'ByUser', [CONTROLLER_MANAGER, SCHEDULER, SYSTEM_ACCOUNTS], {
      resourceRules: [{ verbs: ['get', 'create', 'update'], ...LEASES }],
    }),
  ],
  ['system-node-high', schema('node-high', 400, 'ByUser', [group('system:nodes')], nodeRules())],
  ['system-nodes', schema('system', 500, 'ByUser', [group('system:nodes')])],
]);

/** The specs of the mandatory levels, which cannot be changed. */
export const MANDATORY_PRIORITY_LEVELS: Specs = new Map<string, JsonRecord>([
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
    },
  ],
  ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
]);

/** The names of the mandatory FlowSchemas and priority levels. Both kinds have the same names. */
export const MANDATORY_FLOW_OBJECTS: ReadonlySet<string> = new Set(MANDATORY_PRIORITY_LEVELS.keys());

/** The specs of all levels, by name. */
export const PRIORITY_LEVELS: Specs = new Map([
  ...MANDATORY_PRIORITY_LEVELS,
  ['global-default', level(20, 50, 128, 6)],
  ['leader-election', level(10, 0, 16, 4)],
  ['node-high', level(40, 25, 64, 6)],
  ['system', level(30, 33, 64, 6)],
  ['workload-high', level(40, 50, 128, 6)],
  ['workload-low', level(100, 90, 128, 6)],
]);

function schema(
  levelName: string,
  matchingPrecedence: number,
  method: string | undefined,
  subjects: readonly JsonRecord[],
  requests: JsonRecord = EVERY_REQUEST,
): JsonRecord {
  return {
    priorityLevelConfiguration: { name: levelName },
    matchingPrecedence,
    ...(method === undefined ? {} : { distinguisherMethod: { type: method } }),
    rules: [{ subjects, ...requests }],
  };
}

function level(shares: number, lendablePercent: number, queues: number, handSize: number): JsonRecord {
  const queuing = { queues, handSize, queueLengthLimit: 50 };
  const limitResponse = { type: 'Queue', queuing };
  return { type: 'Limited', limited: { nominalConcurrencyShares: shares, limitResponse, lendablePercent } };
}

function nodeRules(): JsonRecord {
  const nodes = { apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] };
  return {
    resourceRules: [
      { verbs: ['*'], ...nodes },
      { verbs: ['*'], ...LEASES },
    ],
  };
}

function probeRules(): JsonRecord {
  return { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] };
}

function group(name: string): JsonRecord {
  return { kind: 'Group', group: { name } };
}

function user(name: string): JsonRecord {
  return { kind: 'User', user: { name } };
}
