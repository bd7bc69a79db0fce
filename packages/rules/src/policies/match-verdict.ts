/** The match conditions of a policy or of a webhook. */

import { type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { CelError } from '@listwatch/cel';
import { CONDITIONS_COST_MAX, CostBudget, OutOfBudget } from './policy-budget.ts';
import { type EvaluationThread, PolicyEvaluation } from './policy-evaluation.ts';
import type { PolicyVariables } from './policy-input.ts';
import type { PolicyProgram, PolicyPrograms } from './policy-programs.ts';

/** Do the conditions match? `error`: no condition is false, but at least one could not be evaluated. */
export type MatchVerdict =
  | { readonly type: 'match' }
  | { readonly type: 'excluded' }
  | { readonly type: 'error'; readonly message: string };

const MATCH: MatchVerdict = { type: 'match' };
const EXCLUDED: MatchVerdict = { type: 'excluded' };
const NO_VARIABLES: ReadonlyMap<string, PolicyProgram> = new Map();

/** Told of each condition that could not be evaluated. */
export type OnConditionError = () => void;

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
  async verdict(values: PolicyVariables, thread: EvaluationThread, onError?: OnConditionError): Promise<MatchVerdict> {
    if (this.isEmpty) return MATCH;
    const evaluation = new PolicyEvaluation(values, NO_VARIABLES, new CostBudget(CONDITIONS_COST_MAX), thread);
    const errors: string[] = [];
    let isExcluded = false;
    try {
      for (const program of this.#programs) {
        const running = evaluation.run(program);
        const result = running instanceof Promise ? await running : running;
        if (result instanceof CelError) {
          errors.push(result.message);
          if (!isExcluded) onError?.();
        } else if (result === false) isExcluded = true;
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      return { type: 'error', message: error.message };
    }
    if (isExcluded) return EXCLUDED;
    if (errors.length === 0) return MATCH;
    const distinct = [...new Set(errors)];
    return { type: 'error', message: distinct.length === 1 ? distinct.join('') : `[${distinct.join(', ')}]` };
  }
}
