/** Makes the credential of a user: a certificate of the server's authority, or a token that its key signs. */

import { createPrivateKey, generateKeyPairSync, randomUUID, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { issueCertificate, signUserToken } from '@listwatch/server/internal';
import { readIfExists } from '../serve/private-file.ts';
import { StartError } from '../start-error.ts';
import type { UserRecord } from './user-records.ts';

/** Whom it is for. */
export interface CredentialOrder {
  readonly name: string;
  readonly groups: readonly string[];
  readonly kind: UserRecord['kind'];
  readonly hours: number;
  /** The folder of certificates and keys of the server. */
  readonly pki: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The user of a kubeconfig, and what is recorded of it. */
export interface NewCredential {
  readonly user: Readonly<Record<string, string>>;
  readonly record: UserRecord;
}

const HOUR_MS = 3_600_000;
/** Clients whose clocks are a little behind must not find it in the future. */
const BACKDATED_MS = 5 * 60 * 1000;

/** Throws a `StartError` when the keys of the server are not there. */
export function newCredential(order: CredentialOrder): NewCredential {
  return order.kind === 'token' ? newToken(order) : newCertificate(order);
}

function newToken({ name, groups, hours, pki, now }: CredentialOrder): NewCredential {
  const id = randomUUID();
  const expires = now + hours * HOUR_MS;
  const token = signUserToken({ id, name, groups, issued: now, expires }, keyOf(pki, 'users.key'));
  return { user: { token }, record: { id, name, groups, kind: 'token', created: now, expires, revoked: undefined } };
}

function newCertificate({ name, groups, hours, pki, now }: CredentialOrder): NewCredential {
  const authority = new X509Certificate(keyOf(pki, 'ca.crt'));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // What outlives its authority is refused all the same.
  const expires = Math.min(now + hours * HOUR_MS, Date.parse(authority.validTo));
  const cert = issueCertificate({
    subject: { commonName: name, organization: groups },
    use: { type: 'client' },
    key: privateKey,
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(expires),
    issuer: { subject: { commonName: 'listwatch-ca' }, key: createPrivateKey(keyOf(pki, 'ca.key')) },
  });
  const key = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  const id = new X509Certificate(cert).serialNumber.toLowerCase();
  return {
    user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) },
    record: { id, name, groups, kind: 'certificate', created: now, expires, revoked: undefined },
  };
}

function keyOf(pki: string, file: string): string {
  const path = join(pki, file);
  const text = readIfExists(path);
  if (text !== undefined) return text;
  throw new StartError(`${path} does not exist: name the data folder of a server that has run with --data`);
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
