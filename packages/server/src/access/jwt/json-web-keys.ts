/** JSON Web Key Sets, as providers publish them. */

import { createPublicKey, type KeyObject } from 'node:crypto';
import { isRecord, listOf, recordOf, textOf } from '@listwatch/api/values';

/** A public key that verifies. */
export interface VerificationKey {
  /** `''` when it has none. */
  readonly id: string;
  /** The only algorithm that it may be used with; `''` when any that fits will do. */
  readonly algorithm: string;
  readonly key: KeyObject;
}

/** Providers publish a handful. */
const KEYS_MAX = 100;

/** The usable keys of a set. Keys of other types and for encryption are skipped, as RFC 7517 asks. */
export function readKeySet(document: unknown): readonly VerificationKey[] {
  return listOf(recordOf(document)['keys'])
    .slice(0, KEYS_MAX)
    .flatMap((jwk) => {
      const key = isRecord(jwk) ? publicKeyOf(jwk) : undefined;
      if (key === undefined || !isRecord(jwk)) return [];
      return [{ id: textOf(jwk['kid']), algorithm: textOf(jwk['alg']), key }];
    });
}

function publicKeyOf(jwk: Readonly<Record<string, unknown>>): KeyObject | undefined {
  const use = textOf(jwk['use']);
  if (use !== '' && use !== 'sig') return undefined;
  const members: Readonly<Record<string, readonly string[]>> = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'] };
  const kty = textOf(jwk['kty']);
  const names = Object.hasOwn(members, kty) ? members[kty] : undefined;
  if (names === undefined) return undefined;
  try {
    // Only public members: Node takes a private key where it finds one, and a symmetric one never gets here.
    const parts = Object.fromEntries(names.map((name) => [name, textOf(jwk[name])]));
    return createPublicKey({ key: { kty, ...parts }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
