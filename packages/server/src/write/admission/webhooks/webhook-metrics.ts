/** Counts and times the calls of webhooks, by the names of kube-apiserver. */

import { Counter, Gauge, Histogram, type Registry } from '../../../contract/metrics.ts';
import type { CertificateProblem } from './webhook-words.ts';

/** How a webhook was called. */
export interface CallLabels {
  readonly name: string;
  readonly type: 'admit' | 'validating';
  readonly operation: string;
}

/** Why a call refused a request. */
export type RejectionType = 'apiserver_internal_error' | 'calling_webhook_error' | 'no_error';

/** The limit of webhooks with their own series. Later ones count as `other`: users choose the names. */
const NAMES_MAX = 1000;
const CALL_LABELS = ['name', 'type', 'operation', 'rejected'] as const;
const PREFIX = 'apiserver_admission';

/** The metrics of one server. */
export class WebhookMetrics {
  readonly #names = new Set<string>();
  readonly #duration = new Histogram({
    name: `${PREFIX}_webhook_admission_duration_seconds`,
    help: 'The time that a call of a webhook took.',
    labelNames: CALL_LABELS,
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
    registers: [],
  });
  readonly #requests = new Counter({
    name: `${PREFIX}_webhook_request_total`,
    help: 'Calls of webhooks, by the code of the answer.',
    labelNames: [...CALL_LABELS, 'code'],
    registers: [],
  });
  readonly #rejections = new Counter({
    name: `${PREFIX}_webhook_rejection_count`,
    help: 'Requests that a webhook refused, or the failure to call it.',
    labelNames: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
    registers: [],
  });
  readonly #failOpen = new Counter({
    name: `${PREFIX}_webhook_fail_open_count`,
    help: 'Calls that failed and were ignored, as the failure policy says.',
    labelNames: ['name', 'type'],
    registers: [],
  });
  readonly #certificates: Readonly<Record<CertificateProblem, Counter>> = {
    'missing-san': new Counter({
      name: 'apiserver_webhooks_x509_missing_san_total',
      help: 'Connections that ended because the certificate of a webhook names its host only in its Common Name.',
      registers: [],
    }),
    'insecure-sha1': new Counter({
      name: 'apiserver_webhooks_x509_insecure_sha1_total',
      help: 'Connections that ended because the certificate of a webhook is signed with SHA-1.',
      registers: [],
    }),
  };

  certificate(problem: CertificateProblem): void {
    this.#certificates[problem].inc();
  }

  /** `code`: that of the answer, or of the failure. */
  called(labels: CallLabels, seconds: number, isRejected: boolean, code: number): void {
    const { name, type, operation } = this.#bounded(labels);
    // Series are written with their labels in this order: that of kube-apiserver.
    const rejected = String(isRejected);
    this.#duration.observe({ name, operation, rejected, type }, seconds);
    this.#requests.inc({ code: codeLabel(code), name, operation, rejected, type });
  }

  rejected(labels: CallLabels, errorType: RejectionType, code: number): void {
    const rejectionCode = codeLabel(code);
    const { name, type, operation } = this.#bounded(labels);
    this.#rejections.inc({ error_type: errorType, name, operation, rejection_code: rejectionCode, type });
  }

  failedOpen(labels: CallLabels): void {
    const { name, type } = this.#bounded(labels);
    this.#failOpen.inc({ name, type });
  }

  register(registry: Registry, load: () => { readonly inFlight: number; readonly waiting: number }): void {
    for (const metric of [
      this.#duration,
      this.#requests,
      this.#rejections,
      this.#failOpen,
      this.#certificates['missing-san'],
      this.#certificates['insecure-sha1'],
    ]) {
      registry.registerMetric(metric);
    }
    const gauge = (name: string, help: string, read: () => number): void => {
      registry.registerMetric(
        new Gauge({
          name,
          help,
          registers: [],
          collect() {
            this.set(read());
          },
        }),
      );
    };
    gauge('listwatch_webhook_calls_in_flight', 'Calls of webhooks that are under way.', () => load().inFlight);
    gauge('listwatch_webhook_calls_waiting', 'Calls that wait for others of the same webhook.', () => load().waiting);
  }

  #bounded(labels: CallLabels): CallLabels {
    if (this.#names.has(labels.name)) return labels;
    if (this.#names.size >= NAMES_MAX) return { ...labels, name: 'other' };
    this.#names.add(labels.name);
    return labels;
  }
}

/** As in Kubernetes, 600 stands for all codes from 600: a webhook may answer with any of 2 147 483 647. */
function codeLabel(code: number): string {
  return String(Math.min(code, 600));
}
