/** The match conditions of a policy or of a webhook. */

import { type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { CelError } from '@listwatch/cel';
import { CONDITIONS_COST_MAX, CostBudget, OutOfBudget } from './policy-budget.ts';
import { type EvaluationThread, PolicyEvaluation } from './policy-evaluation.ts';
import type { PolicyVariables } from './policy-input.ts';
import type { PolicyProgram, PolicyPrograms } from './policy-programs.ts';

/**
 * Do the conditions match? `error`: no condition is false, but at least one could not be evaluated. `errors`: how many
 * could not, up to the first that is false.
 */
export type MatchVerdict =
  | { readonly type: 'match' }
  | { readonly type: 'excluded'; readonly errors: number }
  | { readonly type: 'error'; readonly message: string; readonly errors: number };

const MATCH: MatchVerdict = { type: 'match' };
const NO_VARIABLES: ReadonlyMap<string, PolicyProgram> = new Map();

/** The conditions of a spec, compiled. */
export class MatchConditions {
  readonly #programs: readonly PolicyProgram[];

  constructor(spec: JsonRecord, programs: PolicyPrograms) {
    this.#programs = recordsOf(spec['matchConditions']).map((condition) =>
      programs.compile('condition', textOf(condition['expression'])),
    );
  }

  get isEmpty(): boolean {
    return this.#programs.length === 0;
  }

  /** One false condition excludes the request, even if others fail to evaluate. */
  async verdict(values: PolicyVariables, thread: EvaluationThread): Promise<MatchVerdict> {
    if (this.isEmpty) return MATCH;
    const evaluation = new PolicyEvaluation(values, NO_VARIABLES, new CostBudget(CONDITIONS_COST_MAX), thread);
    const errors: string[] = [];
    let excluded: MatchVerdict | undefined;
    try {
      for (const program of this.#programs) {
        const running = evaluation.run(program);
        const result = running instanceof Promise ? await running : running;
        if (result instanceof CelError) errors.push(result.message);
        else if (result === false) excluded ??= { type: 'excluded', errors: errors.length };
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      // As in Kubernetes, the budget is no error of a condition.
      return { type: 'error', message: error.message, errors: 0 };
    }
    if (excluded !== undefined) return excluded;
    if (errors.length === 0) return MATCH;
    const distinct = [...new Set(errors)];
    const message = distinct.length === 1 ? distinct.join('') : `[${distinct.join(', ')}]`;
    return { type: 'error', message, errors: errors.length };
  }
}
