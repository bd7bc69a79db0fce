/** Counts what authorization webhooks are asked, by the names of kube-apiserver. */

import { Counter, Gauge, Histogram, type Registry } from '../../contract/metrics.ts';
import type { HashedCacheCounts } from '../hashed-cache.ts';

/** How an attempt ended. */
export type CallResult = 'error' | 'success' | 'timeout';

/** What one webhook holds. */
export interface WebhookState {
  /** Its cache of decisions. */
  readonly cache: HashedCacheCounts;
  /** Requests that wait for it now. */
  readonly waiting: number;
  /** Requests that were not let wait. */
  readonly refused: number;
}

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CONDITION_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];
const TYPE = 'Webhook';

/** For all webhooks of a server. */
export class WebhookCounts {
  readonly #states = new Map<string, () => WebhookState>();
  readonly #evaluations = counter('webhook_evaluations_total', 'Attempts to ask authorization webhooks.', [
    'name',
    'result',
  ]);
  readonly #failOpen = counter(
    'webhook_evaluations_fail_open_total',
    'Webhooks that failed and have no opinion because of it.',
    ['name', 'result'],
  );
  readonly #duration = histogram('webhook_duration_seconds', 'How long an attempt took.', DURATION_BUCKETS, [
    'name',
    'result',
  ]);
  readonly #conditionErrors = counter(
    'match_condition_evaluation_errors_total',
    'Requests for which a match condition of a webhook failed.',
    ['type', 'name'],
  );
  readonly #exclusions = counter(
    'match_condition_exclusions_total',
    'Requests that the match conditions of a webhook keep from it.',
    ['type', 'name'],
  );
  readonly #conditions = histogram(
    'match_condition_evaluation_seconds',
    'How long the match conditions of a webhook took.',
    CONDITION_BUCKETS,
    ['type', 'name'],
  );

  asked(name: string, result: CallResult, seconds: number): void {
    this.#evaluations.inc({ name, result });
    this.#duration.observe({ name, result }, seconds);
  }

  failedOpen(name: string, result: CallResult): void {
    this.#failOpen.inc({ name, result });
  }

  /** The match conditions were evaluated. */
  matched(name: string, seconds: number, outcome: 'excluded' | 'failed' | 'matched'): void {
    this.#conditions.observe({ type: TYPE, name }, seconds);
    if (outcome === 'excluded') this.#exclusions.inc({ type: TYPE, name });
    if (outcome === 'failed') this.#conditionErrors.inc({ type: TYPE, name });
  }

  /** Shows what these webhooks hold, and no others any more. */
  show(states: ReadonlyMap<string, () => WebhookState>): void {
    this.#states.clear();
    for (const [name, state] of states) this.#states.set(name, state);
  }

  register(registry: Registry): void {
    const states = this.#states;
    const own = (metric: string, help: string, read: (state: WebhookState) => number): Gauge =>
      new Gauge({
        name: `listwatch_authorization_webhook_${metric}`,
        help,
        labelNames: ['name'],
        registers: [],
        collect() {
          this.reset();
          for (const [name, state] of states) this.set({ name }, read(state()));
        },
      });
    registry.registerMetric(own('cache_entries', 'Decisions that are kept.', ({ cache }) => cache.size));
    registry.registerMetric(own('waiting', 'Requests that wait for the webhook.', ({ waiting }) => waiting));
    registry.registerMetric(
      new Counter({
        name: 'listwatch_authorization_webhook_refused_total',
        help: 'Requests that found too many others waiting for the webhook.',
        labelNames: ['name'],
        registers: [],
        collect() {
          this.reset();
          for (const [name, state] of states) this.inc({ name }, state().refused);
        },
      }),
    );
    registry.registerMetric(
      new Counter({
        name: 'listwatch_authorization_webhook_cache_requests_total',
        help: 'Questions that were looked up in the cache of a webhook.',
        labelNames: ['name', 'status'],
        registers: [],
        collect() {
          this.reset();
          for (const [name, state] of states) {
            const { hits, misses } = state().cache;
            this.inc({ name, status: 'hit' }, hits);
            this.inc({ name, status: 'miss' }, misses);
          }
        },
      }),
    );
    for (const metric of [this.#evaluations, this.#failOpen, this.#conditionErrors, this.#exclusions]) {
      registry.registerMetric(metric);
    }
    for (const metric of [this.#duration, this.#conditions]) registry.registerMetric(metric);
  }
}

function counter(name: string, help: string, labelNames: string[]): Counter {
  return new Counter({ name: `apiserver_authorization_${name}`, help, labelNames, registers: [] });
}

function histogram(name: string, help: string, buckets: number[], labelNames: string[]): Histogram {
  return new Histogram({ name: `apiserver_authorization_${name}`, help, buckets, labelNames, registers: [] });
}
