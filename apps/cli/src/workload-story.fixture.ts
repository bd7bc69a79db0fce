/** What Kubernetes' own controllers make of workloads, from the first Deployment to the end of its namespace. */

import type { Cluster } from '@listwatch/client';
import {
  cronJobs,
  daemonSets,
  deployments,
  endpointSlices,
  endpoints,
  horizontalPodAutoscalers,
  jobs,
  namespaces,
  podDisruptionBudgets,
  pods,
  replicaSets,
  resourceQuotas,
  services,
  statefulSets,
} from '@listwatch/kinds';
import { deleted, waitFor } from '@listwatch/runtime';
import { expect, vi } from 'vitest';
import { type FakeKubelet, NODES } from './fake-kubelet.fixture.ts';

const REVISION = 'deployment.kubernetes.io/revision';

/** Where the story takes place. Controllers that miss a deletion would take a second one in the same namespace for the first. */
export interface Place {
  readonly cluster: Cluster;
  readonly namespace: string;
}

/** Something that happens in the middle of a step, before the story waits for what the controllers make of it. */
export type Interruption = () => Promise<void>;

const undisturbed: Interruption = () => Promise.resolve();

/** Waits until a check passes, for as long as a busy machine may take. */
function eventually(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 120_000, interval: 100 });
}

/** A template whose Pods end at once when they are deleted. */
function template(app: string, image: string, more: object = {}) {
  return {
    metadata: { labels: { app, ...more } },
    spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'main', image }] },
  };
}

function jobSpec(count: number) {
  const { metadata, spec } = template('job', 'job:1', { ends: 'true' });
  return {
    completions: count,
    parallelism: count,
    template: { metadata, spec: { ...spec, restartPolicy: 'Never' as const } },
  };
}

function selecting(app: string) {
  return { matchLabels: { app } };
}

function target({ namespace }: Place, name: string) {
  return { name, namespace };
}

function object(place: Place, name: string) {
  return { metadata: target(place, name) };
}

/** Makes one of each kind. */
export async function createWorkloads(place: Place): Promise<void> {
  const { cluster, namespace } = place;
  await cluster.create(namespaces, { metadata: { name: namespace } });
  await cluster.create(deployments, {
    ...object(place, 'web'),
    spec: { replicas: 3, selector: selecting('web'), template: template('web', 'web:1') },
  });
  await cluster.create(services, {
    ...object(place, 'web'),
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await cluster.create(statefulSets, {
    ...object(place, 'db'),
    spec: { replicas: 3, serviceName: 'db', selector: selecting('db'), template: template('db', 'db:1') },
  });
  await cluster.create(daemonSets, {
    ...object(place, 'agent'),
    spec: { selector: selecting('agent'), template: template('agent', 'agent:1') },
  });
  await cluster.create(jobs, { ...object(place, 'job'), spec: jobSpec(2) });
  await cluster.create(cronJobs, {
    ...object(place, 'cron'),
    spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: jobSpec(1) } },
  });
  await cluster.create(resourceQuotas, {
    ...object(place, 'quota'),
    spec: { hard: { pods: '40', 'count/services': '5' } },
  });
  await cluster.create(podDisruptionBudgets, {
    ...object(place, 'web'),
    spec: { minAvailable: 1, selector: selecting('web') },
  });
  await cluster.create(horizontalPodAutoscalers, {
    ...object(place, 'web'),
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5 },
  });
}

/**
 * Waits until the controllers have done what each of them is asked for. Where answers were lost, a Job may have made more
 * Pods than it needs: it tries again what it does not know to be done.
 */
export async function expectWorkloads(place: Place, kubelet: FakeKubelet, lostAnswers = false): Promise<void> {
  const { cluster } = place;
  await expectRollout(place, { replicas: 3, revision: '1', image: 'web:1' });
  await eventually(async () => {
    expect((await cluster.get(statefulSets, target(place, 'db'))).status).toMatchObject({
      readyReplicas: 3,
      replicas: 3,
    });
  });
  expect([...kubelet.started].filter((name) => name.startsWith('db-'))).toEqual(['db-0', 'db-1', 'db-2']);
  await eventually(async () => {
    expect((await cluster.get(daemonSets, target(place, 'agent'))).status).toMatchObject({ numberReady: NODES.length });
  });
  await eventually(async () => {
    const { status } = await cluster.get(jobs, target(place, 'job'));
    if (lostAnswers) expect(status?.succeeded).toBeGreaterThanOrEqual(2);
    else expect(status?.succeeded).toBe(2);
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Complete', status: 'True' }));
  });
  await expectAddresses(place);
  await eventually(async () => {
    const { status } = await cluster.get(podDisruptionBudgets, target(place, 'web'));
    expect(status).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 2, expectedPods: 3 });
  });
  await eventually(async () => {
    const { status } = await cluster.get(resourceQuotas, target(place, 'quota'));
    // Three of the Deployment, three of the StatefulSet, one of the DaemonSet on each Node; those of the Job have ended.
    expect(status?.used).toEqual({ pods: String(6 + NODES.length), 'count/services': '1' });
  });
  await eventually(async () => {
    const { status } = await cluster.get(horizontalPodAutoscalers, target(place, 'web'));
    const idle = { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric' };
    expect(status?.conditions).toContainEqual(expect.objectContaining(idle));
  });
}

