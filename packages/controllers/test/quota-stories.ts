/** Quotas and objects in a namespace, and the status that a quota controller must arrive at. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { expect, vi } from 'vitest';

type Loose = ApiObject & Readonly<Record<string, unknown>>;

const kind = (plural: string, name: string, group = ''): Resource<Loose> =>
  resource({ group, version: 'v1', plural, kind: name, namespaced: true });

export const quotas = kind('resourcequotas', 'ResourceQuota');
const KINDS = {
  ConfigMap: kind('configmaps', 'ConfigMap'),
  Pod: kind('pods', 'Pod'),
  Service: kind('services', 'Service'),
  PersistentVolumeClaim: kind('persistentvolumeclaims', 'PersistentVolumeClaim'),
  Deployment: kind('deployments', 'Deployment', 'apps'),
  ResourceClaim: kind('resourceclaims', 'ResourceClaim', 'resource.k8s.io'),
} as const;

/** A namespace in which a story is played. */
export class QuotaStage {
  readonly cluster: Cluster;
  readonly namespace: string;

  constructor(cluster: Cluster, namespace: string) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  quota(spec: object): Promise<Loose> {
    return this.cluster.create(quotas, { metadata: { name: 'q', namespace: this.namespace }, spec });
  }

  add(kindName: keyof typeof KINDS, name: string, rest: object = {}): Promise<Loose> {
    return this.cluster.create(KINDS[kindName], { metadata: { name, namespace: this.namespace }, ...rest });
  }

  async remove(kindName: keyof typeof KINDS, name: string): Promise<void> {
    const key = { name, namespace: this.namespace };
    await this.cluster.delete(KINDS[kindName], key, { gracePeriodSeconds: 0 });
  }

  async change(kindName: keyof typeof KINDS, name: string, patch: object, subresource?: string): Promise<void> {
    const key = { name, namespace: this.namespace };
    await this.cluster.patch(KINDS[kindName], key, { type: 'merge', body: patch }, { subresource });
  }

  /** Waits until the status is this one. */
  async settles(hard: Readonly<Record<string, string>>, used: Readonly<Record<string, string>>): Promise<void> {
    await vi.waitFor(
      async () => {
        const { status } = await this.cluster.get(quotas, { name: 'q', namespace: this.namespace });
        expect(status).toEqual({ hard, used });
      },
      { timeout: 30_000, interval: 100 },
    );
  }
}

const pod = (requests: object, more: object = {}): object => ({
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests, limits: requests } }], ...more },
});
const claim = (storage: string, storageClassName: string): object => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName },
});

