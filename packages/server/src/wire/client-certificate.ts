/** Client certificates: the subject, and which of the configured authorities signed it. */
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Clock } from '@listwatch/storage';
import type { ClientCertificate } from '../contract/incoming-request.ts';
import type { EndpointConfig } from './endpoint-config.ts';
import type { TrustedRoots } from './trusted-roots.ts';

/** Object identifier of the attribute that holds the uid of a user. */
const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';

/** What reading certificates takes. */
export interface ConnectionCertificateParts extends Pick<EndpointConfig, 'trustedRoots'> {
  readonly clock: Pick<Clock, 'now'>;
}

interface ReadCertificate {
  readonly certificate: ClientCertificate;
  readonly expires: number;
}

/** The client's certificate of a connection, read once for all the requests on it. */
export class ConnectionCertificate {
  readonly #socket: Duplex;
  readonly #parts: ConnectionCertificateParts;
  #read: ReadCertificate | 'none' | undefined;

  constructor(socket: Duplex, parts: ConnectionCertificateParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Undefined without TLS, and when the client has shown none. */
  read(): ClientCertificate | undefined {
    if (!(this.#socket instanceof TLSSocket)) return undefined;
    this.#read ??= readCertificate(this.#socket, this.#parts.trustedRoots) ?? 'none';
    if (this.#read === 'none') return undefined;
    const { certificate, expires } = this.#read;
    // TLS looks at the time when a connection begins, and connections can last: nobody stays by never leaving.
    if (expires > this.#parts.clock.now()) return certificate;
    return { ...certificate, trusted: false, isFrontProxy: false };
  }
}

function readCertificate(socket: TLSSocket, roots: TrustedRoots | undefined): ReadCertificate | undefined {
  // `authorized` alone proves nothing: it is also true for a resumed session in which no certificate was shown.
  const peer = socket.getPeerCertificate(roots !== undefined);
  const subject = peer?.subject as Record<string, string | string[] | undefined> | undefined;
  if (subject === undefined || subject === null) return undefined;
  const { authorized } = socket;
  // Two authorities for two purposes: who is trusted to name users is not thereby a user, nor the reverse.
  const purposes = authorized ? roots?.purposesOf(peer) : undefined;
  const uid = list(subject[UID_ATTRIBUTE])[0];
  const expires = Date.parse(peer.valid_to);
  const certificate: ClientCertificate = {
    commonName: list(subject['CN']).at(-1) ?? '',
    organizations: list(subject['O']),
    trusted: authorized && (roots === undefined || purposes?.isClient === true),
    isFrontProxy: purposes?.isFrontProxy === true,
    ...(uid === undefined ? {} : { uid }),
    fingerprint: peer.fingerprint256.replaceAll(':', '').toLowerCase(),
    serial: peer.serialNumber.toLowerCase(),
    expires,
  };
  return { certificate, expires };
}

function list(value: string | string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
