/** The claims of a service account token, and the user that they make. */

import { isRecord, recordOf, textOf } from '@listwatch/api/values';
import type { UserInfo } from '../contract/api-request.ts';
import type { ObjectClaim, ServiceAccountClaims } from '../contract/service-account-token.ts';

const PRIVATE = 'kubernetes.io';
const EXTRA = 'authentication.kubernetes.io';

/** The name of a service account as a user: `system:serviceaccount:{namespace}:{name}`. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The groups that every service account of a namespace has. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The claims as they stand in a token. */
export function privateClaims(claims: ServiceAccountClaims): Readonly<Record<string, unknown>> {
  const { namespace, serviceAccount, pod, secret, node } = claims;
  const own = {
    namespace,
    ...(node === undefined ? {} : { node: claimOf(node) }),
    ...(pod === undefined ? {} : { pod: claimOf(pod) }),
    ...(secret === undefined ? {} : { secret: claimOf(secret) }),
    serviceaccount: claimOf(serviceAccount),
  };
  return { [PRIVATE]: own };
}

function claimOf({ name, uid }: ObjectClaim): Readonly<Record<string, string>> {
  return uid === '' ? { name } : { name, uid };
}

/** Reads the claims of a verified token; undefined when they are not those of the subject. */
export function readPrivateClaims(payload: Readonly<Record<string, unknown>>): ServiceAccountClaims | undefined {
  const own = recordOf(payload[PRIVATE]);
  const namespace = textOf(own['namespace']);
  const serviceAccount = readClaim(own['serviceaccount']);
  if (serviceAccount === undefined || payload['sub'] !== serviceAccountUser(namespace, serviceAccount.name)) {
    return undefined;
  }
  const bound = { pod: readClaim(own['pod']), secret: readClaim(own['secret']), node: readClaim(own['node']) };
  return { namespace, serviceAccount, ...bound };
}

function readClaim(value: unknown): ObjectClaim | undefined {
  return isRecord(value) ? { name: textOf(value['name']), uid: textOf(value['uid']) } : undefined;
}

/** The user that a token with these claims authenticates. `id` is the token's own id. */
export function userOfClaims({ namespace, serviceAccount, pod, node }: ServiceAccountClaims, id: string): UserInfo {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['credential-id', id === '' ? '' : `JTI=${id}`],
    ['node-name', node?.name],
    ['node-uid', node?.uid],
    ['pod-name', pod?.name],
    ['pod-uid', pod?.uid],
  ];
  const extra = facts.flatMap(([name, value]) => (value ? [[`${EXTRA}/${name}`, [value]] as const] : []));
  return {
    name: serviceAccountUser(namespace, serviceAccount.name),
    uid: serviceAccount.uid,
    groups: serviceAccountGroups(namespace),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}