/** By what they show. */
export const QUOTA_STORIES: Readonly<Record<string, (stage: QuotaStage) => Promise<void>>> = {
  'objects that are there are counted, new ones too, and given back when they go': async (stage) => {
    await stage.add('ConfigMap', 'a');
    const hard = { configmaps: '3', 'count/configmaps': '5', 'count/deployments.apps': '2' };
    await stage.quota({ hard });
    await stage.settles(hard, { configmaps: '1', 'count/configmaps': '1', 'count/deployments.apps': '0' });
    await stage.add('ConfigMap', 'b');
    await stage.settles(hard, { configmaps: '2', 'count/configmaps': '2', 'count/deployments.apps': '0' });
    await stage.remove('ConfigMap', 'a');
    await stage.settles(hard, { configmaps: '1', 'count/configmaps': '1', 'count/deployments.apps': '0' });
  },
  'pods count with what their containers ask for, until they have ended': async (stage) => {
    const hard = { pods: '4', 'requests.cpu': '2', 'limits.memory': '1Gi', 'requests.example.com/gpu': '3' };
    await stage.quota({ hard });
    await stage.settles(hard, {
      pods: '0',
      'requests.cpu': '0',
      'limits.memory': '0',
      'requests.example.com/gpu': '0',
    });
    await stage.add('Pod', 'a', pod({ cpu: '500m', memory: '64Mi', 'example.com/gpu': '1' }));
    await stage.add('Pod', 'b', pod({ cpu: '250m', memory: '128Mi' }));
    await stage.settles(hard, {
      pods: '2',
      'requests.cpu': '750m',
      'limits.memory': '192Mi',
      'requests.example.com/gpu': '1',
    });
    await stage.change('Pod', 'a', { status: { phase: 'Succeeded' } }, 'status');
    await stage.settles(hard, {
      pods: '1',
      'requests.cpu': '250m',
      'limits.memory': '128Mi',
      'requests.example.com/gpu': '0',
    });
    await stage.remove('Pod', 'b');
    await stage.settles(hard, {
      pods: '0',
      'requests.cpu': '0',
      'limits.memory': '0',
      'requests.example.com/gpu': '0',
    });
  },
  'a quota with scopes counts only what is in them': async (stage) => {
    await stage.add('Pod', 'short', pod({ cpu: '1' }, { activeDeadlineSeconds: 5 }));
    await stage.add('Pod', 'long', pod({ cpu: '1' }));
    await stage.quota({ hard: { pods: '5' }, scopes: ['Terminating', 'NotBestEffort'] });
    await stage.settles({ pods: '5' }, { pods: '1' });
  },
  'a quota with a selector of priority classes': async (stage) => {
    await stage.add('Pod', 'plain', pod({ cpu: '1' }));
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }];
    await stage.quota({ hard: { pods: '5', 'requests.cpu': '9' }, scopeSelector: { matchExpressions } });
    await stage.settles({ pods: '5', 'requests.cpu': '9' }, { pods: '1', 'requests.cpu': '1' });
  },
  'Services count with their node ports and load balancers': async (stage) => {
    const hard = { services: '5', 'services.nodeports': '5', 'services.loadbalancers': '1' };
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ];
    await stage.add('Service', 'a', { spec: { type: 'NodePort', ports } });
    await stage.quota({ hard });
    await stage.settles(hard, { services: '1', 'services.nodeports': '2', 'services.loadbalancers': '0' });
    await stage.change('Service', 'a', {
      spec: { type: 'ClusterIP', ports: ports.map((port) => ({ ...port, nodePort: null })) },
    });
    await stage.settles(hard, { services: '1', 'services.nodeports': '0', 'services.loadbalancers': '0' });
  },
  'claims count with their storage, in all and of their class': async (stage) => {
    const hard = {
      persistentvolumeclaims: '5',
      'requests.storage': '10Gi',
      'gold.storageclass.storage.k8s.io/requests.storage': '5Gi',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '2',
    };
    await stage.add('PersistentVolumeClaim', 'a', claim('1Gi', 'gold'));
    await stage.add('PersistentVolumeClaim', 'b', claim('512Mi', 'iron'));
    await stage.quota({ hard });
    await stage.settles(hard, {
      persistentvolumeclaims: '2',
      'requests.storage': '1536Mi',
      'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
    });
  },
  'claims count with the devices of their class': async (stage) => {
    const exactly = { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 };
    await stage.add('ResourceClaim', 'a', { spec: { devices: { requests: [{ name: 'r', exactly }] } } });
    const hard = { 'gpu.deviceclass.resource.k8s.io/devices': '5', 'count/resourceclaims.resource.k8s.io': '3' };
    await stage.quota({ hard });
    await stage.settles(hard, {
      'gpu.deviceclass.resource.k8s.io/devices': '2',
      'count/resourceclaims.resource.k8s.io': '1',
    });
  },
  'a name that no kind has stays without a usage': async (stage) => {
    const hard = { pods: '1', 'count/nothing.example.com': '1' };
    await stage.quota({ hard });
    await stage.settles(hard, { pods: '0' });
  },
  'other limits are taken over': async (stage) => {
    await stage.add('ConfigMap', 'a');
    await stage.quota({ hard: { configmaps: '3', secrets: '1' } });
    await stage.settles({ configmaps: '3', secrets: '1' }, { configmaps: '1', secrets: '0' });
    const key = { name: 'q', namespace: stage.namespace };
    await stage.cluster.patch(quotas, key, {
      type: 'merge',
      body: { spec: { hard: { configmaps: '5', secrets: null } } },
    });
    await stage.settles({ configmaps: '5' }, { configmaps: '1' });
  },
  'a status that somebody has spoilt is set right when the quota changes': async (stage) => {
    await stage.quota({ hard: { configmaps: '3' } });
    await stage.settles({ configmaps: '3' }, { configmaps: '0' });
    const key = { name: 'q', namespace: stage.namespace };
    const spoilt = { status: { used: { configmaps: '2' } } };
    await stage.cluster.patch(quotas, key, { type: 'merge', body: spoilt }, { subresource: 'status' });
    await stage.cluster.patch(quotas, key, { type: 'merge', body: { spec: { hard: { configmaps: '4' } } } });
    await stage.settles({ configmaps: '4' }, { configmaps: '0' });
  },
};
