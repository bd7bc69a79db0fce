/** A Node without containers: binds every Pod to itself and says that it runs. */

import { resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { nodes, type Pod, pods } from '@listwatch/kinds';
import { controller } from '@listwatch/runtime';

const NODE = 'fake';
/** The path of Pods, for what is created below one: a Binding lacks what a Pod must have. */
const podBindings = resource({ version: 'v1', plural: 'pods', kind: 'Binding', namespaced: true });

/** The state that a Pod is in for its kubelet. */
type PodStep = 'bind' | 'finish' | 'none' | 'remove' | 'run';

/** Pods with the label `ends` succeed, all others run until they are deleted. */
function nextStep({ metadata, spec, status }: Pod): PodStep {
  if (metadata.deletionTimestamp !== undefined) return spec.nodeName === undefined ? 'none' : 'remove';
  if (spec.nodeName === undefined) return 'bind';
  if (status?.phase === 'Pending') return 'run';
  return status?.phase === 'Running' && metadata.labels?.['ends'] !== undefined ? 'finish' : 'none';
}

/** A kubelet that runs. */
export class FakeKubelet implements AsyncDisposable {
  /** The names of Pods, in the order in which they were started. */
  readonly started: string[] = [];
  readonly #cluster: Cluster;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#ended = controller(cluster, {
      for: pods,
      reconcile: async ({ object }) => {
        if (object !== undefined) await this.#step(object);
      },
      backoff: { maxMs: 1000 },
    }).run({ signal: this.#abort.signal });
  }

  static async start(cluster: Cluster): Promise<FakeKubelet> {
    await cluster.create(nodes, { metadata: { name: NODE } });
    const room = { cpu: '8', memory: '8Gi', pods: '110' };
    const conditions = [{ ...condition('Ready', 'True'), lastHeartbeatTime: now(), reason: 'KubeletReady' }];
    const body = { status: { capacity: room, allocatable: room, conditions } };
    await cluster.patch(nodes, { name: NODE }, { type: 'strategic', body }, { subresource: 'status' });
    return new FakeKubelet(cluster);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#ended;
  }

  async #step(pod: Pod): Promise<void> {
    const { name, namespace = '', uid = '' } = pod.metadata;
    switch (nextStep(pod)) {
      case 'bind': {
        const binding = {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, namespace },
          target: { kind: 'Node', name: NODE },
        };
        await this.#cluster.create(podBindings, binding, { subresource: 'binding' });
        return;
      }
      case 'run':
        this.started.push(name);
        await this.#report(pod, runningStatus(`10.9.0.${this.started.length}`));
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
