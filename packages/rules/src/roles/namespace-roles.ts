/** The default Roles: permissions of components in one namespace. */

import { type DefaultRole, rule } from './default-role.ts';

/** By namespace and name. */
export const NAMESPACE_ROLES: readonly DefaultRole[] = [
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-public',
    rules: [
      rule('get list watch', 'core', 'configmaps'),
      rule('update', 'core', 'configmaps', 'cluster-info'),
      rule('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    rules: [rule('get list watch', 'core', 'configmaps', 'extension-apiserver-authentication')],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'kube-system',
    rules: [
      rule('create get list update watch', 'coordination.k8s.io', 'leases'),
      rule('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'kube-system',
    rules: [
      rule('create get list update watch', 'coordination.k8s.io', 'leases'),
      rule('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-system',
    rules: [rule('get list watch', 'core', 'secrets')],
  },
  {
    name: 'system:controller:cloud-provider',
    namespace: 'kube-system',
    rules: [rule('create get list watch', 'core', 'configmaps')],
  },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'kube-system',
    rules: [
      rule('delete get list watch', 'core', 'secrets'),
      rule('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
];
