/** How a server is recognised over TLS, and how it recognises us. */

import type { ConnectionOptions } from 'node:tls';

export interface TlsSettings {
  /** PEM of the authorities to trust. Default: those that Node trusts. */
  readonly ca?: string | undefined;
  /** PEM of our certificate and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the server's certificate must have, when it is not the name in the address. */
  readonly serverName?: string | undefined;
  /** Take any certificate. Whoever stands between can then read everything, tokens too. */
  readonly insecure?: boolean | undefined;
}

/** In the words of `node:tls`. */
export function tlsConnectOptions(settings: TlsSettings, host: string): ConnectionOptions {
  const { ca, cert, key, serverName, insecure = false } = settings;
  // TLS has no names that are addresses; Node warns of them and they match nothing.
  const name = serverName ?? (/^[\d.]+$|:/u.test(host) ? undefined : host);
  return {
    rejectUnauthorized: !insecure,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(name === undefined ? {} : { servername: name }),
    // Without a name in the handshake the certificate is still held against the address.
    ...(name === undefined ? { host } : {}),
  };
}
