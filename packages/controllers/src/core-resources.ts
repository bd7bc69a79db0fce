/** The resources that the controllers read and write, with the fields that they use. */

import { type ApiObject, type Resource, resource } from '@listwatch/api';

export interface NamespaceCondition {
  readonly type: string;
  readonly status: 'False' | 'True' | 'Unknown';
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface Namespace extends ApiObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly NamespaceCondition[] };
}

export interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface Secret extends ApiObject {
  readonly type?: string;
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>;
}

export interface PodVolume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: object;
}

export interface Pod extends ApiObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly terminationGracePeriodSeconds?: number;
    readonly volumes?: readonly PodVolume[];
  };
  readonly status?: { readonly phase?: string };
}

export const namespaces: Resource<Namespace> = resource({
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
});

export const serviceAccounts: Resource = resource({
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
});

export const configMaps: Resource<ConfigMap> = resource({
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
});

export const secrets: Resource<Secret> = resource({
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  namespaced: true,
});

export const pods: Resource<Pod> = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });

/** A PersistentVolume. */
export interface Volume extends ApiObject {
  readonly status?: { readonly phase?: string };
}

export const claims: Resource = resource({
  version: 'v1',
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
});

export const volumes: Resource<Volume> = resource({
  version: 'v1',
  plural: 'persistentvolumes',
  kind: 'PersistentVolume',
  namespaced: false,
});
