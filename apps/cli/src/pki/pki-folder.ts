/** The certificates of a server in its data folder: made when they are missing, renewed before they expire. */

import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { type CertificateUse, issueCertificate, type Subject } from '@listwatch/server/internal';
import { createPrivateFile, readIfExists, writePrivateFile } from '../serve/private-file.ts';
import { StartError } from '../start-error.ts';
import type { ServingNames } from './serving-names.ts';

/** A certificate and its private key, both PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** All that a server and its first user need. */
export interface Pki {
  /** The authority's certificate, PEM. It signed the certificates of the server and of the administrator. */
  readonly ca: string;
  readonly server: CertificatePair;
  /** A client certificate of the group `system:masters`. */
  readonly admin: CertificatePair;
  /** The authority of front proxies, PEM: it signed `frontProxy`, and nothing else. */
  readonly frontProxyCa: string;
  /** The certificate that this server shows to the backends of APIServices. */
  readonly frontProxy: CertificatePair;
  /** The key that signs the tokens of service accounts, PEM. */
  readonly serviceAccountKey: string;
  /** The key that signs the tokens of `listwatch user add`, PEM. */
  readonly userTokenKey: string;
  /** The files that were written just now. */
  readonly made: readonly string[];
}

/** Options of `openPki`. */
export interface PkiOptions {
  /** The folder; made when it does not exist. */
  readonly folder: string;
  readonly names: ServingNames;
  /** Default: now. */
  readonly now?: Date | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** As kubeadm: ten years for the authority, one for what it signs. */
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 365;
/** A certificate with less than this left is renewed at the next start. */
const RENEWAL_DAYS = 30;
/** Clients whose clocks are a little behind must not find the certificate in the future. */
const BACKDATED_MS = 5 * 60 * 1000;

const AUTHORITY: Subject = { commonName: 'listwatch-ca' };
const FRONT_PROXY_AUTHORITY: Subject = { commonName: 'listwatch-front-proxy-ca' };
/** The name by which backends know a proxy, as kubeadm has it. */
export const FRONT_PROXY_NAME = 'front-proxy-client';
const SERVER: Subject = { commonName: 'listwatch' };
const ADMIN: Subject = { organization: 'system:masters', commonName: 'listwatch-admin' };

/**
 * Opens the folder. A key is made once and stays; a certificate is signed again when it is missing, expires within 30
 * days, belongs to another key or lacks a name. So an authority that is renewed still knows the clients it signed.
 * Throws a `StartError` for an authority that is not ours rather than to overwrite it.
 */
export function openPki({ folder, names, now = new Date() }: PkiOptions): Pki {
  const made: string[] = [];
  const context: Context = { folder, now, made };
  const ca = ensureAuthority(context, 'ca', AUTHORITY);
  const frontProxyCa = ensureAuthority(context, 'front-proxy-ca', FRONT_PROXY_AUTHORITY);
  const leaf = (base: string, subject: Subject, use: CertificateUse, issuer: Authority = ca): CertificatePair =>
    ensureLeaf(context, base, { subject, use, issuer });
  return {
    ca: ca.text,
    server: leaf('server', SERVER, { type: 'server', ...names }),
    admin: leaf('admin', ADMIN, { type: 'client' }),
    frontProxyCa: frontProxyCa.text,
    frontProxy: leaf('front-proxy-client', { commonName: FRONT_PROXY_NAME }, { type: 'client' }, frontProxyCa),
    serviceAccountKey: keyText(ensureKey(context, 'sa.key')),
    userTokenKey: keyText(ensureKey(context, 'users.key')),
    made,
  };
}

/** The serving certificate alone, and its authority: for a server that signs nobody in. */
export function openServingPki({ folder, names, now = new Date() }: PkiOptions): Pick<Pki, 'ca' | 'server'> {
  const context: Context = { folder, now, made: [] };
  const ca = ensureAuthority(context, 'ca', AUTHORITY);
  const use: CertificateUse = { type: 'server', ...names };
  return { ca: ca.text, server: ensureLeaf(context, 'server', { subject: SERVER, use, issuer: ca }) };
}

/** What a certificate is made of. */
interface Leaf {
  readonly subject: Subject;
  readonly use: CertificateUse;
  readonly issuer: Authority;
}

function ensureLeaf(context: Context, base: string, { subject, use, issuer }: Leaf): CertificatePair {
  const key = ensureKey(context, `${base}.key`);
  const isUsable = (certificate: X509Certificate): boolean =>
    (use.type !== 'server' || hasNames(certificate, use)) && certificate.verify(issuer.certificate.publicKey);
  const { text } = ensureCertificate(context, { file: `${base}.crt`, subject, use, key, issuer, isUsable });
  return { cert: text, key: keyText(key) };
}

interface Authority extends ReadCertificate {
  readonly subject: Subject;
  readonly key: KeyObject;
}

function ensureAuthority(context: Context, base: string, subject: Subject): Authority {
  const key = ensureKey(context, `${base}.key`);
  const file = `${base}.crt`;
  const made = ensureCertificate(context, {
    file,
    subject,
    use: { type: 'authority' },
    key,
    issuer: { subject, key, notAfter: later(context.now, AUTHORITY_DAYS) },
    isUsable: (certificate) => isOurAuthority(certificate, subject, join(context.folder, file)),
  });
  return { ...made, subject, key };
}

interface Context {
  readonly folder: string;
  readonly now: Date;
  readonly made: string[];
}

function ensureKey({ folder, made }: Context, file: string): KeyObject {
  const path = join(folder, file);
  if (readIfExists(path) === undefined) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    if (createPrivateFile(path, keyText(privateKey))) made.push(file);
  }
  return readKey(path);
}

