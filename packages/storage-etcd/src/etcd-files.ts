/** The options `tls` and `auth` from files that may be replaced while the engine runs. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { EtcdAuthOptions, EtcdTlsOptions } from './etcd-options.ts';

/** Paths of files in PEM, and what is not in a file. */
export interface EtcdTlsFiles {
  /** The authorities that may have signed etcd's certificate. Default: those that Node trusts. */
  readonly caFile?: string | undefined;
  /** The engine's own certificate, for an etcd that asks for one. Needs `keyFile`. */
  readonly certFile?: string | undefined;
  /** The private key of `certFile`. */
  readonly keyFile?: string | undefined;
  /** The name to expect in etcd's certificate. Default: the host of the endpoint. */
  readonly serverName?: string | undefined;
}

/** A user whose password is in a file. */
export interface EtcdAuthFiles {
  readonly username: string;
  /** One line break at its end is no part of the password. */
  readonly passwordFile: string;
}

/** Far above a bundle of every public authority. */
const MAX_FILE_BYTES = 2 ** 20;

/**
 * The option `tls` from files that are read for each new connection. The function throws while a file is missing, cut
 * off or not the one that belongs to the other; the engine uses the last good ones then.
 *
 * @example
 * const tls = tlsFromFiles({ caFile: '/etc/etcd/ca.crt', certFile: '/etc/etcd/client.crt', keyFile: '/etc/etcd/client.key' });
 * const engine = createEtcdEngine({ endpoints: ['https://10.0.0.1:2379'], tls });
 */
export function tlsFromFiles({ caFile, certFile, keyFile, serverName }: EtcdTlsFiles): () => EtcdTlsOptions {
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new TypeError(
      `certFile and keyFile go together, got only ${certFile === undefined ? 'keyFile' : 'certFile'}`,
    );
  }
  const [readCa, readCert, readKey] = [caFile, certFile, keyFile].map(fileReader);
  let known: EtcdTlsOptions | undefined;
  return () => {
    const [ca, cert, key] = [readCa?.(), readCert?.(), readKey?.()];
    if (known !== undefined && known.ca === ca && known.cert === cert && known.key === key) return known;
    if (ca !== undefined) checkCertificates(ca, caFile);
    if (cert !== undefined && key !== undefined) {
      const [first] = checkCertificates(cert, certFile);
      if (first?.checkPrivateKey(parseKey(key, keyFile)) === false) {
        throw new Error(`${keyFile} is not the private key of ${certFile}`);
      }
    }
    known = Object.freeze({ ca, cert, key, serverName });
    return known;
  };
}

/**
 * The option `auth` from a file that is read for each login: when the engine starts, and when etcd does not accept its
 * token any more.
 */
export function authFromFiles({ username, passwordFile }: EtcdAuthFiles): () => EtcdAuthOptions {
  const read = fileReader(passwordFile);
  return () => {
    const password = (read?.() ?? '').replace(/\r?\n$/u, '');
    // What writes a file often empties it first.
    if (password === '') throw new Error(`${passwordFile} is empty`);
    return { username, password };
  };
}

/** Reads the file each time; undefined for no file. */
function fileReader(path: string | undefined): (() => string) | undefined {
  if (path === undefined) return undefined;
  let first: string | undefined;
  return () => {
    const facts = statSync(path);
    // A pipe can be read once, and reading it again would block the process.
    if (!facts.isFile()) {
      first ??= readFileSync(path, 'utf8');
      return first;
    }
    if (facts.size > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** OpenSSL drops a block that is cut off without a word, so the blocks are counted. */
function checkCertificates(text: string, path: string | undefined): readonly X509Certificate[] {
  const blocks = text.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) throw new Error(`${path} holds no certificate in PEM`);
  if (blocks.length !== text.split('-----BEGIN CERTIFICATE').length - 1) throw new Error(`${path} is cut off`);
  return blocks.map((block) => parse(path, 'certificate', () => new X509Certificate(block)));
}

function parseKey(text: string, path: string | undefined): ReturnType<typeof createPrivateKey> {
  return parse(path, 'private key', () => createPrivateKey(text));
}

function parse<T>(path: string | undefined, what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(`${path} holds no ${what} in PEM that can be read`, { cause });
  }
}
