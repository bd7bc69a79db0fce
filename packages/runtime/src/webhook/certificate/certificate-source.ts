/** Where the certificate of a webhook server comes from. */

import type { ServingPair } from './serving-pair.ts';

/** Told of each certificate that is to be served from now on. */
export type PairSink = (pair: ServingPair) => void;

/** A source of certificates, one step at a time. */
export interface CertificateSource {
  /** Resolves when it knows what is there. */
  readonly synced: Promise<unknown>;
  /** Does what is to be done now; resolves to when to look again at the latest. */
  step(): Promise<number>;
  /** PEM that configurations must have; undefined: somebody else puts it there. */
  readonly bundle: string | undefined;
  close(): Promise<void>;
}
