/** When a certificate is made, announced and served. A new one is trusted everywhere before it is served anywhere. */

/** One certificate of the Secret. */
export interface StoredCertificate {
  readonly notAfter: number;
  /** Has it the names under which the API server calls? */
  readonly fits: boolean;
}

export interface CertificateState {
  /** The one that is served. */
  readonly current: StoredCertificate | undefined;
  /** The one that is served next; its authority is in the bundle already. */
  readonly next: (StoredCertificate & { readonly since: number }) | undefined;
  /** Has every configuration the whole bundle? */
  readonly isBundleInPlace: boolean;
}

export interface CertificateTiming {
  /** How long a certificate is valid. */
  readonly lifetimeMs: number;
  /** How long the API servers have known a new authority before its certificate is served. */
  readonly overlapMs: number;
}

/**
 * - `create`: nothing that can be served is there; make one and serve it at once.
 * - `stage`: make the next one, and put its authority into the bundle beside the current one's.
 * - `promote`: serve the next one. The authority of the one before stays in the bundle until the next `stage`.
 */
export type CertificateStep =
  | { readonly do: 'create' | 'promote' | 'stage' }
  | { readonly do: 'wait'; readonly ms: number };

export function certificateStep(
  { current, next, isBundleInPlace }: CertificateState,
  now: number,
  { lifetimeMs, overlapMs }: CertificateTiming,
): CertificateStep {
  const isUsable = (of: StoredCertificate | undefined): of is StoredCertificate =>
    of !== undefined && of.fits && now < of.notAfter;
  if (!isUsable(current)) return { do: isUsable(next) ? 'promote' : 'create' };
  const due = current.notAfter - lifetimeMs / 3;
  if (next === undefined) return now >= due ? { do: 'stage' } : { do: 'wait', ms: due - now };
  // It was staged long ago, by replicas that are gone.
  if (!isUsable(next) || next.notAfter <= current.notAfter) return { do: 'stage' };
  const served = next.since + overlapMs;
  if (now < served) return { do: 'wait', ms: served - now };
  return isBundleInPlace ? { do: 'promote' } : { do: 'wait', ms: current.notAfter - now };
}
