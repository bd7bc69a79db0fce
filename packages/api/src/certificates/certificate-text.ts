/** The bytes of X.509 certificates with ECDSA P-256 keys. Keys and signatures come from the caller: nothing here needs Node. */

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
  /** To Kubernetes, the uid of the user. */
  readonly uid?: string | undefined;
}

/** What the owner of a certificate may do with it. */
export type CertificateUse =
  | { readonly type: 'authority' }
  | { readonly type: 'server'; readonly dnsNames: readonly string[]; readonly ipAddresses: readonly string[] }
  | { readonly type: 'client' };

/** The public half of a key, and its hash. */
export interface CertifiedKey {
  /** DER of SubjectPublicKeyInfo. */
  readonly info: Uint8Array;
  /** Twenty bytes of its hash, so that a chain is found although names repeat. */
  readonly identifier: Uint8Array;
}

/** What is signed. */
export interface CertificateContent {
  readonly subject: Subject;
  readonly use: CertificateUse;
  readonly key: CertifiedKey;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Who signs. */
  readonly issuer: { readonly subject: Subject; readonly key: Pick<CertifiedKey, 'identifier'> };
  /** RFC 5280 allows twenty bytes; sixteen random ones never meet again. */
  readonly serial: Uint8Array;
  /** The signature of the issuer: ECDSA with SHA-256, in DER. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

const OID = Object.freeze({
  commonName: '2.5.4.3',
  kubernetesUid: '1.3.6.1.4.1.57683.2',
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

/** A signed certificate in PEM. */
export function certificateText(content: CertificateContent): string {
  const algorithm = sequence(objectIdentifier(OID.ecdsaWithSha256));
  const signed = sequence(
    explicit(0, integer(Uint8Array.of(VERSION_3))),
    integer(content.serial),
    algorithm,
    name(content.issuer.subject),
    sequence(time(content.notBefore), time(content.notAfter)),
    name(content.subject),
    content.key.info,
    explicit(3, sequence(...extensions(content))),
  );
  return pem('CERTIFICATE', sequence(signed, algorithm, bitString(content.sign(signed))));
}

function name({ commonName, organization, uid }: Subject): Uint8Array {
  const groups = organization === undefined ? [] : [organization].flat();
  return sequence(
    ...groups.map((group) => nameItem(OID.organization, group)),
    ...(commonName === '' ? [] : [nameItem(OID.commonName, commonName)]),
    ...(uid === undefined ? [] : [nameItem(OID.kubernetesUid, uid)]),
  );
}

function nameItem(oid: string, text: string): Uint8Array {
  return setOf(sequence(objectIdentifier(oid), utf8String(text)));
}

function extensions({ use, key, issuer }: CertificateContent): readonly Uint8Array[] {
  return [
    ...useExtensions(use),
    extension(OID.subjectKeyIdentifier, octetString(key.identifier)),
    extension(OID.authorityKeyIdentifier, sequence(implicit(0, issuer.key.identifier))),
  ];
}

function useExtensions(use: CertificateUse): readonly Uint8Array[] {
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
function leafExtensions(purpose: string): readonly Uint8Array[] {
  return [
    critical(OID.basicConstraints, sequence()),
    critical(OID.keyUsage, bitString(bits(0x80), 7)),
    extension(OID.extKeyUsage, sequence(objectIdentifier(purpose))),
  ];
}

function bits(byte: number): Uint8Array {
  return Uint8Array.of(byte);
}

function extension(oid: string, content: Uint8Array): Uint8Array {
  return sequence(objectIdentifier(oid), octetString(content));
}

function critical(oid: string, content: Uint8Array): Uint8Array {
  return sequence(objectIdentifier(oid), trueValue(), octetString(content));
}

function dnsName(text: string): Uint8Array {
  return implicit(2, new TextEncoder().encode(text));
}

function ipName(text: string): Uint8Array {
  return implicit(7, ipAddressBytes(text));
}

function pem(label: string, der: Uint8Array): string {
  // In parts: the arguments of one call are bounded, and a certificate with many names is larger.
  let binary = '';
  for (let at = 0; at < der.length; at += 0x2000) binary += String.fromCharCode(...der.subarray(at, at + 0x2000));
  const lines = btoa(binary).match(/.{1,64}/gu) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
