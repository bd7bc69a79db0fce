/** Server-side apply of a ConfigMap and of a Deployment: each apply changes one field of an object that its manager applied before. */

import { withConnections } from '../open-connection.ts';
import type { Target } from '../target.ts';
import { compareServers, expect, severalAtOnce } from './contest.ts';
import { makeNamespace } from './seeded.ts';

const NAMESPACE = 'bench-apply';
/** Each round applies to all of them once. */
const OBJECTS = 400;
const AT_MOST = 0.5;

interface AppliedKind {
  readonly bench: string;
  readonly path: string;
  readonly body: (name: string, round: number) => string;
}

const KINDS: readonly AppliedKind[] = [
  { bench: 'apply ConfigMap', path: `/api/v1/namespaces/${NAMESPACE}/configmaps`, body: configMap },
  { bench: 'apply Deployment', path: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, body: deployment },
];

/** Server CPU of one apply. */
export async function benchApply(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await makeNamespace(target, NAMESPACE);
  for (const { bench, path, body } of KINDS) {
    const question = (i: number, round: number): Parameters<typeof expect>[1] => ({
      method: 'PATCH',
      path: `${path}/object-${i}?fieldManager=bench&force=true`,
      body: body(`object-${i}`, round),
      contentType: 'application/apply-patch+yaml',
    });
    for (const target of targets) {
      await withConnections(target, 'h2', 1, ([connection]) =>
        severalAtOnce(OBJECTS, async (i) => {
          if (connection !== undefined) await expect(connection, question(i, -1), { status: 201 });
        }),
      );
    }
    await compareServers(targets, {
      bench,
      times: OBJECTS,
      atMost: AT_MOST,
      warmUp: 10,
      run: (connection, round) =>
        severalAtOnce(OBJECTS, (i) => expect(connection, question(i, round), { status: 200 })),
    });
  }
}

function configMap(name: string, round: number): string {
  const data = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`key-${i}`, `value ${i} `.repeat(10)]));
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: NAMESPACE, labels: { app: 'bench' } },
    data: { ...data, round: `round-${round}` },
  });
}

function deployment(name: string, round: number): string {
  const labels = { app: name };
  const container = {
    name: 'web',
    image: `registry.example.com/web:1.${round + 1}`,
    ports: [{ name: 'http', containerPort: 8080 }],
    env: Array.from({ length: 5 }, (_, i) => ({ name: `SETTING_${i}`, value: `value-${i}` })),
    resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
    volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }],
  };
  const volumes = [{ name: 'settings', configMap: { name: 'settings' } }];
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: NAMESPACE, labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container], volumes } },
    },
  });
}