function readKey(path: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(readIfExists(path) ?? '');
  } catch {
    // Said below, with what to do about it.
  }
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new StartError(`${path} is not a P-256 private key; move it away, and a new one will be made`);
  }
  return key;
}

/** SEC 1, as Kubernetes writes EC keys: fabric8 takes a PKCS #8 key for one of RSA, and cannot use the kubeconfig. */
function keyText(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}

interface WantedCertificate {
  readonly file: string;
  readonly subject: Subject;
  readonly use: CertificateUse;
  readonly key: KeyObject;
  readonly issuer: { readonly subject: Subject; readonly key: KeyObject; readonly notAfter: Date };
  readonly isUsable: (certificate: X509Certificate) => boolean;
}

interface ReadCertificate {
  readonly text: string;
  readonly certificate: X509Certificate;
  readonly notAfter: Date;
}

function ensureCertificate({ folder, now, made }: Context, wanted: WantedCertificate): ReadCertificate {
  const path = join(folder, wanted.file);
  const present = readCertificate(readIfExists(path));
  if (present !== undefined && isCurrent(present, wanted, now)) return present;
  const days = wanted.use.type === 'authority' ? AUTHORITY_DAYS : LEAF_DAYS;
  const text = issueCertificate({
    subject: wanted.subject,
    use: wanted.use,
    key: wanted.key,
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    // What outlives its authority is refused all the same, and would not be renewed in time.
    notAfter: new Date(Math.min(later(now, days).getTime(), wanted.issuer.notAfter.getTime())),
    issuer: wanted.issuer,
  });
  writePrivateFile(path, text);
  made.push(wanted.file);
  const written = readCertificate(text);
  if (written === undefined) throw new TypeError(`${wanted.file} was made but cannot be read`);
  return written;
}

function readCertificate(text: string | undefined): ReadCertificate | undefined {
  if (text === undefined) return undefined;
  try {
    const certificate = new X509Certificate(text);
    return { text, certificate, notAfter: new Date(certificate.validTo) };
  } catch {
    return undefined;
  }
}

function isCurrent({ certificate, notAfter }: ReadCertificate, wanted: WantedCertificate, now: Date): boolean {
  const { key, isUsable } = wanted;
  const lasts = notAfter > later(now, RENEWAL_DAYS) && new Date(certificate.validFrom) <= now;
  return isUsable(certificate) && lasts && certificate.checkPrivateKey(key);
}

function isOurAuthority(certificate: X509Certificate, { commonName }: Subject, path: string): boolean {
  if (certificate.subject !== `CN=${commonName}`) {
    throw new StartError(
      `${path} was not made by listwatch; move it away, and name your own authority with --client-ca-file`,
    );
  }
  return certificate.ca;
}

function hasNames(certificate: X509Certificate, { dnsNames, ipAddresses }: ServingNames): boolean {
  return (
    dnsNames.every((name) => certificate.checkHost(name) !== undefined) &&
    ipAddresses.every((address) => certificate.checkIP(address) !== undefined)
  );
}

function later(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}
