/**
 * Warnings about a Secret for TLS whose certificate and key do not belong together. Here because it needs a crypto
 * library.
 */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type JsonRecord, recordOf, textOf } from '@listwatch/api/values';
import type { ValidateObject } from '@listwatch/rules/internal';
import type { ResourceDefinition } from './resource-definition.ts';

/** The kinds, with these warnings added to those of Secret. */
export function withTlsPairWarnings(kinds: readonly ResourceDefinition[]): readonly ResourceDefinition[] {
  return kinds.map((kind) => (kind.data.type === 'core/v1.Secret' ? warning(kind) : kind));
}

function warning(kind: ResourceDefinition): ResourceDefinition {
  const { strategy } = kind;
  const validate: ValidateObject = (object, old, subresource, isRefused = false) => {
    const found = strategy.validate(object, old, subresource, isRefused);
    if (isRefused || found.errors.length > 0 || object['type'] !== 'kubernetes.io/tls') return found;
    return { errors: found.errors, warnings: [...found.warnings, ...tlsPairWarnings(recordOf(object['data']))] };
  };
  return { ...kind, strategy: { ...strategy, validate } };
}

/** In the words of Go's package `tls`. */
function tlsPairWarnings(data: JsonRecord): readonly string[] {
  const [certificate, key] = ['tls.crt', 'tls.key'].map((name) => Buffer.from(textOf(data[name]), 'base64'));
  if (certificate === undefined || !hasPem(certificate)) {
    return ['tls: failed to find any PEM data in certificate input'];
  }
  if (key === undefined || !hasPem(key)) return ['tls: failed to find any PEM data in key input'];
  try {
    const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    return isPair ? [] : ['tls: private key does not match public key'];
  } catch {
    // Go has a dozen messages for parse errors; one is enough to make the user check the Secret.
    return ['tls: failed to parse certificate or private key'];
  }
}

function hasPem(bytes: Buffer): boolean {
  return bytes.includes('-----BEGIN ');
}