async function expectAddresses(place: Place): Promise<void> {
  const { cluster, namespace } = place;
  await eventually(async () => {
    const { items } = await cluster.list(pods, { namespace, labelSelector: 'app=web' });
    const ips = items.map(({ status }) => status?.podIP ?? '').toSorted();
    expect(ips).toHaveLength(3);
    const { subsets } = await cluster.get(endpoints, target(place, 'web'));
    expect(subsets?.flatMap(({ addresses }) => addresses?.map(({ ip }) => ip) ?? []).toSorted()).toEqual(ips);
    const slices = await cluster.list(endpointSlices, {
      namespace,
      labelSelector: 'kubernetes.io/service-name=web',
    });
    const found = slices.items.flatMap((slice) => slice.endpoints ?? []);
    expect(found.flatMap(({ addresses }) => addresses).toSorted()).toEqual(ips);
    expect(found.map(({ conditions }) => conditions?.ready)).toEqual([true, true, true]);
  });
}

/** The scheduler has given every Pod a Node, and one of the DaemonSet to each. */
export async function expectScheduled(place: Place): Promise<void> {
  const { cluster, namespace } = place;
  const { items } = await cluster.list(pods, { namespace });
  const known: readonly string[] = NODES;
  expect(items.filter(({ spec }) => !known.includes(spec.nodeName ?? ''))).toEqual([]);
  const agents = items.filter(({ metadata }) => metadata.labels?.['app'] === 'agent');
  expect(agents.map(({ spec }) => spec.nodeName ?? '').toSorted()).toEqual(known);
}

/** A Service beyond the quota is refused, and one below it is not. */
export async function expectQuota(place: Place): Promise<void> {
  const { cluster } = place;
  const service = (name: string) => ({ ...object(place, name), spec: { ports: [{ port: 80 }] } });
  const tight = target(place, 'tight');
  await cluster.create(resourceQuotas, { ...object(place, 'tight'), spec: { hard: { 'count/services': '2' } } });
  await eventually(async () => {
    const { status } = await cluster.get(resourceQuotas, tight);
    expect(status?.used).toEqual({ 'count/services': '1' });
  });
  await cluster.create(services, service('second'));
  await expect(cluster.create(services, service('third'))).rejects.toMatchObject({
    reason: 'Forbidden',
    message: expect.stringContaining('exceeded quota: tight, requested: count/services=1, used: count/services=2'),
  });
  await cluster.delete(services, target(place, 'second'));
  await cluster.delete(resourceQuotas, tight);
}

/** Says that the last run was two years ago: the yearly job is late, and the controller runs it now. */
export async function expectCronJobRun(place: Place): Promise<void> {
  const { cluster } = place;
  const lastScheduleTime = `${new Date().getUTCFullYear() - 2}-06-01T00:00:00Z`;
  const cron = target(place, 'cron');
  const patch = { type: 'merge', body: { status: { lastScheduleTime } } } as const;
  await cluster.patch(cronJobs, cron, patch, { subresource: 'status' });
  await eventually(async () => {
    const { status } = await cluster.get(cronJobs, cron);
    expect(status?.lastSuccessfulTime).toBeDefined();
  });
}

/** Rolls out another image, and the first one again. */
export async function rollOutAndBack(place: Place, interrupt: Interruption = undisturbed): Promise<void> {
  const { cluster, namespace } = place;
  await setImage(place, 'web:2');
  await interrupt();
  await expectRollout(place, { replicas: 3, revision: '2', image: 'web:2' });
  await setImage(place, 'web:1');
  await expectRollout(place, { replicas: 3, revision: '3', image: 'web:1' });
  const { items } = await cluster.list(replicaSets, { namespace });
  const revisions = items.map(({ metadata, spec }) => `${metadata.annotations?.[REVISION]}: ${spec?.replicas}`);
  expect(revisions.toSorted()).toEqual(['2: 0', '3: 3']);
}

async function setImage(place: Place, image: string): Promise<void> {
  const { cluster } = place;
  const body = { spec: { template: { spec: { containers: [{ name: 'main', image }] } } } };
  await cluster.patch(deployments, target(place, 'web'), { type: 'strategic', body });
}

/** Scales the Deployment by its subresource. */
export async function scaleUp(place: Place): Promise<void> {
  const { cluster } = place;
  const patch = { type: 'merge', body: { spec: { replicas: 4 } } } as const;
  await cluster.patch(deployments, target(place, 'web'), patch, { subresource: 'scale' });
  await expectRollout(place, { replicas: 4, revision: '3', image: 'web:1' });
}

interface Rollout {
  readonly replicas: number;
  readonly revision: string;
  readonly image: string;
}

/** Waits as `kubectl rollout status` does, and until the Pods of older revisions have gone. */
async function expectRollout(place: Place, { replicas, revision, image }: Rollout): Promise<void> {
  const { cluster, namespace } = place;
  await eventually(async () => {
    const { metadata, status } = await cluster.get(deployments, target(place, 'web'));
    expect(metadata.annotations?.[REVISION]).toBe(revision);
    expect(status).toMatchObject({
      observedGeneration: metadata.generation,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    });
    const { items } = await cluster.list(pods, { namespace, labelSelector: 'app=web' });
    const images = items.map(({ spec }) => spec.containers[0]?.image);
    expect(images).toEqual(Array.from({ length: replicas }, () => image));
  });
}

/** Deletes the namespace with everything in it. */
export async function deleteWorkloads(place: Place, interrupt: Interruption = undisturbed): Promise<void> {
  const { cluster, namespace } = place;
  await cluster.delete(namespaces, { name: namespace });
  await interrupt();
  await waitFor(cluster, namespaces, { name: namespace }, deleted, { timeoutMs: 120_000 });
  expect((await cluster.list(pods, { namespace })).items).toEqual([]);
}
