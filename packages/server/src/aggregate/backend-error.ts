/** Why a backend did not answer, in the words of Go's client, which operators know. */

/** The backend could not be asked, or broke off. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  /** `configuration`: the TLS settings of the APIService cannot be used. */
  readonly why: 'configuration' | 'unreachable';

  constructor(why: BackendError['why'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

const UNKNOWN_AUTHORITY = 'certificate signed by unknown authority';
const CERTIFICATE_WORDS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'certificate has expired or is not yet valid',
};
const DIAL_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'connect: connection timed out',
};
const CUT_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The reason of a failed request to `host`, whose TLS name is `serverName`. */
export function backendReason(
  error: unknown,
  { host, port, serverName }: { readonly host: string; readonly port: number; readonly serverName: string },
): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ABORT_ERR' || error.name === 'AbortError' || error.name === 'TimeoutError')
    return 'context deadline exceeded';
  if (CUT_CODES.has(code) || error.message === 'socket hang up') return 'EOF';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  const dial = DIAL_WORDS[code];
  if (dial !== undefined) return `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}: ${dial}`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `tls: failed to verify certificate: x509: certificate is not valid for ${serverName}`;
  }
  const certificate = CERTIFICATE_WORDS[code];
  return certificate === undefined ? error.message : `tls: failed to verify certificate: x509: ${certificate}`;
}
