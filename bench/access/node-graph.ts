/**
 * What the Node authorizer costs with 100 000 Pods on 5000 nodes: memory and time of its graph, of a change of a Pod, which is parsed
 * first, and of a decision. `npm run bench:node-graph`. Prints JSON lines.
 */

import { defaultAccess } from '@listwatch/rules/internal';
import { nodeAuthorizer } from '../../packages/server/src/access/node/node-authorizer.ts';
import { NodeGraph } from '../../packages/server/src/access/node/node-graph.ts';
import { policyRules } from '../../packages/server/src/access/rbac/policy-rule.ts';
import type { AccessAttributes } from '../../packages/server/src/contract/authorization.ts';
import { machine } from '../server/machine.ts';
import { digits, middle } from '../server/result.ts';
import { report } from '../storage/measure.ts';

const PODS = 100_000;
const NODES = 5000;
const NAMESPACES = 500;
const ROUNDS = 7;
const DECISIONS = 200_000;
const UPDATES = 10_000;

/** As a Deployment makes it, with what a kubelet reports: about 4 kB. */
function podText(index: number, restarts = 0): string {
  const app = `app-${index % 2000}`;
  const container = {
    name: 'main',
    image: `registry.example.com/team/${app}:v1.2.3`,
    env: Array.from({ length: 8 }, (_, variable) => ({ name: `VARIABLE_${variable}`, value: `value of ${variable}` })),
    envFrom: [{ configMapRef: { name: `${app}-env` } }, { secretRef: { name: `${app}-env` } }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true }],
    livenessProbe: { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' }, periodSeconds: 10 },
    terminationMessagePath: '/dev/termination-log',
    imagePullPolicy: 'IfNotPresent',
  };
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled', 'PodReadyToStartContainers'].map(
    (type) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: '2026-11-18T10:00:00Z' }),
  );
  return JSON.stringify({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: `${app}-${index}`,
      namespace: `namespace-${index % NAMESPACES}`,
      uid: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
      labels: { app, 'pod-template-hash': '5d4f8c7b9' },
      managedFields: [
        { manager: 'kubelet', operation: 'Update', fieldsV1: { 'f:status': { 'f:conditions': conditions } } },
      ],
    },
    spec: {
      nodeName: `node-${index % NODES}`,
      serviceAccountName: app,
      imagePullSecrets: [{ name: 'registry' }],
      containers: [container],
      volumes: [
        {
          name: 'token',
          projected: {
            sources: [{ serviceAccountToken: { path: 'token' } }, { configMap: { name: 'kube-root-ca.crt' } }],
          },
        },
        ...(index % 10 === 0 ? [{ name: 'data', persistentVolumeClaim: { claimName: `data-${index}` } }] : []),
      ],
    },
    status: {
      phase: 'Running',
      conditions,
      containerStatuses: [{ name: 'main', ready: true, restartCount: restarts, image: container.image }],
    },
  });
}

function volume(index: number): Parameters<NodeGraph['setVolume']>[0] {
  const claimRef = { namespace: `namespace-${index % NAMESPACES}`, name: `data-${index}` };
  // One Secret for all volumes of a driver, as most have it.
  const nodeStageSecretRef = { namespace: 'storage', name: 'driver' };
  const spec = { claimRef, csi: { driver: 'd', nodeStageSecretRef } };
  return { kind: 'PersistentVolume', apiVersion: 'v1', metadata: { name: `pv-${index}` }, spec };
}

/** The process' own time: the machine may be busy with others. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

machine();
const texts = Array.from({ length: PODS }, (_, index) => podText(index));
report({ bench: 'bytes-of-a-pod', value: texts[0]?.length ?? 0, unit: 'bytes' });
const before = heapMegabytes();
const parsing = cpuMs();
for (const text of texts) JSON.parse(text);
const parsed = cpuMs() - parsing;
const graph = new NodeGraph();
const started = cpuMs();
for (const text of texts) graph.setPod(JSON.parse(text));
report({
  bench: 'graph-of-100000-pods',
  value: digits(cpuMs() - started),
  unit: 'ms',
  parsingAlone: digits(parsed),
  ...graph.size,
});
const filling = cpuMs();
for (let index = 0; index < PODS; index += 10) graph.setVolume(volume(index));
report({ bench: 'graph-of-10000-volumes', value: digits(cpuMs() - filling), unit: 'ms' });
report({ bench: 'graph-memory', value: digits(heapMegabytes() - before), unit: 'MB', ...graph.size });

const updates = Array.from({ length: UPDATES }, (_, index) => podText(index * 7, 1));
const updating = cpuMs();
for (const text of updates) graph.setPod(JSON.parse(text));
report({ bench: 'pod-status-update', value: digits(((cpuMs() - updating) * 1000) / UPDATES), unit: 'us' });
const moving = cpuMs();
for (let index = 0; index < UPDATES; index += 1) {
  const pod = JSON.parse(texts[index] ?? '');
  graph.removePod(pod.metadata.namespace, pod.metadata.name);
  graph.setPod(pod);
}
report({ bench: 'pod-replaced', value: digits(((cpuMs() - moving) * 1000) / UPDATES), unit: 'us' });

const role = defaultAccess().find(({ object }) => object.metadata.name === 'system:node');
const authorizer = nodeAuthorizer(graph, policyRules(role?.object['rules']));

function measure(bench: string, resource: string, namespace: string, name: string): void {
  const user = { name: 'system:node:node-10', groups: ['system:nodes', 'system:authenticated'] };
  const target = { group: '', version: 'v1', resource, subresource: '', namespace, name, path: '' };
  const asked: AccessAttributes = { user, verb: 'get', isResource: true, ...target };
  const micros: number[] = [];
  let allowed = false;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = cpuMs();
    for (let index = 0; index < DECISIONS; index += 1) {
      const decision = authorizer.authorize(asked);
      allowed = !(decision instanceof Promise) && decision.allowed;
    }
    micros.push(((cpuMs() - begun) * 1000) / DECISIONS);
  }
  report({ bench, value: digits(middle(micros)), unit: 'us', allowed });
}

measure('decision-own-secret', 'secrets', 'namespace-10', 'app-10-env');
measure('decision-other-secret', 'secrets', 'namespace-11', 'app-11-env');
measure('decision-secret-of-10000-volumes', 'secrets', 'storage', 'driver');
measure('decision-root-ca', 'configmaps', 'namespace-10', 'kube-root-ca.crt');
