/** TLS towards etcd, taken anew for each connection. */

import { createSecureContext, type SecureContext } from 'node:tls';
import { StorageError } from '@listwatch/storage';
import type { EtcdTlsOptions } from './etcd-options.ts';

/** What a connection is opened with. */
export interface ConnectionTls {
  readonly secureContext: SecureContext;
  readonly serverName: string | undefined;
}

interface UsableTls {
  readonly options: EtcdTlsOptions;
  readonly secureContext: SecureContext;
}

/** Options of a {@link TlsSource}. */
export interface TlsSourceOptions {
  /** The options as they are now. */
  readonly read: () => EtcdTlsOptions;
  readonly onError: (error: StorageError) => void;
}

/** Keeps the last options that could be used: a file that is half written must not cut the engine off from etcd. */
export class TlsSource {
  readonly #options: TlsSourceOptions;
  #usable: UsableTls | undefined;
  #reported: string | undefined;

  constructor(options: TlsSourceOptions) {
    this.#options = options;
  }

  /** Throws a `StorageError` while there have never been options that can be used. */
  current(): ConnectionTls {
    const { options, secureContext } = this.#refresh();
    return { secureContext, serverName: options.serverName };
  }

  #refresh(): UsableTls {
    const before = this.#usable;
    try {
      const options = this.#options.read();
      checkTls(options);
      const { ca, cert, key } = options;
      const isSame = before !== undefined && isSameTls(before.options, options);
      const secureContext = isSame
        ? before.secureContext
        : createSecureContext({ ca: pem(ca), cert: pem(cert), key: pem(key) });
      this.#reported = undefined;
      this.#usable = { options, secureContext };
      return this.#usable;
    } catch (cause) {
      const reason = `the TLS options for etcd cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`;
      if (before === undefined) throw new StorageError('UNAVAILABLE', reason, { cause });
      // Once: there may be twenty attempts to connect in a second.
      if (reason !== this.#reported) {
        this.#reported = reason;
        const message = `${reason}; new connections use the last ones that could be used`;
        this.#options.onError(new StorageError('UNAVAILABLE', message, { cause }));
      }
      return before;
    }
  }
}

/** Throws a `TypeError` for a certificate without its key, or a key without its certificate. */
export function checkTls({ cert, key }: EtcdTlsOptions): void {
  if ((cert === undefined) !== (key === undefined)) {
    throw new TypeError(`tls.cert and tls.key go together, got only ${cert === undefined ? 'key' : 'cert'}`);
  }
}

function isSameTls(one: EtcdTlsOptions, other: EtcdTlsOptions): boolean {
  return one === other || (['ca', 'cert', 'key'] as const).every((name) => isSamePem(one[name], other[name]));
}

function isSamePem(one: string | Uint8Array | undefined, other: string | Uint8Array | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && Buffer.from(one).equals(Buffer.from(other));
}

function pem(value: string | Uint8Array | undefined): string | Buffer | undefined {
  return value === undefined || typeof value === 'string' ? value : Buffer.from(value);
}
