import { type ApiObject, type Resource, resource } from '@listwatch/api';
import type { Cluster } from '../cluster.ts';

interface Deployment extends ApiObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
  };
}

declare const cluster: Cluster;
const deployments: Resource<Deployment> = resource<Deployment>({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
});
const metadata = { name: 'a' };

// Only what is to be owned has to be there, on every level.
export const applied: readonly Promise<Deployment>[] = [
  cluster.apply(deployments, { metadata }),
  cluster.apply(deployments, { metadata, spec: { replicas: 1 } }),
  cluster.apply(deployments, { metadata, spec: { template: { containers: [{ name: 'c' }] } } }),
];

// @ts-expect-error -- an apply needs a name
void cluster.apply(deployments, { metadata: {} });
// @ts-expect-error -- a wrong type is found
void cluster.apply(deployments, { metadata, spec: { replicas: '1' } });
// @ts-expect-error -- a misspelt field is found
void cluster.apply(deployments, { metadata, spec: { replica: 1 } });
// A whole object may be applied, and one of any kind.
export const whole = (object: Deployment): Promise<Deployment> => cluster.apply(deployments, object);
export const unknown = (kind: Resource, object: ApiObject): Promise<ApiObject> => cluster.apply(kind, object);
