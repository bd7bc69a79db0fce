/** Pods of 4 KB, as a Deployment with some environment makes them, in JSON and in protobuf. */

import { loadSchemas } from '@listwatch/kinds/data';
import { encodeMessage, MessagePlans, sealEnvelope } from '@listwatch/schema';

/** The media type of protobuf. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const VARIABLES = 22;

/** The JSON value of a Pod. */
export function podOf(name: string, namespace: string): Readonly<Record<string, unknown>> {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace, labels: { app: 'web', tier: 'front', 'pod-template-hash': '7d4b9c6f5' } },
    spec: {
      volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
      containers: [container('web')],
      nodeName: 'node-1',
      terminationGracePeriodSeconds: 30,
    },
  };
}

function container(part: string): object {
  return {
    name: part,
    image: `registry.example.com/team/${part}:1.27.4`,
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: Array.from({ length: VARIABLES }, (_, i) => ({ name: `SETTING_${i}`, value: `value-${i}-of-${part}` })),
    resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
    livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10 },
    volumeMounts: [{ name: 'settings', readOnly: true, mountPath: '/etc/settings' }],
  };
}

/** Encodes Pods in protobuf. */
export async function podEncoder(): Promise<(pod: Readonly<Record<string, unknown>>) => Uint8Array> {
  const plan = new MessagePlans(await loadSchemas(['core/v1'])).message('core/v1.Pod');
  return (pod) => sealEnvelope({ apiVersion: 'v1', kind: 'Pod', message: encodeMessage(plan, pod) });
}
