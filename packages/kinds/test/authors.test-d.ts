/** What authors may write, and what they may not. Compiled, never run. */

import type { ApiList, ApiObject, Resource } from '@listwatch/api';
import type { Cluster, NewObject } from '@listwatch/client';
import {
  type AutoscalingV1HorizontalPodAutoscaler,
  autoscalingV1HorizontalPodAutoscalers,
  type ConfigMap,
  type Container,
  configMaps,
  customResourceDefinitions,
  type Deployment,
  deployments,
  type Event,
  type EventsV1Event,
  events,
  eventsV1Events,
  type HorizontalPodAutoscaler,
  horizontalPodAutoscalers,
  type NetworkPolicy,
  type Node,
  namespaces,
  networkPolicies,
  nodes,
  type Pod,
  type PodList,
  type PodPhase,
  type PodSpec,
  pods,
  type ResourceClaim,
  resourceClaims,
  type StatefulSetSpec,
  selfSubjectAccessReviews,
  services,
} from '@listwatch/kinds';
import { informer, type Store } from '@listwatch/runtime';
import { expectTypeOf } from 'vitest';

declare const cluster: Cluster;

// Every kind has a resource of its type; names that two groups have are told apart.
expectTypeOf(pods).toEqualTypeOf<Resource<Pod>>();
expectTypeOf(networkPolicies).toEqualTypeOf<Resource<NetworkPolicy>>();
expectTypeOf(events).toEqualTypeOf<Resource<Event>>();
expectTypeOf(eventsV1Events).toEqualTypeOf<Resource<EventsV1Event>>();
expectTypeOf(horizontalPodAutoscalers).toEqualTypeOf<Resource<HorizontalPodAutoscaler>>();
expectTypeOf(autoscalingV1HorizontalPodAutoscalers).toEqualTypeOf<Resource<AutoscalingV1HorizontalPodAutoscaler>>();
expectTypeOf(resourceClaims).toEqualTypeOf<Resource<ResourceClaim>>();
expectTypeOf<Event>().not.toEqualTypeOf<EventsV1Event>();
expectTypeOf<Pod>().toExtend<ApiObject>();
expectTypeOf<PodList>().toEqualTypeOf<ApiList<Pod>>();
expectTypeOf(cluster.list(pods)).resolves.toEqualTypeOf<PodList>();

// What is read is typed all the way down, and read-only.
const pod = await cluster.get(pods, { name: 'a' });
expectTypeOf(pod.spec.containers[0]?.image).toEqualTypeOf<string | undefined>();
expectTypeOf(pod.status.phase).toEqualTypeOf<PodPhase | undefined>();
expectTypeOf(pod.metadata.name).toEqualTypeOf<string>();
expectTypeOf(pod.status.startTime).toEqualTypeOf<string | undefined>();
expectTypeOf(pod.spec.containers[0]?.resources?.limits?.['cpu']).toEqualTypeOf<string | undefined>();
expectTypeOf(pod.spec.containers[0]?.livenessProbe?.httpGet?.port).toEqualTypeOf<number | string | undefined>();
// @ts-expect-error -- objects of caches are shared
pod.spec.nodeName = 'node-1';
// @ts-expect-error -- and so are their lists
pod.spec.containers.push({ name: 'b' });
// @ts-expect-error -- there is no such field
void pod.spec.contaners;
// @ts-expect-error -- a node has no containers
expectTypeOf<Node>().toExtend<Pod>();
// @ts-expect-error -- neither has its resource
const wrong: Resource<Pod> = nodes;
void wrong;

// What is created needs no status, no uid and, with generateName, no name.
await cluster.create(pods, { metadata: { generateName: 'a-' }, spec: { containers: [{ name: 'a', image: 'b' }] } });
await cluster.create(configMaps, { metadata: { name: 'a' }, data: { a: 'b' } });
// A spec that may be empty may be absent.
await cluster.create(namespaces, { metadata: { name: 'a' } });
await cluster.create(nodes, { metadata: { name: 'a' } });
await cluster.create(services, { metadata: { name: 'a' }, spec: { ports: [{ port: 80, targetPort: 'http' }] } });
await cluster.create(selfSubjectAccessReviews, { metadata: {}, spec: { resourceAttributes: { verb: 'list' } } });
await cluster.create(customResourceDefinitions, {
  metadata: { name: 'orders.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'orders', kind: 'Order' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
// What was read may be written.
await cluster.update(pods, pod);
await cluster.create(pods, pod);

// @ts-expect-error -- the containers are missing
await cluster.create(pods, { metadata: { name: 'a' }, spec: {} });
// @ts-expect-error -- a pod needs a spec
await cluster.create(pods, { metadata: { name: 'a' } });
// @ts-expect-error -- a container needs a name
await cluster.create(pods, { metadata: { name: 'a' }, spec: { containers: [{ image: 'b' }] } });
// @ts-expect-error -- `replica` is misspelt
await cluster.create(deployments, { metadata: { name: 'a' }, spec: { replica: 1, selector: {}, template: {} } });
// @ts-expect-error -- values of a ConfigMap are texts
await cluster.create(configMaps, { metadata: { name: 'a' }, data: { a: 1 } });
// @ts-expect-error -- the status is the server's
await cluster.create(nodes, { metadata: { name: 'a' }, status: { capacity: { cpu: '1' } } });
// @ts-expect-error -- labels are texts
await cluster.create(configMaps, { metadata: { name: 'a', labels: { a: true } } });

const fresh: NewObject<Deployment> = {
  metadata: { name: 'a' },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { spec: { containers: [{ name: 'a' }] } } },
};
expectTypeOf(cluster.create(deployments, fresh)).resolves.toEqualTypeOf<Deployment>();

// Enums are completed by editors and open for newer values.
const policy: Container = { name: 'a', imagePullPolicy: 'Sometimes' };
expectTypeOf(policy.imagePullPolicy).toExtend<string | undefined>();

// A claim of a StatefulSet is neither named by its author nor observed.
const claims: NonNullable<StatefulSetSpec['volumeClaimTemplates']> = [
  { metadata: { labels: {} }, spec: { accessModes: ['ReadWriteOnce'] } },
];
void claims;

// A wrong name of an index does not compile where the indexes are declared.
const cache = informer(cluster, pods, {
  indexes: { node: ({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName]), phase: () => [] },
});
expectTypeOf(cache.store.byIndex('node', 'a')).toEqualTypeOf<readonly Pod[]>();
cache.store.keysByIndex('phase', 'Running');
cache.store.indexValues('namespace');
// @ts-expect-error -- it is `node`
cache.store.byIndex('nodes', 'a');
// @ts-expect-error -- there is no such index
cache.store.indexValues('owner');
// @ts-expect-error -- the function gets a Pod
informer(cluster, pods, { indexes: { node: ({ spec }) => [spec.node] } });
// Without declared indexes any name compiles: `addIndex` may have added it.
informer(cluster, pods).store.byIndex('owner', 'a');
const store: Store<Pod> = cache.store;
store.byIndex('owner', 'a');

// With metadata alone there is no spec to read.
const names = informer<ApiObject>(cluster, pods, { projection: 'metadata' });
expectTypeOf(names.store.list()).toEqualTypeOf<readonly ApiObject[]>();

expectTypeOf<PodSpec['volumes']>().not.toBeAny();
expectTypeOf<ConfigMap['data']>().toEqualTypeOf<{ readonly [key: string]: string } | undefined>();
