/** Runs the expressions of a policy one after another, within a common cost budget. */

import { CelError, type CelResult, COST_LIMIT_EXCEEDED } from '@listwatch/cel';
import { CelFields } from '@listwatch/cel/internal';
import { VARIABLES_TYPE } from '../kinds/admission/admission-environment.ts';
import { AnswerAwaited } from './access-answers.ts';
import { type CostBudget, EXPRESSION_COST_MAX, type QuickBudget, TooLongHere } from './policy-budget.ts';
import type { PolicyVariables } from './policy-input.ts';
import type { PolicyProgram } from './policy-programs.ts';

/** The thread that evaluates. */
export interface EvaluationThread {
  /** The limit for all evaluations of one write; undefined in a worker thread, which may block. */
  readonly quick: QuickBudget | undefined;
  /** Milliseconds, for the durations in metrics. */
  readonly now: () => number;
  /** Awaited between expensive expressions, so that the thread can do other work. Default: it does not yield. */
  readonly giveWay?: (() => Promise<void>) | undefined;
}

/** The cost after which the thread yields. */
const COST_A_TURN = 500_000;

/** The evaluation of several expressions with the same variables. */
export class PolicyEvaluation {
  readonly #values: PolicyVariables;
  readonly #budget: CostBudget;
  readonly #thread: EvaluationThread;
  /** The cost of the variables that the current expression is the first to use. */
  #composed = 0;
  #spent = 0;

  /** `values` must not be shared with another evaluation: the constructor adds the variables to it. */
  constructor(
    values: PolicyVariables,
    variables: ReadonlyMap<string, PolicyProgram>,
    budget: CostBudget,
    thread: EvaluationThread,
  ) {
    this.#budget = budget;
    this.#thread = thread;
    this.#values = values;
    if (variables.size > 0) {
      values.variables = new CelFields(VARIABLES_TYPE, (name) => {
        const variable = variables.get(name);
        return variable && this.#variable(name, variable);
      });
    }
  }

  /**
   * The value, or the error with the message of Kubernetes. Returns a promise only if it must wait, because awaiting
   * every result would cost more than most expressions. Throws `OutOfBudget` above the common cost limit, and
   * {@link TooLongHere} in a thread that must not block.
   */
  run(expression: PolicyProgram): CelResult | Promise<CelResult> {
    try {
      const result = this.#run(expression);
      return this.#spent > COST_A_TURN ? this.#afterTurn(result) : result;
    } catch (error) {
      if (error instanceof AnswerAwaited) return this.#afterAnswer(error, expression);
      throw error;
    }
  }

  async #afterTurn(result: CelResult): Promise<CelResult> {
    this.#spent = 0;
    await this.#thread.giveWay?.();
    return result;
  }

  async #afterAnswer({ known }: AnswerAwaited, expression: PolicyProgram): Promise<CelResult> {
    await known;
    return this.run(expression);
  }

  #run({ text, program, problem }: PolicyProgram): CelResult {
    if (program === undefined) return new CelError(`compilation error: ${problem}`);
    const { result, cost } = this.#evaluate(program);
    const composed = this.#composed;
    this.#composed = 0;
    this.#budget.spend(composed);
    this.#budget.spend(cost);
    return result instanceof CelError
      ? new CelError(`expression '${text}' resulted in error: ${result.message}`)
      : result;
  }

  #variable(name: string, { program, problem }: PolicyProgram): CelResult {
    if (program === undefined) return new CelError(`composited variable "${name}" fails to compile: ${problem}`);
    const { result, cost } = this.#evaluate(program);
    this.#composed += cost;
    if (!(result instanceof CelError)) return result;
    return new CelError(`composited variable "${name}" fails to evaluate: ${result.message}`);
  }

  #evaluate(program: NonNullable<PolicyProgram['program']>): { readonly result: CelResult; readonly cost: number } {
    const { quick } = this.#thread;
    const limits = { cost: EXPRESSION_COST_MAX, quick };
    const { result, cost, steps, elsewhere } = program.evaluate(this.#values, limits);
    this.#spent += cost;
    if (quick !== undefined) {
      quick.spend(cost - elsewhere, steps);
      if (result === COST_LIMIT_EXCEEDED) throw new TooLongHere();
    }
    return { result, cost };
  }
}
