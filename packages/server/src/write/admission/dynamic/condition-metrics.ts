/** Counts and times match conditions of webhooks and policies, by the names of kube-apiserver. */

import { Counter, Histogram, type Registry } from '../../../contract/metrics.ts';

/** Whose conditions they are. */
export interface ConditionLabels {
  readonly kind: 'policy' | 'webhook';
  readonly name: string;
  readonly type: 'admit' | 'validate' | 'validating';
  readonly operation: string;
}

/** The limit of webhooks and policies with their own series. Later ones count as `other`: users choose the names. */
const NAMES_MAX = 1000;
const LABELS = ['name', 'kind', 'type', 'operation'] as const;
const PREFIX = 'apiserver_admission_match_condition';

/** The metrics of one server. */
export class ConditionMetrics {
  readonly #names = new Set<string>();
  readonly #seconds = new Histogram({
    name: `${PREFIX}_evaluation_seconds`,
    help: 'The time that the match conditions of a webhook or a policy took.',
    labelNames: LABELS,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    registers: [],
  });
  readonly #exclusions = new Counter({
    name: `${PREFIX}_exclusions_total`,
    help: 'Requests that a webhook was not called for because of its match conditions.',
    labelNames: LABELS,
    registers: [],
  });
  readonly #errors = new Counter({
    name: `${PREFIX}_evaluation_errors_total`,
    help: 'Match conditions that could not be evaluated.',
    labelNames: LABELS,
    registers: [],
  });

  /** Conditions that do not hold: those that hold are not timed, as in Kubernetes. */
  evaluated(labels: ConditionLabels, seconds: number, errors: number): void {
    const own = this.#bounded(labels);
    this.#seconds.observe(own, seconds);
    if (errors > 0) this.#errors.inc(own, errors);
  }

  /** A webhook that was not called. */
  excluded(labels: ConditionLabels): void {
    this.#exclusions.inc(this.#bounded(labels));
  }

  register(registry: Registry): void {
    for (const metric of [this.#seconds, this.#exclusions, this.#errors]) registry.registerMetric(metric);
  }

  /** Series are written with their labels in this order: that of kube-apiserver. */
  #bounded({ kind, name, operation, type }: ConditionLabels): ConditionLabels {
    const key = `${kind} ${name}`;
    if (this.#names.has(key)) return { kind, name, operation, type };
    if (this.#names.size >= NAMES_MAX) return { kind, name: 'other', operation, type };
    this.#names.add(key);
    return { kind, name, operation, type };
  }
}
