/** The default bindings of the default roles. */

import { CONTROLLER_ROLES } from './controller-roles.ts';
import { account, type DefaultBinding, group, userSubject } from './default-role.ts';

/** The ClusterRoleBindings. */
export const CLUSTER_BINDINGS: readonly DefaultBinding[] = [
  { name: 'cluster-admin', subjects: [group('system:masters')] },
  { name: 'system:basic-user', subjects: [group('system:authenticated')] },
  { name: 'system:discovery', subjects: [group('system:authenticated')] },
  { name: 'system:kube-controller-manager', subjects: [userSubject('system:kube-controller-manager')] },
  { name: 'system:kube-dns', subjects: [account('kube-dns')] },
  { name: 'system:kube-scheduler', subjects: [userSubject('system:kube-scheduler')] },
  { name: 'system:monitoring', subjects: [group('system:monitoring')] },
  { name: 'system:node', subjects: [] },
  { name: 'system:node-proxier', subjects: [userSubject('system:kube-proxy')] },
  { name: 'system:public-info-viewer', subjects: [group('system:authenticated'), group('system:unauthenticated')] },
  { name: 'system:service-account-issuer-discovery', subjects: [group('system:serviceaccounts')] },
  { name: 'system:volume-scheduler', subjects: [userSubject('system:kube-scheduler')] },
  ...CONTROLLER_ROLES.map(({ name }) => ({ name, subjects: [account(name.slice('system:controller:'.length))] })),
];

/** The RoleBindings. */
export const NAMESPACE_BINDINGS: readonly DefaultBinding[] = [
  { name: 'system:controller:bootstrap-signer', namespace: 'kube-public', subjects: [account('bootstrap-signer')] },
  {
    name: 'system::extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    role: 'extension-apiserver-authentication-reader',
    subjects: [userSubject('system:kube-controller-manager'), userSubject('system:kube-scheduler')],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'kube-system',
    subjects: [
      userSubject('system:kube-controller-manager'),
      account('kube-controller-manager'),
      account('leader-election-controller'),
    ],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'kube-system',
    subjects: [userSubject('system:kube-scheduler'), account('kube-scheduler')],
  },
  { name: 'system:controller:bootstrap-signer', namespace: 'kube-system', subjects: [account('bootstrap-signer')] },
  { name: 'system:controller:cloud-provider', namespace: 'kube-system', subjects: [account('cloud-provider')] },
  { name: 'system:controller:token-cleaner', namespace: 'kube-system', subjects: [account('token-cleaner')] },
];
