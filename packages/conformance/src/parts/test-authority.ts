/** Real certificates for tests, by the openssl of the machine. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its key, in PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** An authority that lives as long as a test file. */
export class TestAuthority implements Disposable {
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'listwatch-authority-'));
  /** PEM of its own certificate. */
  readonly ca: string;

  constructor(name: string = 'test-authority') {
    this.#openssl(
      'req',
      '-x509',
      ...NEW_KEY,
      '-subj',
      `/CN=${name}`,
      '-days',
      '2',
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
    );
    this.ca = this.#read('ca.crt');
  }

  /** For a server of these names; default: localhost and 127.0.0.1. */
  server(names: readonly string[] = ['DNS:localhost', 'IP:127.0.0.1']): CertificatePair {
    return this.#sign('/CN=server', `subjectAltName=${names.join(',')}`);
  }

  /** For a client: to Kubernetes `CN` is the user and `O` a group. */
  client(subject: string): CertificatePair {
    return this.#sign(subject, 'extendedKeyUsage=clientAuth');
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #sign(subject: string, extension: string): CertificatePair {
    writeFileSync(join(this.#folder, 'leaf.ext'), extension);
    this.#openssl('req', ...NEW_KEY, '-subj', subject, '-keyout', 'leaf.key', '-out', 'leaf.csr');
    const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'];
    const request = ['-in', 'leaf.csr', '-extfile', 'leaf.ext', '-out', 'leaf.crt', '-days', '2'];
    this.#openssl('x509', '-req', ...request, ...authority);
    return { cert: this.#read('leaf.crt'), key: this.#read('leaf.key') };
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }

  #openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { stdio: 'pipe', cwd: this.#folder });
  }
}
