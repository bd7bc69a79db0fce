import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import {
  hasCause,
  isBadRequest,
  isConflict,
  isNotFound,
  isTooManyRequests,
  type Resource,
  resource,
} from '@listwatch/api';
import { type KubeApiserverProcess, needs, startKubeApiserver, TestAuthority } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyByPatch } from '../src/apply/apply-by-patch.ts';
import {
  type AppliedDocument,
  applyConflicts,
  applyObject,
  applyYaml,
  type Cluster,
  discover,
  evict,
  getScale,
  isNoMatch,
  podLogs,
  restMapper,
  setScale,
} from '../src/index.ts';
import { connect } from '../src/node.ts';
import { type ConfigMap, configMaps } from './config-maps.ts';

const resources: Readonly<Record<string, Resource>> = {
  pods: resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }),
  deployments: resource({ group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true }),
};
const of = (name: string): Resource => resources[name] ?? expect.unreachable(name);
const lines = (documents: readonly AppliedDocument[]) =>
  documents.map(({ kind, name, outcome }) => `${kind} ${name} ${outcome}`);

const MANIFESTS = `
apiVersion: stable.example.com/v1
kind: CronTab
metadata: { name: tab, namespace: applied }
spec: { cron: "* * * * *" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: applied }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "nginx:1" }] }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: crontabs.stable.example.com }
spec:
  group: stable.example.com
  scope: Namespaced
  names: { plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct] }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true }
---
apiVersion: v1
kind: Namespace
# The server itself changes an object of which nothing is owned at its second apply.
metadata: { name: applied, labels: { team: web } }
`;

const ACCOUNT = '{apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: applied}}';

const BUDGET = `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: kept, namespace: applied }
spec: { minAvailable: 1, selector: { matchLabels: { app: kept } } }
`;

const podNamed = (name: string) => `
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: applied, labels: { app: ${name} } }
spec: { nodeName: ours, automountServiceAccountToken: false, containers: [{ name: c, image: i }] }
`;

const wanted = (name: string, data: Readonly<Record<string, string>>) => ({ metadata: { name }, data });

const deployment = (container: object, replicas: number) => ({
  metadata: { name: 'patched' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'patched' } },
    template: { metadata: { labels: { app: 'patched' } }, spec: { containers: [container] } },
  },
});

const outcomes = (outcome: string) =>
  ['Namespace applied', 'CustomResourceDefinition crontabs.stable.example.com', 'Deployment web', 'CronTab tab'].map(
    (name) => `${name} ${outcome}`,
  );

