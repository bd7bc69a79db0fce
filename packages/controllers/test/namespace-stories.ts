/** What is done to namespaces, and what their controllers must make of it on any server. */

import { type ApiObject, isNotFound, type Resource, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { expect } from 'vitest';
import { configMaps, type Namespace, namespaces, pods, secrets, serviceAccounts } from '../src/core-resources.ts';
import { eventually } from './garbage-fixture.ts';

/** One story, played in a namespace that the story creates. */
export interface NamespaceStory {
  readonly name: string;
  readonly play: (world: NamespaceWorld) => Promise<void>;
}

/** A cluster whose controllers are tested. */
export interface NamespaceWorld {
  readonly cluster: Cluster;
  /** The name of the story's namespace. */
  readonly namespace: string;
  /** The authority that its namespaces should have in `kube-root-ca.crt`. */
  readonly ca: string;
  /** The conditions tell of pods that are left. kube-controller-manager says that all content is removed while pods run. */
  readonly reportsPods: boolean;
}

/** A state of a namespace without times: its phase, its finalizers, and what its conditions say. */
interface NamespaceState {
  readonly phase: string | undefined;
  readonly finalizers: readonly string[];
  readonly conditions: readonly string[];
}

const services = resource({ version: 'v1', plural: 'services', kind: 'Service', namespaced: true });
const deployments = resource({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
});
const leases = resource({
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
});

const CONTAINERS = [{ name: 'c', image: 'i' }];
const DESCRIPTION = 'kubernetes.io/description';

const FINE = [
  'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
  'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
  'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
  'NamespaceContentRemaining False ContentRemoved: All content successfully removed',
  'NamespaceFinalizersRemaining False ContentHasNoFinalizers: All content-preserving finalizers finished',
] as const;

const ACTIVE: NamespaceState = { phase: 'Active', finalizers: ['kubernetes'], conditions: [] };
const DELETED: NamespaceState = { phase: 'Terminating', finalizers: ['kubernetes'], conditions: [] };
const EMPTY: NamespaceState = { ...DELETED, conditions: FINE };

/** The state while content waits for finalizers. */
function waiting(content: string, finalizers: string): NamespaceState {
  return {
    ...DELETED,
    conditions: [
      ...FINE.slice(0, 3),
      `NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: ${content}`,
      `NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: ${finalizers}`,
    ],
  };
}

/** What the conditions say of one pod that is left. */
function podsRemain({ reportsPods }: NamespaceWorld): string {
  if (!reportsPods) return FINE[3];
  return 'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: pods. has 1 resource instances';
}

/** Every state of one namespace, until it is gone. */
class NamespaceDiary {
  readonly states: NamespaceState[] = [];
  readonly gone: Promise<void>;

  constructor(cluster: Cluster, created: Namespace) {
    this.#note(created);
    this.gone = this.#follow(cluster, created.metadata);
    this.gone.catch(() => undefined);
  }

  get last(): NamespaceState | undefined {
    return this.states.at(-1);
  }

  async #follow(cluster: Cluster, { name, resourceVersion }: ApiObject['metadata']): Promise<void> {
    const watch = cluster.watch(namespaces, { fieldSelector: `metadata.name=${name}`, resourceVersion });
    for await (const event of watch) {
      if (event.type === 'DELETED') return;
      if (event.type !== 'MODIFIED') throw new Error(`the watch of namespace ${name} got ${event.type}`);
      this.#note(event.object);
    }
    throw new Error(`the watch of namespace ${name} has ended`);
  }

  /** Changes of other fields, such as times, are no new state. */
  #note({ spec, status }: Namespace): void {
    const conditions = status?.conditions ?? [];
    const state = {
      phase: status?.phase,
      finalizers: spec?.finalizers ?? [],
      conditions: conditions.map(({ type, status: is, reason, message }) => `${type} ${is} ${reason}: ${message}`),
    };
    if (JSON.stringify(state) !== JSON.stringify(this.last)) this.states.push(state);
  }
}

