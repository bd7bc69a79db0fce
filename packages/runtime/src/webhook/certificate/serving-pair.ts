/** A certificate to serve with, its key and its authority. */

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { type CertificateUse, type CertifiedKey, certificateText, type Subject } from '@listwatch/api/certificates';

/** PEM, all of it. */
export interface ServingPair {
  /** With the certificates between it and the authority, if there are any. */
  readonly cert: string;
  readonly key: string;
}

/** What the API server must find in it. */
export interface CertificateNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** Clocks of machines differ: a certificate of now would be one of tomorrow to some. */
const BACKDATED_MS = 3_600_000;

/**
 * Makes a pair with an authority of its own, whose key is thrown away: it signs nothing else, so nobody can steal it. The keys are
 * those of P-256, which every TLS library has.
 */
export function newServingPair(
  name: string,
  names: CertificateNames,
  { now, lifetimeMs }: { readonly now: number; readonly lifetimeMs: number },
): ServingPair & { readonly ca: string } {
  const [authority, own] = [newKey(), newKey()];
  const life = { notBefore: new Date(now - BACKDATED_MS), notAfter: new Date(now + lifetimeMs) };
  // A name of its own for each: with equal names, a bundle of two would let a verifier try the wrong one first.
  const subject: Subject = { commonName: `${name}-webhooks-${randomBytes(4).toString('hex')}` };
  const signed = (of: Subject, use: CertificateUse, key: KeyObject): string =>
    certificateText({
      ...life,
      subject: of,
      use,
      key: certifiedKey(key),
      issuer: { subject, key: certifiedKey(authority) },
      serial: randomBytes(16),
      sign: (bytes) => sign('sha256', bytes, authority),
    });
  return {
    ca: signed(subject, { type: 'authority' }, authority),
    cert: signed({ commonName: `${name}-webhooks` }, { type: 'server', ...names }, own),
    key: own.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function certifiedKey(key: KeyObject): CertifiedKey {
  const info = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return { info, identifier: createHash('sha256').update(info).digest().subarray(0, 20) };
}

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/gu;

/** The certificates of a text; those that cannot be read are left out. */
export function certificatesOf(pem: string): readonly X509Certificate[] {
  return (pem.match(BLOCK) ?? []).flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

/** When it ends, and whether it has the names. Undefined for what is no certificate with its key. */
export function readPair(
  { cert, key }: ServingPair,
  names: CertificateNames,
): { readonly notAfter: number; readonly fits: boolean } | undefined {
  const [leaf] = certificatesOf(cert);
  if (leaf === undefined || !hasKey(leaf, key)) return undefined;
  const fits =
    names.dnsNames.every((name) => leaf.checkHost(name) !== undefined) &&
    names.ipAddresses.every((address) => leaf.checkIP(address) !== undefined);
  return { notAfter: Date.parse(leaf.validTo), fits };
}

function hasKey(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** The authorities of a bundle that a chain leads to. */
export function authoritiesOf(bundle: string, cert: string): readonly X509Certificate[] {
  const chain = certificatesOf(cert);
  return certificatesOf(bundle).filter((authority) =>
    chain.some(
      (one) =>
        one.fingerprint256 === authority.fingerprint256 ||
        (one.checkIssued(authority) && one.verify(authority.publicKey)),
    ),
  );
}
