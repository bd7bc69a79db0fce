/** What the servers are filled with: ConfigMaps of 1.6 KB, and Pods on nodes. */

import type { Connection } from './connection.ts';
import { withConnections } from './open-connection.ts';
import type { Target } from './target.ts';

/** The folder of everything that a bench writes. */
export const NAMESPACE = 'bench';
/** Objects that lists are measured on. */
export const OBJECTS = 5000;
/** One in a hundred has each label, so that a selector finds 50. */
const GROUPS = 100;
/** With its metadata an object has 1.6 KB. */
const PAYLOAD = 'x'.repeat(1290);
const WRITERS = 16;

/** The path of the ConfigMaps of a namespace, or of one. */
export function configMapPath(name?: string, namespace: string = NAMESPACE): string {
  return `/api/v1/namespaces/${namespace}/configmaps${name === undefined ? '' : `/${name}`}`;
}

/** A name of fixed length, so that all objects are equally large. */
export function objectName(i: number): string {
  return `object-${String(i).padStart(7, '0')}`;
}

/** What a ConfigMap has beside its payload. */
const REST_BYTES = 310;

/** A payload for a ConfigMap of about this many bytes as it is stored. */
export function payloadOf(bytes: number): string {
  return 'x'.repeat(Math.max(0, bytes - REST_BYTES));
}

/** The JSON of one ConfigMap. */
export function configMap(i: number, version = 0, namespace: string = NAMESPACE, payload: string = PAYLOAD): string {
  return JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: objectName(i), namespace, labels: { app: 'bench', group: `group-${i % GROUPS}` } },
    data: { version: String(version).padStart(8, '0'), payload },
  });
}

/** The JSON of a Pod on a node. */
export function pod(i: number, node: string): string {
  return JSON.stringify({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: objectName(i), namespace: NAMESPACE },
    spec: { nodeName: node, containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }] },
  });
}

/** The JSON of a Pod with many small members, as a ReplicaSet makes them: 1.3 KB with what the server adds. */
export function largePod(i: number, nodes = 50, labels: Readonly<Record<string, string>> = {}): string {
  const token = { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } };
  const authority = { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } };
  const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
  return JSON.stringify({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: objectName(i),
      namespace: NAMESPACE,
      labels: { app: 'web', 'pod-template-hash': '7d4b9c6f5', ...labels },
    },
    spec: {
      volumes: [{ name: 'kube-api-access', projected: { sources: [token, authority], defaultMode: 420 } }],
      containers: [
        {
          name: 'web',
          image: 'nginx:1.27',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
          volumeMounts: [{ name: 'kube-api-access', readOnly: true, mountPath }],
          terminationMessagePath: '/dev/termination-log',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      nodeName: `node-${i % nodes}`,
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    },
  });
}

/** Makes the namespace and the ConfigMaps that are not there yet. */
export async function seed(target: Target): Promise<void> {
  await seedWith(target, OBJECTS, (i) => [configMapPath(), configMap(i)]);
}

/** Makes the namespace and `count` objects that are not there yet; `make` gives the path and the body of each. */
export async function seedWith(
  target: Target,
  count: number,
  make: (i: number) => readonly [string, string],
): Promise<void> {
  await withConnections(target, 'h1', WRITERS, async (connections) => {
    const [first] = connections;
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: NAMESPACE } };
    await create(first, '/api/v1/namespaces', JSON.stringify(namespace));
    await spread(connections, count, (connection, i) => create(connection, ...make(i)));
  });
}

/** Creates an object that may be there from an earlier run. */
export async function create(connection: Connection | undefined, path: string, body: string): Promise<void> {
  const answer = await connection?.ask({ method: 'POST', path, body, keep: true });
  if (answer?.status !== 201 && answer?.status !== 409) {
    throw new Error(`POST ${path} was answered with ${answer?.status}: ${answer?.body}`);
  }
}

/** Runs `work` for 0 to `count`, one at a time on each connection. */
export async function spread(
  connections: readonly Connection[],
  count: number,
  work: (connection: Connection, i: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const loop = async (connection: Connection): Promise<void> => {
    while (next < count) {
      const i = next;
      next += 1;
      await work(connection, i);
    }
  };
  await Promise.all(connections.map(loop));
}