async function open({ cluster, namespace }: NamespaceWorld, more: object = {}): Promise<NamespaceDiary> {
  return new NamespaceDiary(cluster, await cluster.create(namespaces, { metadata: { name: namespace }, ...more }));
}

function add({ cluster, namespace }: NamespaceWorld, kind: Resource, name: string, more: object = {}) {
  const { metadata = {}, ...rest } = more as { readonly metadata?: object };
  return cluster.create(kind, { metadata: { namespace, name, ...metadata }, ...rest });
}

/** Lets go of an object that waits for finalizers. */
async function release({ cluster, namespace }: NamespaceWorld, kind: Resource, name: string): Promise<void> {
  await cluster.patch(kind, { namespace, name }, { type: 'merge', body: { metadata: { finalizers: null } } });
}

async function remove({ cluster, namespace }: NamespaceWorld): Promise<void> {
  await cluster.delete(namespaces, { name: namespace });
}

async function names({ cluster, namespace }: NamespaceWorld, kind: Resource): Promise<readonly string[]> {
  return (await cluster.list(kind, { namespace })).items.map(({ metadata }) => metadata.name);
}

const heldBy = (...finalizers: readonly string[]): object => ({ metadata: { finalizers } });

const account = ({ cluster, namespace }: NamespaceWorld) =>
  eventually(() => cluster.get(serviceAccounts, { namespace, name: 'default' }));

const bundle = ({ namespace }: NamespaceWorld) => ({ namespace, name: 'kube-root-ca.crt' });

/** Waits until the bundle is as it should be. */
function published(world: NamespaceWorld) {
  return eventually(async () => {
    const found = await world.cluster.get(configMaps, bundle(world));
    expect(found.data).toEqual({ 'ca.crt': world.ca });
    expect(found.metadata.annotations?.[DESCRIPTION]).not.toBeUndefined();
    return found;
  });
}

/** Waits until the controllers have given a newer namespace all that it gets. */
async function settled(world: NamespaceWorld): Promise<void> {
  const later = { ...world, namespace: `${world.namespace}-later` };
  await world.cluster.create(namespaces, { metadata: { name: later.namespace } });
  await account(later);
  await published(later);
}

