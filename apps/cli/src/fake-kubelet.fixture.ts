/** Nodes without containers: the Pods that the scheduler has bound to them are said to run. */

import type { Cluster } from '@listwatch/client';
import { leases, nodes, type Pod, pods } from '@listwatch/kinds';
import { controller } from '@listwatch/runtime';

/** The names of the Nodes. */
export const NODES = ['node-a', 'node-b'] as const;

/**
 * The Nodes report this often: their lease, without which they are lost after 40 s, and their status. The node controller
 * forgets a taint that it could not remove until the Node changes.
 */
const REPORT_MS = 5000;
const LEASES = 'kube-node-lease';

/** What a kubelet has to do for a Pod. */
type PodStep = 'finish' | 'none' | 'remove' | 'run';

/** Pods with the label `ends` succeed, all others run until they are deleted. */
function nextStep({ metadata, spec, status }: Pod): PodStep {
  if (spec.nodeName === undefined) return 'none';
  if (metadata.deletionTimestamp !== undefined) return 'remove';
  if (status?.phase === 'Pending') return 'run';
  return status?.phase === 'Running' && metadata.labels?.['ends'] !== undefined ? 'finish' : 'none';
}

/** The kubelets of all Nodes. */
export class FakeKubelet implements AsyncDisposable {
  /** The names of Pods, in the order in which they were first started. */
  readonly started = new Set<string>();
  #addresses = 0;
  readonly #cluster: Cluster;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  readonly #reporting: NodeJS.Timeout;

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#ended = controller(cluster, {
      for: pods,
      reconcile: async ({ object }) => {
        if (object !== undefined) await this.#step(object);
      },
      backoff: { maxMs: 1000 },
    }).run({ signal: this.#abort.signal });
    // While no server listens a report fails; the next one comes in time.
    this.#reporting = setInterval(() => void report(cluster).catch(() => undefined), REPORT_MS);
  }

  /** Makes the Nodes, and works for them. */
  static async start(cluster: Cluster): Promise<FakeKubelet> {
    for (const name of NODES) {
      await cluster.create(nodes, { metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
      await reportReady(cluster, name);
      const lease = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microNow() };
      await cluster.create(leases, { metadata: { name, namespace: LEASES }, spec: lease });
    }
    return new FakeKubelet(cluster);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#reporting);
    this.#abort.abort();
    await this.#ended;
  }

  async #step(pod: Pod): Promise<void> {
    const { name, namespace = '', uid = '' } = pod.metadata;
    switch (nextStep(pod)) {
      case 'run':
        this.started.add(name);
        this.#addresses += 1;
        await this.#report(pod, runningStatus(addressOf(this.#addresses)));
        return;
      case 'finish':
        await this.#report(pod, FINISHED);
        return;
      case 'remove':
        await this.#cluster.delete(pods, { name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid } });
        return;
      case 'none':
    }
  }

  async #report({ metadata: { name, namespace } }: Pod, status: object): Promise<void> {
    const patch = { type: 'strategic', body: { status } } as const;
    await this.#cluster.patch(pods, { name, namespace }, patch, { subresource: 'status' });
  }
}

async function report(cluster: Cluster): Promise<void> {
  for (const name of NODES) {
    const body = { spec: { renewTime: microNow() } };
    await cluster.patch(leases, { name, namespace: LEASES }, { type: 'merge', body });
    await reportReady(cluster, name);
  }
}

async function reportReady(cluster: Cluster, name: string): Promise<void> {
  const room = { cpu: '8', memory: '8Gi', pods: '110' };
  const conditions = [{ ...condition('Ready', 'True'), lastHeartbeatTime: now(), reason: 'KubeletReady' }];
  const body = { status: { capacity: room, allocatable: room, conditions } };
  await cluster.patch(nodes, { name }, { type: 'strategic', body }, { subresource: 'status' });
}

/** A different address for each Pod. */
function addressOf(number: number): string {
  return `10.9.${number >> 8}.${number & 255}`;
}

const FINISHED = { phase: 'Succeeded', conditions: [{ type: 'Ready', status: 'False', reason: 'PodCompleted' }] };

function runningStatus(ip: string): object {
  const conditions = ['Initialized', 'ContainersReady', 'Ready'].map((type) => condition(type, 'True'));
  return { phase: 'Running', podIP: ip, podIPs: [{ ip }], startTime: now(), conditions };
}

function condition(type: string, status: string): object {
  return { type, status, lastTransitionTime: now() };
}

/** As Kubernetes writes times: without fractions of a second. */
function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

/** A time with microseconds, as Leases have it. */
function microNow(): string {
  return `${new Date().toISOString().slice(0, 23)}000Z`;
}
