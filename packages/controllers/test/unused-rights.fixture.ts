/** The rights of our controllers that none of their requests uses, and why their roles have them. */

/** Users are named by the last part of their names. */
export interface UnusedRights {
  readonly why: string;
  readonly users: readonly string[];
  readonly rights: readonly string[];
}

const rights = (verbs: string, ...resources: readonly string[]): readonly string[] =>
  resources.flatMap((one) => verbs.split(' ').map((verb) => `${verb} ${one}`));

export const UNUSED_RIGHTS: readonly UnusedRights[] = [
  {
    why: 'The controllers of Kubernetes record Events; ours record none.',
    users: [
      'generic-garbage-collector',
      'kube-controller-manager',
      'pv-protection-controller',
      'pvc-protection-controller',
      'resourcequota-controller',
      'root-ca-cert-publisher',
      'service-account-controller',
      'token-cleaner',
    ],
    rights: rights('create patch update', 'events', 'events.events.k8s.io'),
  },
  {
    why: 'kube-controller-manager reads for all controllers, as its informers do in Kubernetes.',
    users: ['clusterrole-aggregation-controller'],
    rights: rights('get list watch', 'clusterroles.rbac.authorization.k8s.io'),
  },
  {
    why: 'The same.',
    users: ['namespace-controller'],
    rights: [...rights('list watch', 'namespaces'), ...rights('watch', '*.*')],
  },
  { why: 'The same.', users: ['pv-protection-controller'], rights: rights('get list watch', 'persistentvolumes') },
  {
    why: 'The same; Pods are listed once more before a claim is freed.',
    users: ['pvc-protection-controller'],
    rights: [...rights('get list watch', 'persistentvolumeclaims'), ...rights('get watch', 'pods')],
  },
  { why: 'The same.', users: ['token-cleaner'], rights: rights('get list watch', 'secrets') },
  {
    why: 'Servers that cannot stream the first state of a watch are asked for a list.',
    users: ['generic-garbage-collector', 'kube-controller-manager'],
    rights: rights('list', '*.*'),
  },
  {
    why: 'Used in reviews of the server and not by a request: the controller writes rules that it does not have.',
    users: ['clusterrole-aggregation-controller'],
    rights: rights('escalate', 'clusterroles.rbac.authorization.k8s.io'),
  },
  {
    why: 'Ours changes the same objects by patches only.',
    users: ['clusterrole-aggregation-controller'],
    rights: rights('update', 'clusterroles.rbac.authorization.k8s.io'),
  },
  {
    why: 'Ours changes the same objects by patches only.',
    users: ['generic-garbage-collector'],
    rights: ['update *.*'],
  },
  {
    why: 'For kinds that cannot be deleted as a collection, and for namespaces that finish without their content.',
    users: ['namespace-controller'],
    rights: ['delete namespaces', 'delete *.*'],
  },
  {
    why: 'Kubernetes writes there, behind a feature gate that is off, since when a claim is unused.',
    users: ['pvc-protection-controller'],
    rights: ['update persistentvolumeclaims/status'],
  },
  {
    why: 'Our lease has another name than that of kube-controller-manager, and is read alone; candidates are for coordinated elections.',
    users: ['kube-controller-manager'],
    rights: [
      ...rights('get list update', 'leases.coordination.k8s.io'),
      ...rights('create get list update watch', 'leasecandidates.coordination.k8s.io'),
    ],
  },
  {
    why: 'In Kubernetes this user makes the service accounts of controllers and their tokens. Ours need no tokens.',
    users: ['kube-controller-manager'],
    rights: [
      ...rights('create delete get update', 'secrets'),
      ...rights('create get update', 'serviceaccounts'),
      'create serviceaccounts/token',
      'get namespaces',
    ],
  },
  {
    why: 'In Kubernetes this program serves its own /metrics, and asks the server whose token it got and what that user may do.',
    users: ['kube-controller-manager'],
    rights: [
      ...rights('get list watch', 'configmaps'),
      'create tokenreviews.authentication.k8s.io',
      'create subjectaccessreviews.authorization.k8s.io',
    ],
  },
];
