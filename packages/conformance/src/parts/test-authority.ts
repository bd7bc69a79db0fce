/** A certificate authority for tests, and the certificates that it signs. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type CertificateUse, issueCertificate, type Subject } from '@listwatch/server/internal';

/** A certificate and its key, in PEM. */
export interface TestCertificatePair {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** An authority with a key of its own, which stays in memory. It signs until it is disposed of. */
export class TestAuthority implements Disposable {
  readonly #subject: Subject;
  #key: KeyObject | undefined = newKey();
  /** PEM of its own certificate. */
  readonly ca: string;

  constructor(name: string = 'test-authority') {
    this.#subject = { commonName: name };
    this.ca = this.#issue(this.#subject, { type: 'authority' }, this.#signingKey());
  }

  /** For a server of these names; default: localhost and 127.0.0.1. */
  server(names: readonly `${'DNS' | 'IP'}:${string}`[] = ['DNS:localhost', 'IP:127.0.0.1']): TestCertificatePair {
    const [dnsNames, ipAddresses] = ['DNS:', 'IP:'].map((prefix) =>
      names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
    );
    const use: CertificateUse = { type: 'server', dnsNames: dnsNames ?? [], ipAddresses: ipAddresses ?? [] };
    return this.#pair({ commonName: 'server' }, use);
  }

  /** For a client, by its subject, for example `/O=ops/O=dev/CN=ann`: to Kubernetes `CN` is the user, `UID` its uid and each `O` a group. */
  client(subject: string): TestCertificatePair {
    const parts = subject.split('/').slice(1);
    const values = (name: string): readonly string[] =>
      parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
    const names = { commonName: values('CN').join(), organization: values('O'), uid: values('UID')[0] };
    return this.#pair(names, { type: 'client' });
  }

  [Symbol.dispose](): void {
    this.#key = undefined;
  }

  #pair(subject: Subject, use: CertificateUse): TestCertificatePair {
    const key = newKey();
    return { cert: this.#issue(subject, use, key), key: pemOf(key) };
  }

  #issue(subject: Subject, use: CertificateUse, key: KeyObject): string {
    // By the machine's clock: TLS looks at it also where a test has a clock of its own.
    const times = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 2 * DAY_MS) };
    const issuer = { subject: this.#subject, key: this.#signingKey() };
    return issueCertificate({ subject, use, key, issuer, ...times });
  }

  #signingKey(): KeyObject {
    if (this.#key === undefined) throw new Error('this test authority is disposed of and signs no more');
    return this.#key;
  }
}

/** A new P-256 key to sign tokens with, as `EC PRIVATE KEY`: kube-apiserver reads EC keys in no other form. */
export function newSigningKey(): string {
  return newKey().export({ type: 'sec1', format: 'pem' }).toString();
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
