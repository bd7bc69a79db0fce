/** What an open request depends on, as keys. */

import { textOf } from '@listwatch/api/values';
import type { UserInfo } from '../../contract/api-request.ts';
import type { ClaimedResource } from '../../contract/service-account-token.ts';
import { bootstrapTokenSecret } from '../authentication/bootstrap-token-authenticator.ts';
import { USER_RECORD, userRecordName } from '../authentication/user-token.ts';
import type { Credentials } from '../authenticator.ts';
import { readCompactToken } from '../jwt/compact-token.ts';
import type { BoundRole } from '../rbac/bound-role.ts';
import { readPrivateClaims } from '../service-account-claims.ts';

/** The subjects of bindings that a user is. */
export function subjectKeys({ name, groups }: Pick<UserInfo, 'groups' | 'name'>): readonly string[] {
  return [`user ${name}`, ...groups.map(groupKey)];
}

/** The subjects of a binding. */
export function bindingKeys(binding: BoundRole): readonly string[] {
  return binding.subjects.flatMap((subject) => {
    const user = binding.userName(subject);
    if (user !== undefined) return [`user ${user}`];
    return subject.kind === 'Group' ? [groupKey(subject.name)] : [];
  });
}

/** An object that credentials depend on. `namespace` is `''` for a node. */
function credentialObjectKey(plural: ClaimedResource, namespace: string, name: string): string {
  return `${plural} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/**
 * The objects that make credentials count: the record of a user of `listwatch user`, a bootstrap token, a service account and what
 * its token is bound to. The signature of a token is not looked at: it was verified when the request came.
 */
export function credentialKeys({ token, certificate }: Pick<Credentials, 'certificate' | 'token'>): readonly string[] {
  const serial = certificate?.serial ?? '';
  return [
    ...(serial === '' ? [] : [recordKey(serial)]),
    ...(token === undefined ? [] : [...bootstrapKeys(token), ...signedTokenKeys(token)]),
  ];
}

function bootstrapKeys(token: string): readonly string[] {
  const secret = bootstrapTokenSecret(token);
  return secret === undefined ? [] : [credentialObjectKey('secrets', secret.namespace, secret.name)];
}

function signedTokenKeys(token: string): readonly string[] {
  const claims = readCompactToken(token)?.claims;
  if (claims === undefined) return [];
  const account = readPrivateClaims(claims);
  if (account === undefined) return [recordKey(textOf(claims['jti']))];
  const { namespace, serviceAccount, pod, secret, node } = account;
  return [
    credentialObjectKey('serviceaccounts', namespace, serviceAccount.name),
    ...(pod === undefined ? [] : [credentialObjectKey('pods', namespace, pod.name)]),
    ...(secret === undefined ? [] : [credentialObjectKey('secrets', namespace, secret.name)]),
    ...(node === undefined ? [] : [credentialObjectKey('nodes', '', node.name)]),
  ];
}

function recordKey(id: string): string {
  return credentialObjectKey('secrets', USER_RECORD.namespace, userRecordName(id));
}

function groupKey(name: string): string {
  return `group ${name}`;
}
