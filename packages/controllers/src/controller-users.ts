/** Who the controllers are to a server: the users that the default roles of Kubernetes are bound to. */

/** The user of a request from within the process. */
export interface LoopbackUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Reads for all of them, and takes the lease of the leader. */
export const MANAGER_USER: LoopbackUser = { name: 'system:kube-controller-manager', groups: ['system:authenticated'] };

/** In Kubernetes this is a part of kube-apiserver, whose own user is in `system:masters`; here it has the roles `listwatch:apiserver`. */
const SERVER_USER: LoopbackUser = { name: 'system:apiserver', groups: ['system:authenticated'] };
const PART_OF_THE_SERVER = 'kubernetes-service-controller';

/** Service accounts that are not called like their controller. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  'garbage-collector-controller': 'generic-garbage-collector',
  'persistentvolume-protection-controller': 'pv-protection-controller',
  'persistentvolumeclaim-protection-controller': 'pvc-protection-controller',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'serviceaccount-controller': 'service-account-controller',
  'token-cleaner-controller': 'token-cleaner',
};

/** The user of one controller, by its name. */
export function controllerUser(name: string): LoopbackUser {
  if (name === PART_OF_THE_SERVER) return SERVER_USER;
  return {
    name: `system:serviceaccount:kube-system:${ACCOUNTS[name] ?? name}`,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  };
}
