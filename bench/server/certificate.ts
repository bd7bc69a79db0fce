/** A certificate for a server that lives as long as a measurement. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestAuthority } from '@listwatch/conformance/parts';

/** Where the two files are. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Makes one for localhost and 127.0.0.1. */
export function makeCertificate(folder: string): CertificateFiles {
  using authority = new TestAuthority();
  const files = { cert: join(folder, 'server.crt'), key: join(folder, 'server.key') };
  const { cert, key } = authority.server();
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  return files;
}
