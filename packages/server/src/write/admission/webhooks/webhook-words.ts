/** The messages for failed calls, in the words of Go's HTTP client where possible. Pure. */

import { isRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';

const UNKNOWN_AUTHORITY = 'certificate signed by unknown authority';
const TLS_REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'certificate has expired or is not yet valid',
};

/** OpenSSL's words for a signature with SHA-1. */
const WEAK = 'signature digest algorithm too weak';
/** Go's words for a certificate that names its host only in its Common Name. */
const COMMON_NAME = 'certificate relies on legacy Common Name field, use SANs instead';

export const DEADLINE = 'context deadline exceeded';

/** The message for a failed connection. `host`: the name in the certificate. */
export function connectionProblem(error: unknown, host: string, port: number): string {
  const code = isRecord(error) ? textOf(error['code']) : '';
  const message = error instanceof Error ? error.message : String(error);
  const dialled = dialledAddress(error) ?? host;
  const at = `dial tcp ${dialled.includes(':') ? `[${dialled}]` : dialled}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `${at}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `${at}: connect: no route to host`;
    case 'ENETUNREACH':
      return `${at}: connect: network is unreachable`;
    case 'ETIMEDOUT':
      return `${at}: connect: connection timed out`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${host}: no such host`;
    case 'ECONNRESET':
      return message === 'aborted' ? 'unexpected EOF' : 'EOF';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${nameProblem(error, host)}`;
    default:
      break;
  }
  if (message.includes(WEAK))
    return 'tls: failed to verify certificate: x509: cannot verify signature: insecure algorithm';
  if (message.includes('wrong version number') || message.includes('packet length too long')) {
    return 'http: server gave HTTP response to HTTPS client';
  }
  const tls = TLS_REASONS[code];
  return tls === undefined ? message : `tls: failed to verify certificate: x509: ${tls}`;
}

/** The address behind a name; of several that were tried the one of IPv4. */
function dialledAddress(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined;
  const addresses = [error, ...recordsOf(error['errors'])].map(({ address }) => textOf(address)).filter(Boolean);
  return addresses.find((address) => !address.includes(':')) ?? addresses[0];
}

/** The message for a certificate of another host. */
function nameProblem(error: unknown, host: string): string {
  const cert = isRecord(error) && isRecord(error['cert']) ? error['cert'] : {};
  const names = textOf(cert['subjectaltname']).split(', ');
  const isAddress = /^[\d.]+$|:/u.test(host);
  const prefix = isAddress ? 'IP Address:' : 'DNS:';
  const own = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  if (names.join('') === '' && !isAddress && textOf(recordOf(cert['subject'])['CN']) !== '') return COMMON_NAME;
  if (own.length > 0) return `certificate is valid for ${own.join(', ')}, not ${host}`;
  if (isAddress) return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  return `certificate is not valid for any names, but wanted to match ${host}`;
}

/** What kube-apiserver counts of the certificates of webhooks. */
export type CertificateProblem = 'insecure-sha1' | 'missing-san';

/** The problem of the certificate that has ended a connection; undefined: another one, or none. */
export function certificateProblem(error: unknown): CertificateProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.includes(WEAK)) return 'insecure-sha1';
  const cert = isRecord(error) ? recordOf(error['cert']) : {};
  const isOfAnother = isRecord(error) && error['code'] === 'ERR_TLS_CERT_ALTNAME_INVALID';
  return isOfAnother && textOf(cert['subjectaltname']) === '' ? 'missing-san' : undefined;
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};
/** For these codes the body is the message. */
const OWN_WORDS: readonly number[] = [403, 406, 415];
/** The characters of an answer that a message shows. */
const SHOWN_MAX = 2048;

/** The message for an HTTP error. `answer`: the decoded body, undefined when it exceeds the limits. */
export function codeProblem(code: number, contentType: string, body: Buffer, answer: unknown): string {
  if (isRecord(answer) && answer['status'] === 'Failure' && (answer['kind'] ?? 'Status') === 'Status') {
    const message = textOf(answer['message']);
    if (message !== '') return message;
  }
  const isText = contentType === '' || contentType.startsWith('text/');
  const text = isText ? body.toString('utf8', 0, SHOWN_MAX).trim() : 'unknown';
  if (OWN_WORDS.includes(code)) return text;
  const known = STATUS_TEXTS[code];
  if (known !== undefined) return known;
  // A redirect is not followed: it could lead anywhere.
  if (code >= 300 && code < 400) return 'the server rejected our request for an unknown reason';
  if (code >= 500) return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}
