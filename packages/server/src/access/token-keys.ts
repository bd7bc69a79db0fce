/** The keys of service account tokens: one signs, all verify, and their public halves are published. */

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A public key that tokens are verified with. */
export interface TokenKey {
  /** The name of the key in the header of a token, as kube-apiserver derives it. */
  readonly id: string;
  readonly algorithm: string;
  readonly key: KeyObject;
}

/** A key that signs, and its public half. */
export interface SigningKey extends TokenKey {
  readonly privateKey: KeyObject;
}

const EC_ALGORITHMS: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** Reads a private key, PEM. Throws a `TypeError` for anything but an RSA or EC key. */
export function readSigningKey(pem: string | Buffer): SigningKey {
  let privateKey: KeyObject | undefined;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    // Said below, in terms of the option.
  }
  return signingKey(privateKey);
}

/** Throws the `TypeError` that a server would throw for these keys of service account tokens, and gives nothing. */
export function checkServiceAccountKeys(keys: {
  readonly signingKey?: string | Buffer | undefined;
  readonly verificationKeys?: readonly (string | Buffer)[] | undefined;
}): void {
  if (keys.signingKey !== undefined) readSigningKey(keys.signingKey);
  for (const key of keys.verificationKeys ?? []) readVerificationKeys(key);
}

const PEM_BLOCK = /-----BEGIN (?<label>[^-]+)-----[^-]*-----END \k<label>-----/gu;

/**
 * Reads all keys of a text in PEM: public keys, certificates, or private keys, of which the public half counts. Throws a
 * `TypeError` when there is none, or one that is neither RSA nor EC.
 */
export function readVerificationKeys(pem: string | Buffer): readonly TokenKey[] {
  const blocks = [...pem.toString().matchAll(PEM_BLOCK)].filter(({ groups }) => groups?.['label'] !== 'EC PARAMETERS');
  const keys = blocks.map(([block]) => tokenKey(publicKeyOf(block)));
  if (keys.length > 0 && !keys.includes(undefined)) return keys.filter((key) => key !== undefined);
  throw new TypeError('serviceAccounts.verificationKeys must be keys in PEM: EC (P-256, P-384, P-521) or RSA');
}

function publicKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    // Said by the caller, in terms of the option.
    return undefined;
  }
}

/** A new P-256 key. */
export function newTokenKey(): SigningKey {
  return signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
}

/** The key as a JSON Web Key, without its private half. */
export function publicJwk({ id, algorithm, key }: TokenKey): Readonly<Record<string, unknown>> {
  const { kty, crv, ...parts } = key.export({ format: 'jwk' });
  return { use: 'sig', kty, kid: id, ...(crv === undefined ? {} : { crv }), alg: algorithm, ...parts };
}

function signingKey(privateKey: KeyObject | undefined): SigningKey {
  const key = privateKey === undefined ? undefined : tokenKey(createPublicKey(privateKey));
  if (privateKey === undefined || key === undefined) {
    throw new TypeError('serviceAccounts.signingKey must be a private key in PEM: EC (P-256, P-384, P-521) or RSA');
  }
  return { ...key, privateKey };
}

function tokenKey(key: KeyObject | undefined): TokenKey | undefined {
  const algorithm = key === undefined ? undefined : algorithmOf(key);
  if (key === undefined || algorithm === undefined) return undefined;
  const id = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { id, algorithm, key };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  return asymmetricKeyType === 'ec' ? EC_ALGORITHMS[asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
}
