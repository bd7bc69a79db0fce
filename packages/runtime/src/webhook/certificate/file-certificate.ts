/** A certificate in files that somebody else renews, such as cert-manager in a mounted Secret. */

import { readFile } from 'node:fs/promises';
import type { Logger } from '../../controller/logger.ts';
import type { CertificateSource, PairSink } from './certificate-source.ts';
import { readPair } from './serving-pair.ts';

/** Paths of PEM files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  /** The authority, to be put into the configurations. Default: somebody else does, such as cert-manager's injector. */
  readonly ca?: string | undefined;
}

export interface FileCertificateParts {
  readonly files: CertificateFiles;
  readonly logger: Logger;
  readonly onPair: PairSink;
  /** Counts reads; `false`: a failure. */
  readonly onRead: (isGood: boolean) => void;
}

/** controller-runtime's. A watch of files misses the links of a mounted Secret on some machines; a read every ten seconds never does. */
const READ_EVERY_MS = 10_000;

export class FileCertificate implements CertificateSource {
  readonly synced: Promise<void> = Promise.resolve();
  readonly #parts: FileCertificateParts;
  #bundle: string | undefined;
  #served = '';

  constructor(parts: FileCertificateParts) {
    this.#parts = parts;
  }

  get bundle(): string | undefined {
    return this.#bundle;
  }

  /** Rejects when a file cannot be read. What was served before stays. */
  async step(): Promise<number> {
    const { files, onPair, onRead, logger } = this.#parts;
    try {
      const [cert, key, ca] = await Promise.all([
        readFile(files.cert, 'utf8'),
        readFile(files.key, 'utf8'),
        files.ca === undefined ? undefined : readFile(files.ca, 'utf8'),
      ]);
      // Between the two files a renewal may happen: they fit together the next time.
      if (readPair({ cert, key }, { dnsNames: [], ipAddresses: [] }) === undefined)
        throw new TypeError(`the certificate in ${files.cert} does not fit the key in ${files.key}`);
      this.#bundle = ca;
      onRead(true);
      if (cert === this.#served) return READ_EVERY_MS;
      logger.info({ file: files.cert }, 'the certificate of the webhooks is read');
      this.#served = cert;
      onPair({ cert, key });
      return READ_EVERY_MS;
    } catch (error) {
      onRead(false);
      throw error;
    }
  }

  async close(): Promise<void> {}
}
