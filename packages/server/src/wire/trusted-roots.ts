/** Which of two authorities has signed a client's certificate: that of users, or that of front proxies. */

import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, PeerCertificate } from 'node:tls';

/** The authorities, PEM. */
export interface CertificateAuthorities {
  readonly clientCa?: string | Buffer | undefined;
  readonly requestHeaderCa?: string | Buffer | undefined;
}

/** What a certificate is good for. */
export interface CertificatePurposes {
  readonly isClient: boolean;
  readonly isFrontProxy: boolean;
}

const NONE: CertificatePurposes = { isClient: false, isFrontProxy: false };
/** Nobody has so many authorities between the root and its users, and each costs the verification of a signature. */
const CHAIN_MAX = 10;
/** The certificates whose purposes are known; the oldest go first. */
const KNOWN_MAX = 10_000;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** Made once for a server with an authority of front proxies. */
export class TrustedRoots {
  readonly #client: readonly X509Certificate[];
  readonly #proxy: readonly X509Certificate[];
  /** A resumed session has the certificate without those of the authorities between: what was verified before counts. */
  readonly #known = new Map<string, CertificatePurposes>();

  constructor({ clientCa = '', requestHeaderCa = '' }: CertificateAuthorities) {
    this.#client = certificatesOf(clientCa);
    this.#proxy = certificatesOf(requestHeaderCa);
  }

  /** Of a certificate for which TLS has verified a chain to one of the authorities. It does not say to which. */
  purposesOf(peer: DetailedPeerCertificate | PeerCertificate): CertificatePurposes {
    const known = this.#known.get(peer.fingerprint512);
    if (known !== undefined) return known;
    const found = this.#find(peer);
    // What is not found may be found in a connection that shows the whole chain.
    if (found !== NONE) this.#remember(peer.fingerprint512, found);
    return found;
  }

  /**
   * Follows signatures. The chain that Node shows is made of what the client has sent, by names alone: without verifications a client
   * could put a forged certificate between its own and an authority that never signed it, and be a front proxy, who may be anybody.
   */
  #find(leaf: DetailedPeerCertificate | PeerCertificate): CertificatePurposes {
    let shown = 'issuerCertificate' in leaf ? leaf : undefined;
    for (let length = 0; length < CHAIN_MAX && shown !== undefined; length += 1) {
      const certificate = new X509Certificate(shown.raw);
      const isFor = (authorities: readonly X509Certificate[]): boolean =>
        authorities.some((one) => isSignedBy(certificate, one));
      const found = { isClient: isFor(this.#client), isFrontProxy: isFor(this.#proxy) };
      if (found.isClient || found.isFrontProxy) return found;
      const issuer: DetailedPeerCertificate | undefined = shown.issuerCertificate;
      if (issuer === undefined || issuer.fingerprint512 === shown.fingerprint512) return NONE;
      const sent = new X509Certificate(issuer.raw);
      if (!sent.ca || !isSignedBy(certificate, sent)) return NONE;
      shown = issuer;
    }
    return NONE;
  }

  #remember(fingerprint: string, purposes: CertificatePurposes): void {
    this.#known.set(fingerprint, purposes);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
  }
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function certificatesOf(pem: string | Buffer): readonly X509Certificate[] {
  return (pem.toString().match(PEM_CERTIFICATE) ?? []).map((block) => new X509Certificate(block));
}