describe('a real server', needs('kube-apiserver'), () => {
  let server: KubeApiserverProcess;
  let cluster: Cluster;

  beforeAll(async () => {
    server = await startKubeApiserver();
    cluster = await connect({ kubeconfig: server.kubeconfig, namespace: 'default' });
  }, 120_000);

  afterAll(async () => {
    await cluster?.close();
    await server?.stop();
  });

  it('applies, and says which fields another manager owns', async () => {
    await cluster.apply(configMaps, wanted('a', { k: '1' }), { fieldManager: 'first' });
    const refused: unknown = await cluster
      .apply(configMaps, wanted('a', { k: '2' }), { fieldManager: 'second' })
      .catch((error: unknown) => error);
    expect(isConflict(refused)).toBe(true);
    expect(applyConflicts(refused)).toEqual([{ manager: 'first', field: '.data.k', message: 'conflict with "first"' }]);
    const taken = await cluster.apply(configMaps, wanted('a', { k: '2' }), { fieldManager: 'second', force: true });
    expect(taken.data).toEqual({ k: '2' });
  });

  function apply(data: Readonly<Record<string, string>>, dryRun = false) {
    return applyObject<ConfigMap>(cluster, configMaps, wanted('b', data), { dryRun });
  }

  it('tells what an apply did', async () => {
    expect(await apply({ a: '1' })).toMatchObject({ outcome: 'created' });
    expect(await apply({ a: '1' })).toMatchObject({ outcome: 'unchanged' });
    expect(await apply({ a: '1' }, true)).toMatchObject({ outcome: 'unchanged' });
    expect(await apply({ b: '1' }, true)).toMatchObject({ outcome: 'configured' });
    expect(await apply({ b: '1' })).toMatchObject({ outcome: 'configured', object: { data: { b: '1' } } });
  });

  it('fills in defaults that an apply without the help of the server leaves alone', async () => {
    const patched = async (container: object, replicas = 1) => {
      const object = deployment(container, replicas);
      return (await applyByPatch(cluster, of('deployments'), object, undefined, {})).outcome;
    };
    const plain = { name: 'c', image: 'i' };
    const withArgs = { ...plain, args: ['-v'] };
    expect(await patched(withArgs)).toBe('created');
    expect(await patched(withArgs)).toBe('unchanged');
    expect(await patched(withArgs, 2)).toBe('configured');
    expect(await patched(plain, 2)).toBe('configured');
    expect(JSON.stringify(await cluster.get(of('deployments'), { name: 'patched' }))).not.toContain('"args":[');
    expect(await patched(plain, 2)).toBe('unchanged');
  });

  it('tells what it serves', async () => {
    const { resources: served, failures } = await discover(cluster);
    expect(failures).toEqual([]);
    const deployments = served.find(({ plural, isPreferred }) => plural === 'deployments' && isPreferred);
    expect(deployments).toMatchObject({ group: 'apps', version: 'v1', shortNames: ['deploy'], categories: ['all'] });
    expect(deployments?.subresources).toContainEqual(
      expect.objectContaining({ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale' }),
    );
    const mapper = restMapper(cluster);
    expect(await mapper.named('deploy.apps')).toEqual(deployments);
    await expect(mapper.kind('apps/v1', 'Nothing')).rejects.toSatisfy(isNoMatch);
  });

  it('takes manifests with a custom type and an object of it', async () => {
    const mapper = restMapper(cluster);
    expect(lines(await applyYaml(cluster, MANIFESTS, { mapper }))).toEqual(outcomes('created'));
    expect(await mapper.named('ct')).toMatchObject({ kind: 'CronTab' });
    const again = lines(await applyYaml(cluster, MANIFESTS, { mapper }));
    expect(again.filter((line) => !line.startsWith('CustomResource'))).toEqual(
      outcomes('unchanged').filter((line) => !line.startsWith('CustomResource')),
    );
  });

  it('scales', async () => {
    const web = { name: 'web', namespace: 'applied' };
    expect(await getScale(cluster, of('deployments'), web)).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
    expect(await setScale(cluster, of('deployments'), web, 4)).toMatchObject({ spec: { replicas: 4 } });
    expect((await getScale(cluster, of('deployments'), web)).spec).toEqual({ replicas: 4 });
    const old = { resourceVersion: '1' };
    await expect(setScale(cluster, of('deployments'), web, 5, old)).rejects.toSatisfy(isConflict);
    await expect(getScale(cluster, of('pods'), { name: 'web' })).rejects.toSatisfy(isNotFound);
  });

  it('evicts a Pod unless a budget forbids it', async () => {
    await applyYaml(cluster, [ACCOUNT, podNamed('kept'), podNamed('free'), BUDGET].join('\n---\n'));
    const target = { name: 'kept', namespace: 'applied' };
    // No controller has looked at the budget yet, and only a Pod that runs is protected.
    const status = { type: 'merge', body: { status: { phase: 'Running' } } } as const;
    await cluster.patch(of('pods'), target, status, { subresource: 'status' });
    const refusal: unknown = await evict(cluster, target).catch((error: unknown) => error);
    expect(isTooManyRequests(refusal) && hasCause(refusal, 'DisruptionBudget')).toBe(true);
    expect(refusal).toMatchObject({ retryAfterMs: 10_000 });
    await evict(cluster, { name: 'free', namespace: 'applied' }, { gracePeriodSeconds: 0 });
    await expect(cluster.get(of('pods'), { name: 'free', namespace: 'applied' })).rejects.toSatisfy(isNotFound);
  });

  it('passes on the logs of a kubelet as they are written', async () => {
    using authority = new TestAuthority();
    const answers: ServerResponse[] = [];
    const paths: (string | undefined)[] = [];
    const kubelet = createServer(authority.server(), ({ url }, response) => {
      paths.push(url);
      answers.push(response);
    });
    await once(kubelet.listen(0, '127.0.0.1'), 'listening');
    const address = kubelet.address();
    const Port = typeof address === 'object' ? address?.port : undefined;
    const nodes = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
    await cluster.create(nodes, { metadata: { name: 'ours' } });
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port } },
    };
    const patch = { type: 'merge', body: { status } } as const;
    await cluster.patch(nodes, { name: 'ours' }, patch, { subresource: 'status' });

    const target = { name: 'kept', namespace: 'applied' };
    const logs = podLogs(cluster, target, { follow: true, tailLines: 5 }).lines()[Symbol.asyncIterator]();
    const first = logs.next();
    await eventually('the kubelet is asked', () => answers.length === 1);
    expect(paths).toEqual(['/containerLogs/applied/kept/c?follow=true&tailLines=5']);
    const [answer = expect.unreachable()] = answers;
    const closed = once(answer, 'close');
    answer.write('one\ntw');
    expect((await first).value).toBe('one');
    const second = logs.next();
    answer.write('o\n');
    expect((await second).value).toBe('two');
    await logs.return?.();
    await closed;

    const missing = podLogs(cluster, { name: 'nobody', namespace: 'applied' })[Symbol.asyncIterator]();
    await expect(missing.next()).rejects.toSatisfy(isNotFound);
    const wrong = podLogs(cluster, target, { container: 'nothing' })[Symbol.asyncIterator]();
    await expect(wrong.next()).rejects.toSatisfy(isBadRequest);
    kubelet.close();
    kubelet.closeAllConnections();
  });
});
