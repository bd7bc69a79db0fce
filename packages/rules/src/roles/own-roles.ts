/** Roles of this server's own components, which Kubernetes does not have. */

import { type DefaultRole, paths, rule } from './default-role.ts';

/** A role and the user that has it. */
export interface OwnRole extends DefaultRole {
  readonly user: string;
}

const SEE_ALL = [
  rule('get list watch', '*', '*'),
  paths('get', '/debug/audit /debug/history /debug/overview /readyz /version'),
];

const SERVER = { name: 'listwatch:apiserver', user: 'system:apiserver' };

/** In Kubernetes these components are in `system:masters`, or do not exist. A namespace makes a Role. */
export const OWN_ROLES: readonly OwnRole[] = [
  // The controller that is a part of kube-apiserver in Kubernetes.
  {
    ...SERVER,
    namespace: 'default',
    rules: [
      rule('create update', 'core', 'endpoints services'),
      rule('create delete update', 'discovery.k8s.io', 'endpointslices'),
    ],
  },
  { ...SERVER, namespace: 'kube-system', rules: [rule('create delete patch', 'coordination.k8s.io', 'leases')] },
  {
    // Everybody with the link of the console sees what the page shows; the console's server withholds the rest.
    name: 'listwatch:console',
    user: 'system:listwatch:console',
    rules: SEE_ALL,
  },
  {
    // The same with `--console-access write`: edit, scale and delete.
    name: 'listwatch:console-editor',
    user: 'system:listwatch:console-editor',
    rules: [...SEE_ALL, rule('delete patch', '*', '*')],
  },
  {
    // `--crds`.
    name: 'listwatch:crds',
    user: 'system:listwatch:crds',
    rules: [rule('create get patch', 'apiextensions.k8s.io', 'customresourcedefinitions')],
  },
];
