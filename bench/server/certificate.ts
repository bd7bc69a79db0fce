/** A certificate for a server that lives as long as a measurement, signed by itself. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Where the two files are. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Makes one with the openssl of the machine. */
export function makeCertificate(folder: string): CertificateFiles {
  const files = { cert: join(folder, 'server.crt'), key: join(folder, 'server.key') };
  const curve = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  execFileSync('openssl', ['req', ...curve, ...names, '-keyout', files.key, '-out', files.cert], { stdio: 'pipe' });
  return files;
}
