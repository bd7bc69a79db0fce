/** Counts the decisions of policies, with the metric names of kube-apiserver. */

import type { ConditionCheck } from '@listwatch/rules/internal';
import { Counter, Histogram, type Registry } from '../../../contract/metrics.ts';
import type { ConditionMetrics } from '../dynamic/condition-metrics.ts';

/** How a check ended. */
export type CheckErrorType = 'compile_error' | 'invalid_error' | 'no_error' | 'out_of_budget';
/** The action that was enforced. */
export type EnforcementAction = 'allow' | 'audit' | 'deny' | 'warn';

/** The limit of policies and bindings with their own series. Later ones count as `other`: users choose the names. */
const PAIRS_MAX = 1000;
const BUCKETS = [0.000_000_5, 0.001, 0.01, 0.1, 1];

/** The type of an error by its message. */
export function errorType(message: string): CheckErrorType {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}

/** The counts of one server. */
export class PolicyCounts {
  readonly #validations = checks('validating', ['policy', 'policy_binding', 'error_type', 'enforcement_action']);
  readonly #mutations = checks('mutating', ['policy', 'policy_binding', 'error_type']);
  readonly #pairs = new Set<string>();
  readonly #conditions: ConditionMetrics;
  /** Evaluations that were handed to another thread because they took too long. */
  moved = 0;

  constructor(conditions: ConditionMetrics) {
    this.#conditions = conditions;
  }

  /** Match conditions that do not hold. Kubernetes says `validate` for mutating policies, too. */
  conditions(policy: string, operation: string, { elapsedMs, errors }: ConditionCheck): void {
    this.#conditions.evaluated({ kind: 'policy', name: policy, type: 'validate', operation }, elapsedMs / 1000, errors);
  }

  validated(
    policy: string,
    binding: string,
    { error, action, elapsedMs }: { error: CheckErrorType; action: EnforcementAction; elapsedMs: number },
  ): void {
    const labels = { enforcement_action: action, error_type: error, ...this.#pair(policy, binding) };
    this.#validations.total.inc(labels);
    this.#validations.seconds.observe(labels, elapsedMs / 1000);
  }

  mutated(policy: string, binding: string, error: CheckErrorType, elapsedMs: number): void {
    const labels = { error_type: error, ...this.#pair(policy, binding) };
    this.#mutations.total.inc(labels);
    this.#mutations.seconds.observe(labels, elapsedMs / 1000);
  }

  /** Shows the counts in `/metrics`. */
  register(registry: Registry): void {
    for (const { total, seconds } of [this.#validations, this.#mutations]) {
      registry.registerMetric(total);
      registry.registerMetric(seconds);
    }
    const read = (): number => this.moved;
    registry.registerMetric(
      new Counter({
        name: 'listwatch_policy_evaluations_moved_total',
        help: 'Requests whose policies took too long for the event loop and were evaluated in another thread.',
        registers: [],
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
    );
  }

  #pair(policy: string, binding: string): { readonly policy: string; readonly policy_binding: string } {
    const key = `${policy}/${binding}`;
    if (!this.#pairs.has(key)) {
      if (this.#pairs.size >= PAIRS_MAX) return { policy: 'other', policy_binding: 'other' };
      this.#pairs.add(key);
    }
    return { policy, policy_binding: binding };
  }
}

interface Checks<Label extends string> {
  readonly total: Counter<Label>;
  readonly seconds: Histogram<Label>;
}

function checks<Label extends string>(type: 'mutating' | 'validating', labelNames: readonly Label[]): Checks<Label> {
  const name = `apiserver_${type}_admission_policy_check`;
  const what = type === 'mutating' ? 'Mutations' : 'Failed validations';
  return {
    total: new Counter({ name: `${name}_total`, help: `${what} of admission policies.`, labelNames, registers: [] }),
    seconds: new Histogram({
      name: `${name}_duration_seconds`,
      help: `How long ${what.toLowerCase()} of admission policies took.`,
      labelNames,
      buckets: BUCKETS,
      registers: [],
    }),
  };
}
