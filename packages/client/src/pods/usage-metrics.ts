/** What Pods and nodes use, as `kubectl top` shows it. A server of metrics must run in the cluster. */

import { type AbortOptions, type ApiObject, resource } from '@listwatch/api';
import { Quantity, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { Cluster, ListQuery } from '../cluster.ts';

/** CPU and memory. */
export interface Usage {
  /** In cores: `250m`. */
  readonly cpu: Quantity;
  /** In bytes: `64Mi`. */
  readonly memory: Quantity;
}

/** What a node uses. */
export interface NodeUsage extends Usage {
  readonly name: string;
  /** When it was measured, RFC 3339. */
  readonly timestamp: string;
}

/** What a Pod uses: the sum of its containers. */
export interface PodUsage extends NodeUsage {
  readonly namespace: string;
  readonly containers: readonly (Usage & { readonly name: string })[];
}

/** Which Pods. */
export interface PodUsageQuery extends AbortOptions, Pick<ListQuery, 'labelSelector' | 'namespace'> {}

/** Which nodes. */
export interface NodeUsageQuery extends AbortOptions, Pick<ListQuery, 'labelSelector'> {}

/** Reads usage. Rejects with 404 where no server of metrics runs. */
export interface UsageMetrics {
  pods(query?: PodUsageQuery): Promise<readonly PodUsage[]>;
  nodes(query?: NodeUsageQuery): Promise<readonly NodeUsage[]>;
}

interface MeasuredObject extends ApiObject {
  readonly timestamp?: string;
  readonly usage?: unknown;
  readonly containers?: unknown;
}

const group = { group: 'metrics.k8s.io', version: 'v1beta1' } as const;
const podMetrics = resource<MeasuredObject>({ ...group, plural: 'pods', kind: 'PodMetrics', namespaced: true });
const nodeMetrics = resource<MeasuredObject>({ ...group, plural: 'nodes', kind: 'NodeMetrics', namespaced: false });

/**
 * What Pods and nodes use.
 *
 * @example
 * for (const { name, cpu, memory } of await metrics(cluster).nodes()) console.log(name, String(cpu), String(memory));
 */
export function metrics(cluster: Pick<Cluster, 'list'>): UsageMetrics {
  return {
    pods: async (query = {}) => (await cluster.list(podMetrics, query)).items.map(podUsage),
    nodes: async (query = {}) =>
      (await cluster.list(nodeMetrics, query)).items.map((item) => ({ ...measured(item), ...usageOf(item.usage) })),
  };
}

function podUsage(item: MeasuredObject): PodUsage {
  const containers = recordsOf(item.containers).map(({ name, usage }) => ({ name: textOf(name), ...usageOf(usage) }));
  const sum = (key: keyof Usage): Quantity => containers.reduce((total, one) => total.add(one[key]), Quantity.ZERO);
  const { namespace = '' } = item.metadata;
  return { ...measured(item), namespace, cpu: sum('cpu'), memory: sum('memory'), containers };
}

function measured({ metadata, timestamp = '' }: MeasuredObject): Pick<NodeUsage, 'name' | 'timestamp'> {
  return { name: metadata.name, timestamp };
}

/** What is not measured is nothing. */
function usageOf(usage: unknown): Usage {
  const { cpu, memory } = recordOf(usage);
  return { cpu: Quantity.from(cpu) ?? Quantity.ZERO, memory: Quantity.from(memory) ?? Quantity.ZERO };
}
