/** Makes X.509 certificates with ECDSA P-256 keys. Start at `issueCertificate`. */

import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { ipAddressBytes } from './address-bytes.ts';
import {
  bitString,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  trueValue,
  utf8String,
} from './der.ts';

/** The subject of a certificate. To Kubernetes, `commonName` is the user and each organization a group. */
export interface Subject {
  readonly commonName: string;
  readonly organization?: string | readonly string[] | undefined;
}

/** What the owner of a certificate may do with it. */
export type CertificateUse =
  | { readonly type: 'authority' }
  | { readonly type: 'server'; readonly dnsNames: readonly string[]; readonly ipAddresses: readonly string[] }
  | { readonly type: 'client' };

/** What is signed. */
export interface CertificateRequest {
  readonly subject: Subject;
  readonly use: CertificateUse;
  /** The owner's key; only its public half ends up in the certificate. */
  readonly key: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Who signs. An authority signs itself: its own subject and key. */
  readonly issuer: { readonly subject: Subject; readonly key: KeyObject };
}

const OID = Object.freeze({
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const);

const VERSION_3 = 2;
/** RFC 5280 allows twenty bytes; sixteen random ones never meet again. */
const SERIAL_BYTES = 16;

/** Signs a certificate; the answer is PEM. */
export function issueCertificate(request: CertificateRequest): string {
  const algorithm = sequence(objectIdentifier(OID.ecdsaWithSha256));
  const signed = sequence(
    explicit(0, integer(Buffer.from([VERSION_3]))),
    integer(randomBytes(SERIAL_BYTES)),
    algorithm,
    name(request.issuer.subject),
    sequence(time(request.notBefore), time(request.notAfter)),
    name(request.subject),
    publicKeyInfo(request.key),
    explicit(3, sequence(...extensions(request))),
  );
  const signature = sign('sha256', signed, request.issuer.key);
  return pem('CERTIFICATE', sequence(signed, algorithm, bitString(signature)));
}

function name({ commonName, organization }: Subject): Buffer {
  const groups = organization === undefined ? [] : [organization].flat();
  return sequence(...groups.map((group) => nameItem(OID.organization, group)), nameItem(OID.commonName, commonName));
}

function nameItem(oid: string, text: string): Buffer {
  return setOf(sequence(objectIdentifier(oid), utf8String(text)));
}

function publicKeyInfo(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

function extensions({ use, key, issuer }: CertificateRequest): readonly Buffer[] {
  return [
    ...useExtensions(use),
    extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(key))),
    extension(OID.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(issuer.key)))),
  ];
}

function useExtensions(use: CertificateUse): readonly Buffer[] {
  switch (use.type) {
    case 'authority':
      // keyCertSign and cRLSign, bits 5 and 6.
      return [critical(OID.basicConstraints, sequence(trueValue())), critical(OID.keyUsage, bitString(bits(0x06), 1))];
    case 'server':
      return [
        ...leafExtensions(OID.serverAuth),
        extension(OID.subjectAltName, sequence(...use.dnsNames.map(dnsName), ...use.ipAddresses.map(ipName))),
      ];
    case 'client':
      return leafExtensions(OID.clientAuth);
  }
}

/** No authority, signs handshakes (digitalSignature, bit 0), and for one purpose only. */
function leafExtensions(purpose: string): readonly Buffer[] {
  return [
    critical(OID.basicConstraints, sequence()),
    critical(OID.keyUsage, bitString(bits(0x80), 7)),
    extension(OID.extKeyUsage, sequence(objectIdentifier(purpose))),
  ];
}

function bits(byte: number): Buffer {
  return Buffer.from([byte]);
}

function extension(oid: string, content: Uint8Array): Buffer {
  return sequence(objectIdentifier(oid), octetString(content));
}

function critical(oid: string, content: Uint8Array): Buffer {
  return sequence(objectIdentifier(oid), trueValue(), octetString(content));
}

function dnsName(text: string): Buffer {
  return implicit(2, Buffer.from(text, 'ascii'));
}

function ipName(text: string): Buffer {
  return implicit(7, ipAddressBytes(text));
}

/** The hash of the public key, so that a chain is found although names repeat. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha256').update(publicKeyInfo(key)).digest().subarray(0, 20);
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/gu) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
