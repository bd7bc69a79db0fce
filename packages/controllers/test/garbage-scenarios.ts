/** What is done to a cluster whose garbage somebody collects, and what is left. Each scenario has its own namespace. */

import { type ApiObject, isNotFound, type OwnerReference, type Resource } from '@listwatch/api';
import type { Cluster, DeleteOptions } from '@listwatch/client';
import { configMaps, nodes, refer, secrets } from './garbage-fixture.ts';

/** Which objects there are, and the owners that they refer to: `secrets/a` -> `['owner']`. */
export type Leftovers = Readonly<Record<string, readonly string[]>>;

/** One story. */
export interface Scenario {
  readonly name: string;
  readonly play: (stage: Stage) => Promise<void>;
  readonly left: Leftovers;
}

/** A namespace of a cluster, and the nodes that are named after it. */
export class Stage {
  readonly #cluster: Cluster;
  readonly #namespace: string;

  constructor(cluster: Cluster, namespace: string) {
    this.#cluster = cluster;
    this.#namespace = namespace;
  }

  add(kind: Resource, name: string, owners: readonly OwnerReference[] = [], more: object = {}): Promise<ApiObject> {
    const metadata = { name: this.#name(kind, name), namespace: this.#namespace, ownerReferences: owners, ...more };
    const { namespace: _namespace, ...ofCluster } = metadata;
    return this.#cluster.create(kind, { metadata: kind.namespaced ? metadata : ofCluster });
  }

  async delete(kind: Resource, name: string, propagationPolicy: DeleteOptions['propagationPolicy']): Promise<void> {
    await this.#cluster.delete(kind, this.#target(kind, name), { propagationPolicy });
  }

  async patch(kind: Resource, name: string, metadata: object): Promise<void> {
    await this.#cluster.patch(kind, this.#target(kind, name), { type: 'merge', body: { metadata } });
  }

  /** Waits until the object is being deleted, or gone. */
  async deleting(kind: Resource, name: string): Promise<void> {
    for (;;) {
      const found = await this.#cluster.get(kind, this.#target(kind, name)).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async left(): Promise<Leftovers> {
    const found: (readonly [string, readonly string[]])[] = [];
    for (const kind of [configMaps, secrets, nodes]) {
      const { items } = await this.#cluster.list(kind, kind.namespaced ? { namespace: this.#namespace } : {});
      for (const { metadata } of items) {
        if (!kind.namespaced && !metadata.name.startsWith(`${this.#namespace}-`)) continue;
        const owners = (metadata.ownerReferences ?? []).map(({ name }) => name.replace(`${this.#namespace}-`, ''));
        found.push([`${kind.plural}/${metadata.name.replace(`${this.#namespace}-`, '')}`, owners]);
      }
    }
    return Object.fromEntries(found.filter(([name]) => !name.endsWith('/kube-root-ca.crt')));
  }

  #name(kind: Resource, name: string): string {
    return kind.namespaced ? name : `${this.#namespace}-${name}`;
  }

  #target(kind: Resource, name: string): { readonly name: string; readonly namespace?: string } {
    return { name: this.#name(kind, name), ...(kind.namespaced ? { namespace: this.#namespace } : {}) };
  }
}

const BLOCKS = { blockOwnerDeletion: true };
const HELD = { finalizers: ['example.com/hold'] };

export const ABSENT: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'absent', uid: 'no-such-uid' };

/** An owner with dependents of several sorts, and dependents of these. */
async function family(stage: Stage, policy: DeleteOptions['propagationPolicy']): Promise<void> {
  const [owner, other] = [await stage.add(configMaps, 'owner'), await stage.add(configMaps, 'other')];
  const only = await stage.add(secrets, 'only', [refer(configMaps, owner, BLOCKS)]);
  await stage.add(secrets, 'loose', [refer(configMaps, owner)]);
  await stage.add(secrets, 'shared', [refer(configMaps, owner, BLOCKS), refer(configMaps, other)]);
  await stage.add(configMaps, 'grandchild', [refer(secrets, only, BLOCKS)]);
  await stage.delete(configMaps, 'owner', policy);
}

async function ring(stage: Stage, policy: DeleteOptions['propagationPolicy']): Promise<void> {
  const a = await stage.add(configMaps, 'a');
  const b = await stage.add(configMaps, 'b', [refer(configMaps, a, BLOCKS)]);
  const c = await stage.add(configMaps, 'c', [refer(configMaps, b, BLOCKS)]);
  await stage.patch(configMaps, 'a', { ownerReferences: [refer(configMaps, c, BLOCKS)] });
  await stage.delete(configMaps, 'a', policy);
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'background deletion of a family',
    play: (stage) => family(stage, 'Background'),
    left: { 'configmaps/other': [], 'secrets/shared': ['other'] },
  },
  {
    name: 'foreground deletion of a family',
    play: (stage) => family(stage, 'Foreground'),
    left: { 'configmaps/other': [], 'secrets/shared': ['other'] },
  },
  {
    name: 'orphan deletion of a family',
    play: (stage) => family(stage, 'Orphan'),
    left: {
      'configmaps/grandchild': ['only'],
      'configmaps/other': [],
      'secrets/loose': [],
      'secrets/only': [],
      'secrets/shared': ['other'],
    },
  },
  { name: 'background deletion of a ring', play: (stage) => ring(stage, 'Background'), left: {} },
  { name: 'foreground deletion of a ring', play: (stage) => ring(stage, 'Foreground'), left: {} },
  {
    name: 'owners that never were, or are others now',
    play: async (stage) => {
      const there = await stage.add(configMaps, 'there');
      await stage.add(secrets, 'never', [ABSENT]);
      await stage.add(secrets, 'other-uid', [{ ...ABSENT, name: 'there' }]);
      await stage.add(secrets, 'other-kind', [{ ...refer(configMaps, there), kind: 'Secret' }]);
      await stage.add(secrets, 'one-of-two', [ABSENT, refer(configMaps, there)]);
    },
    left: { 'configmaps/there': [], 'secrets/one-of-two': ['there'] },
  },
  {
    name: 'owners of the cluster',
    play: async (stage) => {
      const node = await stage.add(nodes, 'node');
      await stage.add(secrets, 'in-namespace', [refer(nodes, node)]);
      await stage.add(nodes, 'in-cluster', [refer(nodes, node)]);
      await stage.delete(nodes, 'node', 'Background');
    },
    left: {},
  },
  {
    name: 'an object of the cluster with an owner in a namespace',
    play: async (stage) => {
      const owner = await stage.add(configMaps, 'owner');
      await stage.add(nodes, 'misplaced', [refer(configMaps, owner)]);
      await stage.delete(configMaps, 'owner', 'Background');
    },
    left: { 'nodes/misplaced': ['owner'] },
  },
  {
    name: 'an owner of a kind that is not served',
    play: async (stage) => {
      await stage.add(secrets, 'a', [{ ...ABSENT, apiVersion: 'example.com/v1', kind: 'Widget' }]);
    },
    left: { 'secrets/a': ['absent'] },
  },
  {
    name: 'foreground deletion that others hold',
    play: async (stage) => {
      const owner = await stage.add(configMaps, 'owner');
      await stage.add(secrets, 'held', [refer(configMaps, owner, BLOCKS)], HELD);
      await stage.delete(configMaps, 'owner', 'Foreground');
      await stage.deleting(secrets, 'held');
    },
    left: { 'configmaps/owner': [], 'secrets/held': ['owner'] },
  },
  {
    name: 'foreground deletion that non-blocking dependents do not hold',
    play: async (stage) => {
      const owner = await stage.add(configMaps, 'owner');
      await stage.add(secrets, 'held', [refer(configMaps, owner)], HELD);
      await stage.delete(configMaps, 'owner', 'Foreground');
    },
    left: { 'secrets/held': ['owner'] },
  },
  {
    name: 'a dependent that carries the finalizer orphan',
    play: async (stage) => {
      const top = await stage.add(configMaps, 'top');
      const middle = await stage.add(configMaps, 'middle', [refer(configMaps, top)], { finalizers: ['orphan'] });
      await stage.add(secrets, 'bottom', [refer(configMaps, middle)]);
      await stage.delete(configMaps, 'top', 'Background');
    },
    left: { 'secrets/bottom': [] },
  },
];
