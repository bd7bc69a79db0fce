/** The metrics of webhooks, under the names that controller-runtime has for them. */

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CallRecord, WebhookObserver } from './webhook-observer.ts';

/** The label of calls of paths that are not served: a stranger must not make series. */
const UNKNOWN = 'unknown';

export class ServedWebhookMetrics implements WebhookObserver {
  readonly #requests: Counter<'code' | 'webhook'>;
  readonly #times: Histogram<'webhook'>;
  readonly #inFlight: Gauge<'webhook'>;
  readonly #panics: Counter;
  readonly #conversionPanics: Counter;
  readonly #decisions: Counter<'decision' | 'operation' | 'webhook'>;
  readonly #expiry: Gauge;
  readonly #reads: Counter;
  readonly #readErrors: Counter;
  readonly #patches: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'controller_runtime_webhook_requests_total',
      help: 'Calls by the path of the webhook and the HTTP status of the answer.',
      labelNames: ['webhook', 'code'],
      registers,
    });
    this.#times = new Histogram({
      name: 'controller_runtime_webhook_latency_seconds',
      help: 'Time from the head of a call to its answer, by the path of the webhook.',
      labelNames: ['webhook'],
      buckets: [0.001, 0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'controller_runtime_webhook_requests_in_flight',
      help: 'Calls that have no answer yet, by the path of the webhook.',
      labelNames: ['webhook'],
      registers,
    });
    this.#panics = new Counter({
      name: 'controller_runtime_webhook_panics_total',
      help: 'Calls of admission webhooks that were denied because the handler threw or was not written for them.',
      registers,
    });
    this.#conversionPanics = new Counter({
      name: 'controller_runtime_conversion_webhook_panics_total',
      help: 'Calls of conversion webhooks that failed because a step threw.',
      registers,
    });
    this.#decisions = new Counter({
      name: 'listwatch_webhook_decisions_total',
      help: 'Calls by the path of the webhook, the operation and the decision: allowed, denied, failed, timeout or refused.',
      labelNames: ['webhook', 'operation', 'decision'],
      registers,
    });
    this.#expiry = new Gauge({
      name: 'listwatch_webhook_certificate_expiry_seconds',
      help: 'When the certificate that is served ends, in seconds since 1970.',
      registers,
    });
    this.#reads = new Counter({
      name: 'certwatcher_read_certificate_total',
      help: 'Reads of the files of the certificate.',
      registers,
    });
    this.#readErrors = new Counter({
      name: 'certwatcher_read_certificate_errors_total',
      help: 'Reads of the files of the certificate that failed.',
      registers,
    });
    this.#patches = new Counter({
      name: 'listwatch_webhook_ca_bundle_writes_total',
      help: 'Writes of the caBundle of configurations and definitions.',
      registers,
    });
  }

  started(path: string): (record: CallRecord) => void {
    const webhook = path === '' ? UNKNOWN : path;
    this.#inFlight.inc({ webhook });
    return ({ outcome, status, operation, ms }) => {
      this.#inFlight.dec({ webhook });
      this.#requests.inc({ webhook, code: String(status) });
      this.#times.observe({ webhook }, ms / 1000);
      this.#decisions.inc({ webhook, operation: operation ?? '', decision: outcome });
      if (outcome === 'failed') (operation === 'CONVERT' ? this.#conversionPanics : this.#panics).inc();
    };
  }

  certificate(notAfter: number): void {
    this.#expiry.set(notAfter / 1000);
  }

  read(isGood: boolean): void {
    this.#reads.inc();
    if (!isGood) this.#readErrors.inc();
  }

  patched(): void {
    this.#patches.inc();
  }
}
