/** Signatures of JSON Web Tokens: the algorithms of kube-apiserver, each with the one kind of key that it is for. */

import { constants, type KeyObject, verify } from 'node:crypto';
import type { CompactToken } from './compact-token.ts';

interface Algorithm {
  readonly hash: 'sha256' | 'sha384' | 'sha512';
  readonly type: 'ec' | 'rsa';
  /** The curve of EC keys, as Node names it. */
  readonly curve?: string;
  readonly isPss?: boolean;
}

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  RS256: { hash: 'sha256', type: 'rsa' },
  RS384: { hash: 'sha384', type: 'rsa' },
  RS512: { hash: 'sha512', type: 'rsa' },
  PS256: { hash: 'sha256', type: 'rsa', isPss: true },
  PS384: { hash: 'sha384', type: 'rsa', isPss: true },
  PS512: { hash: 'sha512', type: 'rsa', isPss: true },
  ES256: { hash: 'sha256', type: 'ec', curve: 'prime256v1' },
  ES384: { hash: 'sha384', type: 'ec', curve: 'secp384r1' },
  ES512: { hash: 'sha512', type: 'ec', curve: 'secp521r1' },
};

/** All algorithms that tokens may be signed with. `none` and those with a shared secret are not among them. */
export const SIGNING_ALGORITHMS: readonly string[] = Object.keys(ALGORITHMS).toSorted();

/** RFC 7518 asks for 2048 bits; beyond the upper limit one verification would take milliseconds of the event loop. */
const RSA_MIN_BITS = 2048;
const RSA_MAX_BITS = 8192;
const RSA_MAX_EXPONENT = 2n ** 32n;

/** Can the key verify a signature of this algorithm? A public RSA key can never be taken for the secret of an HMAC. */
export function fitsAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, name: string): boolean {
  const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
  if (algorithm === undefined || asymmetricKeyType !== algorithm.type) return false;
  if (algorithm.type === 'ec') return asymmetricKeyDetails?.namedCurve === algorithm.curve;
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return modulusLength >= RSA_MIN_BITS && modulusLength <= RSA_MAX_BITS && publicExponent <= RSA_MAX_EXPONENT;
}

/** Did this key sign the token, with the algorithm that its header names? */
export function isSignedBy(key: KeyObject, name: string, { signed, signature }: CompactToken): boolean {
  const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
  if (algorithm === undefined || !fitsAlgorithm(key, name)) return false;
  const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST } = constants;
  const how =
    algorithm.type === 'ec'
      ? { key, dsaEncoding: 'ieee-p1363' as const }
      : algorithm.isPss === true
        ? { key, padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_DIGEST }
        : { key, padding: RSA_PKCS1_PADDING };
  try {
    return verify(algorithm.hash, Buffer.from(signed), how, signature);
  } catch {
    // OpenSSL throws for some signatures that are only malformed.
    return false;
  }
}
