/** Objects to look at: a small shop with a Deployment, its Pods, a ConfigMap that was painted often, and a Secret. */

import { configMaps, deployments } from '@listwatch/kinds';
import type { TestEnvironment } from '@listwatch/testing';
import { FakeKubelet } from './fake-kubelet.ts';

export const COLORS = ['red', 'green', 'yellow', 'purple'];

export async function openShop(env: TestEnvironment, namespace = 'shop'): Promise<void> {
  await env.apply(
    `
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web, tier: front } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: 'nginx:1.27', args: ['--port', '8080'] }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { color: blue, script: "#!/bin/sh\\necho hello\\n" }
---
apiVersion: v1
kind: Secret
metadata: { name: token }
stringData: { password: hunter2 }
`,
    { namespace },
  );
  const { metadata } = await env.cluster.get(deployments, { namespace, name: 'web' });
  for (const number of [1, 2, 3, 4, 5, 6]) await env.apply(podText(number, metadata.uid ?? ''), { namespace });
  for (const color of COLORS) {
    const patch = { type: 'merge', body: { data: { color, [color]: 'bought' } } } as const;
    await env.cluster.patch(configMaps, { namespace, name: 'settings' }, patch, { fieldManager: 'painter' });
  }
  await env.apply(
    `
apiVersion: v1
kind: Event
metadata: { name: settings.1 }
involvedObject: { kind: ConfigMap, name: settings, namespace: ${namespace}, uid: ${await uidOf(env, namespace)} }
reason: Painted
message: The walls are purple now.
type: Normal
count: 4
source: { component: painter }
lastTimestamp: ${new Date().toISOString().replace(/\.\d+/u, '')}
`,
    { namespace },
  );
}

function paint(color: number, text: string): string {
  return `\u001b[${color}m${text}\u001b[0m`;
}

/** The logs of the Pod web-2, in all colors, and of web-1, which has none. */
export function shopLogs(): FakeKubelet {
  const kubelet = new FakeKubelet();
  kubelet.waiting.set('web-1/web', 'container "web" in pod "web-1" is waiting to start: ContainerCreating');
  for (let order = 1; order <= 24; order += 1) {
    kubelet.write(
      'web-2/web',
      `${paint(34, 'info')}  ${paint(36, 'POST')} /orders/${order} ${paint(32, '201')} in ${(order * 7) % 50} ms`,
      `${paint(90, 'debug')} ${paint(35, `cart ${order * 31}`)} is empty again`,
    );
    if (order % 5 === 0) kubelet.write('web-2/web', `${paint(33, 'warn')}  the till of order ${order} answers slowly`);
    if (order % 8 === 0) kubelet.write('web-2/web', `${paint(31, 'error')} order ${order} was paid twice`);
  }
  return kubelet;
}

async function uidOf(env: TestEnvironment, namespace: string): Promise<string> {
  return (await env.cluster.get(configMaps, { namespace, name: 'settings' })).metadata.uid ?? '';
}

function podText(number: number, owner: string): string {
  const isWell = number !== 3;
  const state = isWell ? 'running: {}' : 'waiting: { reason: ImagePullBackOff }';
  return `
apiVersion: v1
kind: Pod
metadata:
  name: web-${number}
  labels: { app: web, number: '${number}' }
  ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, uid: ${owner}, controller: true }]
spec: { nodeName: node-${number % 3}, containers: [{ name: web, image: 'nginx:1.27' }] }
status:
  phase: ${isWell ? 'Running' : 'Pending'}
  podIP: 10.0.0.${number}
  conditions: [{ type: Ready, status: '${isWell ? 'True' : 'False'}', lastTransitionTime: '2026-11-16T08:00:00Z' }]
  containerStatuses:
  - { name: web, ready: ${isWell}, restartCount: ${number % 4}, image: nginx, imageID: x, state: { ${state} } }
`;
}
