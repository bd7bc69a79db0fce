/** Client certificates: the subject, and which of the configured authorities signed it. */
import { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type DetailedPeerCertificate, type PeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../contract/incoming-request.ts';

/** The authorities, PEM. */
export interface CertificateAuthorities {
  readonly clientCa?: string | Buffer | undefined;
  readonly requestHeaderCa?: string | Buffer | undefined;
}

/** The certificates of each authority, by their fingerprints. */
export interface TrustedRoots {
  readonly client: ReadonlySet<string>;
  readonly proxy: ReadonlySet<string>;
}

/** Object identifier of the attribute that holds the uid of a user. */
const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';
/** As OpenSSL: longer chains are not verified. */
const CHAIN_MAX = 100;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** Undefined when there is one authority at most: then TLS has asked it. */
export function trustedRoots({ clientCa, requestHeaderCa }: CertificateAuthorities = {}): TrustedRoots | undefined {
  return requestHeaderCa === undefined
    ? undefined
    : { client: fingerprints(clientCa ?? ''), proxy: fingerprints(requestHeaderCa) };
}

/** The client's certificate of a connection, read once for all the requests on it. */
export class ConnectionCertificate {
  readonly #socket: Duplex;
  readonly #roots: TrustedRoots | undefined;
  #certificate: ClientCertificate | 'none' | undefined;

  constructor(socket: Duplex, roots: TrustedRoots | undefined) {
    this.#socket = socket;
    this.#roots = roots;
  }

  /** Undefined without TLS, and when the client has shown none. */
  read(): ClientCertificate | undefined {
    if (!(this.#socket instanceof TLSSocket)) return undefined;
    this.#certificate ??= certificateOf(this.#socket, this.#roots) ?? 'none';
    return this.#certificate === 'none' ? undefined : this.#certificate;
  }
}

function certificateOf(socket: TLSSocket, roots: TrustedRoots | undefined): ClientCertificate | undefined {
  // `authorized` alone proves nothing: it is also true for a resumed session in which no certificate was shown.
  const peer = socket.getPeerCertificate(roots !== undefined);
  const subject = peer?.subject as Record<string, string | string[] | undefined> | undefined;
  if (subject === undefined || subject === null) return undefined;
  const { authorized } = socket;
  // Two authorities for two purposes: who is trusted to name users is not thereby a user, nor the reverse.
  const root = roots === undefined || !authorized ? '' : rootOf(peer);
  const uid = list(subject[UID_ATTRIBUTE])[0];
  return {
    commonName: list(subject['CN']).at(-1) ?? '',
    organizations: list(subject['O']),
    trusted: authorized && (roots === undefined || roots.client.has(root)),
    isFrontProxy: authorized && roots?.proxy.has(root) === true,
    ...(uid === undefined ? {} : { uid }),
    fingerprint: peer.fingerprint256.replaceAll(':', '').toLowerCase(),
    serial: peer.serialNumber.toLowerCase(),
  };
}

/** The fingerprint of the certificate at the end of the chain; `''` when the chain has no end here. */
function rootOf(leaf: DetailedPeerCertificate | PeerCertificate): string {
  let certificate = 'issuerCertificate' in leaf ? leaf : undefined;
  for (let length = 0; length < CHAIN_MAX && certificate !== undefined; length += 1) {
    const issuer: DetailedPeerCertificate | undefined = certificate.issuerCertificate;
    if (issuer?.fingerprint256 === certificate.fingerprint256) return certificate.fingerprint256;
    certificate = issuer;
  }
  return '';
}

function fingerprints(pem: string | Buffer): ReadonlySet<string> {
  const blocks = pem.toString().match(PEM_CERTIFICATE) ?? [];
  return new Set(blocks.map((block) => new X509Certificate(block).fingerprint256));
}

function list(value: string | string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
