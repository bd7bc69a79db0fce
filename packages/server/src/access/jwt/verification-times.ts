/** How long it took to verify the tokens of OIDC providers, as kube-apiserver tells it. */

import { createHash } from 'node:crypto';
import type { BucketSeries } from '../../contract/bucket-histogram.ts';
import { Buckets } from '../../contract/buckets.ts';

/** `failure`: the token was refused. */
export type VerificationResult = 'failure' | 'success';

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** By result and issuer. Tokens that are found in the cache are not counted. */
export class VerificationTimes {
  readonly #series = new Map<string, BucketSeries & { readonly result: VerificationResult }>();

  get series(): Iterable<BucketSeries> {
    return this.#series.values();
  }

  observe(issuer: string, result: VerificationResult, seconds: number): void {
    const key = `${result} ${issuer}`;
    const known = this.#series.get(key) ?? newSeries(issuer, result);
    this.#series.set(key, known);
    known.buckets.observe(seconds);
  }

  /** How many tokens were verified with this result. */
  count(wanted: VerificationResult): number {
    let sum = 0;
    for (const { result, buckets } of this.#series.values()) {
      if (result === wanted) sum += buckets.counts.reduce((total, one) => total + one, 0);
    }
    return sum;
  }
}

function newSeries(issuer: string, result: VerificationResult): BucketSeries & { readonly result: VerificationResult } {
  const jwt_issuer_hash = `sha256:${createHash('sha256').update(issuer).digest('hex')}`;
  return { result, labels: { result, jwt_issuer_hash }, buckets: new Buckets(SECONDS) };
}