export const NAMESPACE_STORIES: readonly NamespaceStory[] = [
  {
    name: 'content of several kinds goes, then the namespace',
    play: async (world) => {
      const diary = await open(world);
      await add(world, configMaps, 'a', { data: { k: 'v' } });
      await add(world, secrets, 'a');
      await add(world, leases, 'a');
      await add(world, services, 'a', { spec: { ports: [{ port: 80 }] } });
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: CONTAINERS } };
      await add(world, deployments, 'a', { spec: { selector: { matchLabels: { a: 'b' } }, template } });
      await remove(world);
      await diary.gone;
      expect(diary.states).toEqual([ACTIVE, DELETED, EMPTY]);
      for (const kind of [configMaps, secrets, leases, services, deployments, serviceAccounts]) {
        expect(await names(world, kind)).toEqual([]);
      }
    },
  },
  {
    name: 'content with finalizers is waited for, and the conditions say how much is left',
    play: async (world) => {
      const diary = await open(world);
      await add(world, configMaps, 'x', heldBy('example.com/f'));
      await add(world, configMaps, 'y', heldBy('example.com/f', 'example.com/g'));
      await add(world, leases, 'z', heldBy('example.com/g'));
      await add(world, secrets, 'free');
      await remove(world);
      const steps = [
        waiting(
          'configmaps. has 2 resource instances, leases.coordination.k8s.io has 1 resource instances',
          'example.com/f in 2 resource instances, example.com/g in 2 resource instances',
        ),
        waiting(
          'configmaps. has 2 resource instances',
          'example.com/f in 2 resource instances, example.com/g in 1 resource instances',
        ),
        waiting(
          'configmaps. has 1 resource instances',
          'example.com/f in 1 resource instances, example.com/g in 1 resource instances',
        ),
      ];
      await eventually(() => expect(diary.last).toEqual(steps[0]));
      expect(await names(world, secrets)).toEqual([]);
      await release(world, leases, 'z');
      await eventually(() => expect(diary.last).toEqual(steps[1]));
      await release(world, configMaps, 'x');
      await eventually(() => expect(diary.last).toEqual(steps[2]));
      await release(world, configMaps, 'y');
      await diary.gone;
      expect(diary.states).toEqual([ACTIVE, DELETED, ...steps, EMPTY]);
    },
  },
  {
    name: 'pods go before what they use',
    play: async (world) => {
      const diary = await open(world);
      await add(world, configMaps, 'used');
      const spec = { nodeName: 'n', terminationGracePeriodSeconds: 25, containers: CONTAINERS };
      await add(world, pods, 'p', { spec });
      await remove(world);
      const state = { ...DELETED, conditions: [...FINE.slice(0, 3), podsRemain(world), FINE[4]] };
      await eventually(() => expect(diary.last).toEqual(state));
      expect(await names(world, pods)).toEqual(['p']);
      const used = await world.cluster.get(configMaps, { namespace: world.namespace, name: 'used' });
      expect(used.metadata.deletionTimestamp).toBeUndefined();
      // The kubelet does this when the containers have ended.
      await world.cluster.delete(pods, { namespace: world.namespace, name: 'p' }, { gracePeriodSeconds: 0 });
      await diary.gone;
      expect(diary.states).toEqual([ACTIVE, DELETED, ...(world.reportsPods ? [state] : []), EMPTY]);
    },
  },
  {
    name: 'a pod that stays beyond its grace period is reported as a failure',
    play: async (world) => {
      const diary = await open(world);
      const spec = { nodeName: 'n', terminationGracePeriodSeconds: 1, containers: CONTAINERS };
      await add(world, pods, 'p', { spec });
      await remove(world);
      const why = `unexpected items still remain in namespace: ${world.namespace} for gvr: /v1, Resource=pods`;
      const state = {
        ...DELETED,
        conditions: [
          ...FINE.slice(0, 2),
          `NamespaceDeletionContentFailure True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: ${why}`,
          podsRemain(world),
          FINE[4],
        ],
      };
      await eventually(() => expect(diary.last).toEqual(state));
      await world.cluster.delete(pods, { namespace: world.namespace, name: 'p' }, { gracePeriodSeconds: 0 });
      await diary.gone;
      expect(diary.states).toEqual([ACTIVE, DELETED, state, EMPTY]);
    },
  },
  {
    name: 'finalizers of others in its spec stay',
    play: async (world) => {
      const diary = await open(world, { spec: { finalizers: ['example.com/own'] } });
      await remove(world);
      await eventually(() => expect(diary.last?.finalizers).toEqual(['example.com/own']));
      const { cluster, namespace } = world;
      const left = await cluster.get(namespaces, { name: namespace });
      await cluster.update(namespaces, { ...left, spec: { finalizers: [] } }, { subresource: 'finalize' });
      await diary.gone;
      const both = ['example.com/own', 'kubernetes'];
      expect(diary.states).toEqual([
        { ...ACTIVE, finalizers: both },
        { ...DELETED, finalizers: both },
        { ...EMPTY, finalizers: both },
        { ...EMPTY, finalizers: ['example.com/own'] },
      ]);
    },
  },
  {
    name: 'finalizers in its metadata keep an empty namespace',
    play: async (world) => {
      const { cluster, namespace } = world;
      const diary = await open(world, { metadata: { name: namespace, finalizers: ['example.com/own'] } });
      await remove(world);
      await eventually(() => expect(diary.last?.finalizers).toEqual([]));
      await cluster.patch(namespaces, { name: namespace }, { type: 'merge', body: { metadata: { finalizers: null } } });
      await diary.gone;
      expect(diary.states).toEqual([ACTIVE, DELETED, EMPTY, { ...EMPTY, finalizers: [] }]);
    },
  },
  {
    name: 'a namespace that is created again under its name stays',
    play: async (world) => {
      const first = await open(world);
      await add(world, configMaps, 'a');
      await remove(world);
      await first.gone;
      const again = await open(world);
      await add(world, configMaps, 'a');
      await account(world);
      await settled(world);
      expect(again.states).toEqual([ACTIVE]);
      expect(await names(world, configMaps)).toEqual(['a', 'kube-root-ca.crt']);
    },
  },
  {
    name: 'a namespace has the ServiceAccount default, again after its deletion',
    play: async (world) => {
      await open(world);
      const first = await account(world);
      expect(Object.keys(first).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
      expect([first.metadata.labels, first.metadata.annotations]).toEqual([undefined, undefined]);
      await world.cluster.delete(serviceAccounts, { namespace: world.namespace, name: 'default' });
      await eventually(async () => expect((await account(world)).metadata.uid).not.toBe(first.metadata.uid));
      await settled(world);
      expect(await names(world, serviceAccounts)).toEqual(['default']);
    },
  },
  {
    name: 'a namespace has the authority of the server in kube-root-ca.crt',
    play: async (world) => {
      await open(world);
      const { metadata } = await published(world);
      expect(metadata.labels).toBeUndefined();
      expect(metadata.annotations).toEqual({
        [DESCRIPTION]:
          'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal ' +
          'service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
      });
    },
  },
  {
    name: 'kube-root-ca.crt is restored when it is changed or deleted',
    play: async (world) => {
      const { cluster } = world;
      await open(world);
      const first = await published(world);
      const changes = [
        { data: { 'ca.crt': 'another' } },
        { data: { more: 'x' } },
        { data: null },
        { metadata: { annotations: null } },
        { metadata: { annotations: { [DESCRIPTION]: '' } } },
      ];
      for (const body of changes) {
        await cluster.patch(configMaps, bundle(world), { type: 'merge', body });
        expect((await restored(world)).metadata.annotations).toEqual(first.metadata.annotations);
      }
      await cluster.delete(configMaps, bundle(world));
      expect((await published(world)).metadata.uid).not.toBe(first.metadata.uid);
    },
  },
  {
    name: 'labels, annotations and another description of kube-root-ca.crt stay',
    play: async (world) => {
      const { cluster } = world;
      await open(world);
      await published(world);
      const own = { labels: { own: 'yes' }, annotations: { own: 'yes', [DESCRIPTION]: 'another' } };
      const body = { metadata: own };
      await cluster.patch(configMaps, bundle(world), { type: 'merge', body });
      await settled(world);
      expect((await cluster.get(configMaps, bundle(world))).metadata).toMatchObject(own);
      await cluster.patch(configMaps, bundle(world), { type: 'merge', body: { data: { 'ca.crt': 'another' } } });
      const { metadata } = await restored(world);
      expect(metadata.labels).toEqual(own.labels);
      expect(metadata.annotations?.['own']).toBe('yes');
      expect(metadata.annotations?.[DESCRIPTION]).toMatch(/^Contains a CA bundle/u);
    },
  },
  {
    name: 'a namespace that is terminating gets neither',
    play: async (world) => {
      const diary = await open(world);
      await account(world);
      await published(world);
      await add(world, configMaps, 'held', heldBy('example.com/f'));
      await remove(world);
      const state = waiting('configmaps. has 1 resource instances', 'example.com/f in 1 resource instances');
      await eventually(() => expect(diary.last).toEqual(state));
      await settled(world);
      expect(await names(world, configMaps)).toEqual(['held']);
      expect(await names(world, serviceAccounts)).toEqual([]);
      await release(world, configMaps, 'held');
      await diary.gone;
      await expect(world.cluster.get(namespaces, { name: world.namespace })).rejects.toSatisfy(isNotFound);
    },
  },
];

/** Waits until the bundle is published with its own description. */
function restored(world: NamespaceWorld) {
  return eventually(async () => {
    const found = await published(world);
    expect(found.metadata.annotations?.[DESCRIPTION]).toMatch(/^Contains a CA bundle/u);
    return found;
  });
}
