/** Client certificates: the subject, and whether the configured authority signed it. */
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../contract/incoming-request.ts';

const known = new WeakMap<TLSSocket, ClientCertificate | 'none'>();

/** The client's certificate of a connection, read once for all the requests on it. */
export function clientCertificate(socket: TLSSocket): ClientCertificate | undefined {
  let certificate = known.get(socket);
  if (certificate === undefined) {
    certificate = read(socket) ?? 'none';
    known.set(socket, certificate);
  }
  return certificate === 'none' ? undefined : certificate;
}

function read(socket: TLSSocket): ClientCertificate | undefined {
  // `authorized` alone proves nothing: it is also true for a resumed session in which no certificate was shown.
  const subject = socket.getPeerCertificate()?.subject as Record<string, string | string[] | undefined> | undefined;
  if (subject === undefined || subject === null) return undefined;
  return {
    commonName: list(subject['CN'])[0] ?? '',
    organizations: list(subject['O']),
    trusted: socket.authorized,
  };
}

function list(value: string | string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
