/** The rights that the certificate of webhooks needs, and no more. */

import type { ResolvedInstallation } from './installation.ts';
import type { RegisteredHooks } from './webhook-calls.ts';
import type { WebhookManifest } from './webhook-manifests.ts';

/** The name of the Secret with the certificate. */
export function secretNameOf(installation: string): string {
  return `${installation}-webhook-certificate`;
}

/** A Role for the Secret, a ClusterRole for the objects with a caBundle, and their bindings. */
export function rightsManifests(
  hooks: RegisteredHooks,
  { name }: ResolvedInstallation,
  account: { readonly namespace: string; readonly name: string },
): readonly WebhookManifest[] {
  const own = `${name}-webhooks`;
  const role = { apiGroup: 'rbac.authorization.k8s.io', name: own };
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  const { namespace } = account;
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: own, namespace },
      rules: [
        // A create has no name yet that a rule could have.
        { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
        {
          apiGroups: [''],
          resources: ['secrets'],
          resourceNames: [secretNameOf(name)],
          verbs: ['get', 'list', 'watch', 'update'],
        },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: own, namespace },
      roleRef: { ...role, kind: 'Role' },
      subjects,
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: own },
      rules: clusterRules(hooks, name),
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: own },
      roleRef: { ...role, kind: 'ClusterRole' },
      subjects,
    },
  ];
}

const VERBS = ['list', 'watch', 'patch'];

function clusterRules({ admission, conversions }: RegisteredHooks, name: string): readonly object[] {
  const types = new Set([...admission.values()].map(({ type }) => type));
  const resources = [
    ...(types.has('mutate') ? ['mutatingwebhookconfigurations'] : []),
    ...(types.has('validate') ? ['validatingwebhookconfigurations'] : []),
  ];
  const crds = [...conversions.values()].map(({ resource: { plural, group } }) => `${plural}.${group}`);
  return [
    ...(resources.length === 0
      ? []
      : [{ apiGroups: ['admissionregistration.k8s.io'], resources, resourceNames: [name], verbs: VERBS }]),
    ...(crds.length === 0
      ? []
      : [
          {
            apiGroups: ['apiextensions.k8s.io'],
            resources: ['customresourcedefinitions'],
            resourceNames: crds,
            verbs: VERBS,
          },
        ]),
  ];
}
