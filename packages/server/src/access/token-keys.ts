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
  const algorithm = privateKey === undefined ? undefined : algorithmOf(privateKey);
  if (privateKey === undefined || algorithm === undefined) {
    throw new TypeError('serviceAccounts.signingKey must be a private key in PEM: EC (P-256, P-384, P-521) or RSA');
  }
  const key = createPublicKey(privateKey);
  const id = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { id, algorithm, key, privateKey };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  return asymmetricKeyType === 'ec' ? EC_ALGORITHMS[asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
}
