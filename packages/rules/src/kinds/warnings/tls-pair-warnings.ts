/** Warnings about a Secret for TLS whose certificate and key do not belong together. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type JsonRecord, textOf } from '@listwatch/api/values';

/** In the words of Go's package `tls`. */
export function tlsPairWarnings(data: JsonRecord): readonly string[] {
  const [certificate, key] = ['tls.crt', 'tls.key'].map((name) => Buffer.from(textOf(data[name]), 'base64'));
  if (certificate === undefined || !hasPem(certificate)) {
    return ['tls: failed to find any PEM data in certificate input'];
  }
  if (key === undefined || !hasPem(key)) return ['tls: failed to find any PEM data in key input'];
  try {
    const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    return isPair ? [] : ['tls: private key does not match public key'];
  } catch {
    // What cannot be parsed has a dozen messages in Go; one is enough to look at the Secret again.
    return ['tls: failed to parse certificate or private key'];
  }
}

function hasPem(bytes: Buffer): boolean {
  return bytes.includes('-----BEGIN ');
}
