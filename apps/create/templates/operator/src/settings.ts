/** Where the operator runs, and under which names: the program and its manifests must agree. */
export const NAME = 'website-operator';
export const NAMESPACE = 'website-operator';
export const SERVICE = { namespace: NAMESPACE, name: `${NAME}-webhooks` };
export const LEASE = { namespace: NAMESPACE, name: NAME };
