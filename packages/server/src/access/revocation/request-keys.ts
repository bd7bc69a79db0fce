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
import { LEEWAY_SECONDS } from '../service-account-tokens.ts';

/** Service account tokens are accepted for this long after they have expired. */
const SERVICE_ACCOUNT_LEEWAY_MS = LEEWAY_SECONDS * 1000;

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

/** What credentials depend on. */
export interface CredentialBasis {
  readonly keys: readonly string[];
  /** When they expire, milliseconds since the epoch. */
  readonly expirations: readonly number[];
}

/** The provider that a token names: its configuration may change. */
export function issuerKey(issuer: string): string {
  return `issuer ${issuer}`;
}

/**
 * The objects that make credentials count: the record of a user of `listwatch user`, a bootstrap token, a service account and what
 * its token is bound to. The signature of a token is not looked at: it was verified when the request came.
 */
export function credentialBasis({ token, certificate }: Pick<Credentials, 'certificate' | 'token'>): CredentialBasis {
  const serial = certificate?.serial ?? '';
  const signed = signedTokenBasis(token);
  const { expires } = certificate ?? {};
  return {
    keys: [...(serial === '' ? [] : [recordKey(serial)]), ...bootstrapKeys(token), ...signed.keys],
    expirations: [...(expires === undefined ? [] : [expires]), ...signed.expirations],
  };
}

function bootstrapKeys(token = ''): readonly string[] {
  const secret = bootstrapTokenSecret(token);
  return secret === undefined ? [] : [credentialObjectKey('secrets', secret.namespace, secret.name)];
}

function signedTokenBasis(token = ''): CredentialBasis {
  const claims = readCompactToken(token)?.claims;
  if (claims === undefined) return { keys: [], expirations: [] };
  const expires = typeof claims['exp'] === 'number' ? claims['exp'] * 1000 : Number.NaN;
  const account = readPrivateClaims(claims);
  const issuer = issuerKey(textOf(claims['iss']));
  if (account === undefined) return { keys: [recordKey(textOf(claims['jti'])), issuer], expirations: [expires] };
  const { namespace, serviceAccount, pod, secret, node } = account;
  return {
    keys: [
      issuer,
      credentialObjectKey('serviceaccounts', namespace, serviceAccount.name),
      ...(pod === undefined ? [] : [credentialObjectKey('pods', namespace, pod.name)]),
      ...(secret === undefined ? [] : [credentialObjectKey('secrets', namespace, secret.name)]),
      ...(node === undefined ? [] : [credentialObjectKey('nodes', '', node.name)]),
    ],
    // Without the leeway it is a token of another cluster, whose issuer is a provider here.
    expirations: [expires, expires + SERVICE_ACCOUNT_LEEWAY_MS],
  };
}

function recordKey(id: string): string {
  return credentialObjectKey('secrets', USER_RECORD.namespace, userRecordName(id));
}

function groupKey(name: string): string {
  return `group ${name}`;
}
