/** How long the certificates of clients still last, as kube-apiserver tells it. */

import type { Clock } from '@listwatch/storage';
import { BucketHistogram } from '../../contract/bucket-histogram.ts';
import { Buckets } from '../../contract/buckets.ts';
import type { Registry } from '../../contract/metrics.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const SECONDS = [
  0,
  HOUR / 2,
  HOUR,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  ...[1, 2, 4, 7, 30, 90, 180, 360].map((n) => n * DAY),
];

/** Counts each request with a certificate, also with one that is refused. */
export class CertificateLifetimes {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #buckets = new Buckets(SECONDS);

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** `expires`: milliseconds since the epoch. */
  observe(expires: number): void {
    this.#buckets.observe((expires - this.#clock.now()) / 1000);
  }

  register(registry: Registry): void {
    registry.registerMetric(
      new BucketHistogram(
        'apiserver_client_certificate_expiration_seconds',
        'How long the client certificates of requests still lasted.',
        () => [{ labels: {}, buckets: this.#buckets }],
      ),
    );
  }
}
