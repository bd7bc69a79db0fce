/** A certificate for 127.0.0.1, signed by itself: made once per run by the machine's openssl. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** PEM. The certificate is its own authority. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes one. It is valid for two days. */
export function createTestCertificate(): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-cert-'));
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  try {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync('openssl', ['req', '-x509', '-days', '2', ...curve, ...names, '-keyout', key, '-out', cert], {
      stdio: 'pipe',
    });
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
