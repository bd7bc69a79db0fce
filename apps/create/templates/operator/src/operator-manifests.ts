import { dumpYaml } from '@listwatch/client';
import { webhookManifests } from '@listwatch/runtime/webhook';
import { recordedRights } from './recorded-rights.ts';
import { NAME, NAMESPACE, SERVICE } from './settings.ts';
import { websiteWebhooks } from './webhooks.ts';
import { website } from './website.ts';

const account = { namespace: NAMESPACE, name: NAME };
const labels = { 'app.kubernetes.io/name': NAME };

/** Everything that a cluster needs, as YAML: the rights are those that the code has used. */
export async function operatorManifests(): Promise<string> {
  const roles = await recordedRights();
  const bindings = roles.map(({ apiVersion, kind, metadata }) => ({
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  }));
  return dumpYaml([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
    website.crd,
    ...roles,
    ...bindings,
    ...webhookManifests(websiteWebhooks(), { name: NAME, service: SERVICE, selector: labels, serviceAccount: account }),
    deployment(),
  ]);
}

function port(name: string, containerPort: number): object {
  return { name, containerPort };
}

function probe(path: string): object {
  return { httpGet: { path, port: 'health' } };
}

function deployment(): object {
  const container = {
    name: 'main',
    image: 'registry.example.org/website-operator:0.1.0',
    ports: [port('health', 8080), port('webhooks', 9443)],
    readinessProbe: probe('/readyz'),
    livenessProbe: { ...probe('/healthz'), periodSeconds: 30, failureThreshold: 5 },
    securityContext: {
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    },
    resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...account, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        // Longer than the manager takes to stop, 30 s.
        spec: { serviceAccountName: NAME, terminationGracePeriodSeconds: 45, containers: [container] },
      },
    },
  };
}
