/** The order in which objects are applied: what others need comes first. */

/** As Helm installs, but custom types right after namespaces, and webhooks last: they may refuse what comes after them. */
const ORDER: readonly string[] = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'RuntimeClass',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'StorageClass',
  'CSIDriver',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
];

const LAST: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

const RANKS: ReadonlyMap<string, number> = new Map(/* @__PURE__ */ ORDER.map((kind, rank) => [kind, rank]));

/** Sorts by kind; objects of the same rank stay as they are. Kinds that are not known come after those that are. */
export function inInstallOrder<T extends { readonly kind: string }>(objects: readonly T[]): readonly T[] {
  return objects.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind));
}

function rankOf(kind: string): number {
  if (LAST.has(kind)) return ORDER.length + 1;
  return RANKS.get(kind) ?? ORDER.length;
}
