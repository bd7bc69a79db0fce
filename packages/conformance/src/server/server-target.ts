/** The server that a suite talks to: where it is, and how to get in. */

/** An address and credentials. */
export interface ServerTarget {
  /** `https://127.0.0.1:6443`. */
  readonly url: string;
  /** A bearer token of `system:masters`. */
  readonly token: string;
  /** PEM of the authority that signed the server's certificate. Default: those that Node trusts. */
  readonly ca?: string | undefined;
  /** Takes any certificate. Default: false. */
  readonly insecure?: boolean | undefined;
}

/** The server of `CONFORMANCE_URL` and `CONFORMANCE_TOKEN`; undefined when they are not set. Takes any certificate. */
export function targetFromEnvironment(): ServerTarget | undefined {
  const { CONFORMANCE_URL: url = '', CONFORMANCE_TOKEN: token = '' } = process.env;
  return url === '' ? undefined : { url: url.replace(/\/+$/u, ''), token, insecure: true };
}

/** What TLS needs to know of a target. */
export function tlsOptions({ ca, insecure = false }: ServerTarget): { ca?: string; rejectUnauthorized: boolean } {
  return { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: !insecure };
}
