/** Tokens that `listwatch user add` gives to people: signed by the server's own key, valid while their record exists. */

import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { listOf, textOf } from '@listwatch/api/values';
import type { Clock } from '@listwatch/storage';
import type { SecretLookup } from '../../contract/secret-lookup.ts';
import type { Authenticator } from '../authenticator.ts';
import { CredentialProblem } from '../credential-problem.ts';
import { readCompactToken } from '../jwt/compact-token.ts';
import { isSignedBy } from '../jwt/jwt-signature.ts';

/** Whom a token is for. */
export interface UserTokenOrder {
  /** Also the name of its record; see `userRecordName`. */
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
  /** Milliseconds since the epoch. */
  readonly issued: number;
  readonly expires: number;
}

/** The Secrets of users: their namespace, type, and the key that holds the time of a revocation. */
export const USER_RECORD: Readonly<Record<'namespace' | 'revoked' | 'type', string>> = Object.freeze({
  namespace: 'kube-system',
  type: 'listwatch.dev/user',
  revoked: 'revoked',
});

const ISSUER = 'listwatch:users';
const ALGORITHM = 'ES256';

/** The Secret that belongs to a token, by its id, or to a certificate, by its serial number in lower-case hex. */
export function userRecordName(id: string): string {
  return `listwatch-user-${id}`;
}

/** Signs a token with a P-256 key, PEM. */
export function signUserToken({ id, name, groups, issued, expires }: UserTokenOrder, key: string): string {
  const [iat, exp] = [issued, expires].map((ms) => Math.floor(ms / 1000));
  const claims = { iss: ISSUER, sub: name, groups, jti: id, iat, exp };
  const signed = `${part({ alg: ALGORITHM, typ: 'JWT' })}.${part(claims)}`;
  const how = { key: createPrivateKey(key), dsaEncoding: 'ieee-p1363' as const };
  return `${signed}.${sign('sha256', Buffer.from(signed), how).toString('base64url')}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * Knows the users of these tokens. The signature says who it is; the record only says that the token still counts. So
 * nobody becomes another user by writing Secrets.
 */
export function userTokenAuthenticator(
  key: string,
  { secrets, clock }: { readonly secrets: SecretLookup; readonly clock: Pick<Clock, 'now'> },
): Authenticator {
  const publicKey: KeyObject = createPublicKey(key);
  return {
    authenticate({ token }) {
      const parts = token === undefined ? undefined : readCompactToken(token);
      if (parts === undefined || parts.claims['iss'] !== ISSUER) return undefined;
      const { header, claims } = parts;
      if (header['alg'] !== ALGORITHM || !isSignedBy(publicKey, ALGORITHM, parts)) {
        throw new CredentialProblem('the signature of the user token is wrong');
      }
      const { exp } = claims;
      if (typeof exp !== 'number' || exp * 1000 <= clock.now())
        throw new CredentialProblem('the user token has expired');
      const id = textOf(claims['jti']);
      if (!isCurrent(secrets, id)) throw new CredentialProblem('the user token is revoked');
      return {
        name: textOf(claims['sub']),
        groups: listOf(claims['groups']).map(textOf),
        extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${id}`] },
      };
    },
  };
}

function isCurrent(secrets: SecretLookup, id: string): boolean {
  const record = secrets(USER_RECORD.namespace, userRecordName(id));
  return (
    record !== undefined &&
    !record.isDeleting &&
    record.type === USER_RECORD.type &&
    !record.data.has(USER_RECORD.revoked)
  );
}

/** Was the certificate with this serial number revoked? One without a record was not. */
export function revokedCertificates(secrets: SecretLookup): (serial: string) => boolean {
  return (serial) => {
    const record = secrets(USER_RECORD.namespace, userRecordName(serial));
    return record?.type === USER_RECORD.type && record.data.has(USER_RECORD.revoked);
  };
}
