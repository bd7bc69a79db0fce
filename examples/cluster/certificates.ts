/** One authority for etcd, and a certificate that every member and every server shows: made with openssl. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes the files. A member of etcd is a server to its clients and a client of its peers, so the certificate is for both. */
export function makeCertificates(folder: string): Certificates {
  const [ca, caKey, cert, key] = ['ca.crt', 'ca.key', 'etcd.crt', 'etcd.key'].map((name) => join(folder, name));
  if (ca === undefined || caKey === undefined || cert === undefined || key === undefined) throw new Error('four names');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  openssl('req', '-x509', ...newKey, '-subj', '/CN=etcd authority', '-keyout', caKey, '-out', ca);
  const uses = ['-addext', 'extendedKeyUsage=serverAuth,clientAuth', '-addext', 'basicConstraints=critical,CA:FALSE'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const signed = ['-CA', ca, '-CAkey', caKey];
  openssl('req', '-x509', ...newKey, ...signed, ...uses, ...names, '-subj', '/CN=etcd', '-keyout', key, '-out', cert);
  return { ca, cert, key };
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
