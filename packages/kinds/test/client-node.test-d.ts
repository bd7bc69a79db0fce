/** What objects of @kubernetes/client-node are here. Compiled, never run. */

import type {
  V1ConfigMap,
  V1Container,
  V1CronJobSpec,
  V1DeploymentSpec,
  V1IngressSpec,
  V1LabelSelector,
  V1NetworkPolicySpec,
  V1NodeSpec,
  V1ObjectMeta,
  V1PersistentVolumeClaimSpec,
  V1Pod,
  V1PodSpec,
  V1PodStatus,
  V1PolicyRule,
  V1ResourceRequirements,
  V1ServiceSpec,
  V1StatefulSetSpec,
} from '@kubernetes/client-node';
import type { Cluster } from '@listwatch/client';
import {
  type ConfigMap,
  type Container,
  type CronJobSpec,
  configMaps,
  type DeploymentSpec,
  type IngressSpec,
  type LabelSelector,
  type NetworkPolicySpec,
  type NodeSpec,
  type PersistentVolumeClaimSpec,
  type PodSpec,
  type PodStatus,
  type PolicyRule,
  pods,
  type ResourceRequirements,
  type ServiceSpec,
  type StatefulSetSpec,
} from '@listwatch/kinds';
import { expectTypeOf } from 'vitest';

// Parts without times fit as they are.
expectTypeOf<V1PodSpec>().toExtend<PodSpec>();
expectTypeOf<V1Container>().toExtend<Container>();
expectTypeOf<V1ResourceRequirements>().toExtend<ResourceRequirements>();
expectTypeOf<V1ServiceSpec>().toExtend<ServiceSpec>();
expectTypeOf<V1NodeSpec>().not.toBeAny();
expectTypeOf<Omit<V1NodeSpec, 'taints' | 'configSource'>>().toExtend<Omit<NodeSpec, 'taints'>>();
expectTypeOf<V1LabelSelector>().toExtend<LabelSelector>();
expectTypeOf<V1IngressSpec>().toExtend<IngressSpec>();
expectTypeOf<V1NetworkPolicySpec>().toExtend<NetworkPolicySpec>();
expectTypeOf<V1PolicyRule>().toExtend<PolicyRule>();
expectTypeOf<V1PersistentVolumeClaimSpec>().toExtend<PersistentVolumeClaimSpec>();
expectTypeOf<V1ConfigMap['data']>().toExtend<ConfigMap['data']>();
// So do templates: what the server sets in their metadata, and what is a Date there, is no part of them here.
expectTypeOf<V1DeploymentSpec>().toExtend<DeploymentSpec>();
expectTypeOf<V1StatefulSetSpec>().toExtend<StatefulSetSpec>();
expectTypeOf<V1CronJobSpec>().toExtend<CronJobSpec>();
// Elsewhere times are texts here and Dates there.
expectTypeOf<V1PodStatus>().not.toExtend<PodStatus>();

// An object that has metadata and a spec can be created as it is.
declare const cluster: Cluster;
declare const pod: V1Pod & { readonly metadata: V1ObjectMeta; readonly spec: V1PodSpec };
await cluster.create(pods, pod);
declare const map: V1ConfigMap & { readonly metadata: V1ObjectMeta };
await cluster.create(configMaps, map);
declare const perhaps: V1Pod;
// @ts-expect-error -- this one may have neither
await cluster.create(pods, perhaps);
