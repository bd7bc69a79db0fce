/** Chains of certificates, as clients may send them: signed by nobody, and by an authority between the root and its users. */

import { createHash, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { certificateText } from '@listwatch/api/certificates';
import type { TestCertificatePair } from '@listwatch/conformance/parts';
import { type CertificateUse, issueCertificate, type Subject } from '../pki/certificate.ts';

const DAY_MS = 86_400_000;

/** An authority as others see it. */
export interface KnownAuthority {
  readonly ca: string;
  readonly name: string;
}

/** The client's own certificate, a forged one that says to be its authority and to be signed by another one, and that one. */
export function withForgedIssuer(
  { cert, key }: TestCertificatePair,
  own: KnownAuthority,
  other: KnownAuthority,
): TestCertificatePair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const forged = certificateText({
    ...times(),
    subject: { commonName: own.name },
    use: { type: 'authority' },
    key: { info: publicKey.export({ type: 'spki', format: 'der' }), identifier: keyIdentifier(own.ca) },
    issuer: { subject: { commonName: other.name }, key: { identifier: keyIdentifier(other.ca) } },
    serial: Uint8Array.of(1, 2, 3),
    sign: (bytes) => sign('sha256', bytes, privateKey),
  });
  return { cert: `${cert}\n${forged}\n${other.ca}`, key };
}

/** A root, and a client of an authority that the root has signed; with `isAuthority: false` that one may sign nothing. */
export function withAuthorityBetween(
  subject: Subject,
  { isAuthority = true }: { readonly isAuthority?: boolean } = {},
): {
  readonly ca: string;
  readonly client: TestCertificatePair;
} {
  const [root, between, own] = [newKey(), newKey(), newKey()];
  const rootSubject = { commonName: 'root' };
  const betweenSubject = { commonName: 'between' };
  const use: CertificateUse = isAuthority ? { type: 'authority' } : { type: 'client' };
  const ofRoot = { subject: rootSubject, key: root };
  const signed = issued(betweenSubject, use, between, ofRoot);
  const cert = `${issued(subject, { type: 'client' }, own, { subject: betweenSubject, key: between })}\n${signed}`;
  const key = own.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { ca: issued(rootSubject, { type: 'authority' }, root, ofRoot), client: { cert, key } };
}

function issued(
  subject: Subject,
  use: CertificateUse,
  key: KeyObject,
  issuer: { readonly subject: Subject; readonly key: KeyObject },
): string {
  return issueCertificate({ ...times(), subject, use, key, issuer });
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** By the machine's clock, at which TLS looks. */
function times(): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) };
}

/** As the authorities of tests name their keys. Everybody can read it in a certificate. */
function keyIdentifier(pem: string): Uint8Array {
  const info = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(info).digest().subarray(0, 20);
}
