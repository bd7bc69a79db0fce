/** A compiled ValidatingAdmissionPolicy: compiled once, then `evaluate` runs for each request. */

import { utf8Length } from '@listwatch/api';
import { type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { CelError, type CelResult } from '@listwatch/cel';
import { MatchConditions } from './match-verdict.ts';
import { CostBudget, OutOfBudget, POLICY_COST_MAX } from './policy-budget.ts';
import { type EvaluationThread, PolicyEvaluation } from './policy-evaluation.ts';
import type { PolicyInput } from './policy-input.ts';
import { type PolicyProgram, PolicyPrograms } from './policy-programs.ts';

/** The reason of a denial. */
export type DenialReason = 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge';

/** The result of a failed validation. Validations that pass are not listed. */
export interface PolicyDecision {
  /** `false`: the failure policy ignores the error. */
  readonly isDenied: boolean;
  readonly isError: boolean;
  readonly message: string;
  readonly reason: DenialReason;
  /** The index in `spec.validations`. */
  readonly index: number;
  readonly elapsedMs: number;
}

/** The value of an audit annotation, or its error. */
export type PolicyAnnotation =
  | { readonly key: string; readonly value: string }
  | { readonly key: string; readonly error: string; readonly elapsedMs: number };

/** Match conditions that do not hold, for metrics. */
export interface ConditionCheck {
  readonly elapsedMs: number;
  /** Conditions that could not be evaluated. */
  readonly errors: number;
}

/** The result of a policy for one request. */
export interface PolicyOutcome {
  /** Undefined: there are no conditions, or all of them hold. */
  readonly conditions?: ConditionCheck;
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly PolicyAnnotation[];
}

const MESSAGE_BYTES_MAX = 5 * 1024;

interface Validation {
  readonly program: PolicyProgram;
  readonly message: PolicyProgram | undefined;
  readonly plainMessage: string;
  readonly reason: DenialReason;
}

/** The policy. The constructor compiles its expressions. */
export class ValidatingPolicy {
  readonly isIgnoring: boolean;
  readonly conditions: MatchConditions;
  readonly #programs: PolicyPrograms;
  readonly #validations: readonly Validation[];
  readonly #hasMessages: boolean;
  readonly #annotations: readonly { readonly key: string; readonly program: PolicyProgram }[];

  constructor(spec: JsonRecord) {
    const programs = new PolicyPrograms(spec);
    this.#programs = programs;
    this.isIgnoring = spec['failurePolicy'] === 'Ignore';
    this.conditions = new MatchConditions(spec, programs);
    this.#validations = recordsOf(spec['validations']).map(({ expression, message, messageExpression, reason }) => ({
      program: programs.compile('validation', textOf(expression)),
      message: textOf(messageExpression) === '' ? undefined : programs.compile('message', textOf(messageExpression)),
      plainMessage: textOf(message).trim(),
      reason: reason === 'Forbidden' || reason === 'RequestEntityTooLarge' ? reason : 'Invalid',
    }));
    this.#hasMessages = this.#validations.some(({ message }) => message !== undefined);
    this.#annotations = recordsOf(spec['auditAnnotations']).map(({ key, valueExpression }) => ({
      key: textOf(key),
      program: programs.compile('annotation', textOf(valueExpression)),
    }));
  }

  /** Validates a request. `params`: the object of parameters, null without one. */
  async evaluate(input: PolicyInput, params: JsonRecord | null, thread: EvaluationThread): Promise<PolicyOutcome> {
    if (!this.conditions.isEmpty) {
      const started = thread.now();
      const verdict = await this.conditions.verdict(input.forConditions(params), thread);
      if (verdict.type !== 'match') {
        const conditions = { elapsedMs: thread.now() - started, errors: verdict.errors };
        if (verdict.type === 'excluded') return { conditions, decisions: [], annotations: [] };
        return { conditions, ...this.#failed(verdict.message) };
      }
    }
    const budget = new CostBudget(POLICY_COST_MAX);
    try {
      const decisions = await this.#decisions(input, params, budget, thread);
      const annotations = this.#annotations.length === 0 ? [] : await this.#annotated(input, params, thread);
      return { decisions, annotations };
    } catch (error) {
      if (error instanceof OutOfBudget) return this.#failed(error.message);
      throw error;
    }
  }

  /** One decision about the policy as a whole. */
  #failed(message: string): PolicyOutcome {
    const decision = { isDenied: !this.isIgnoring, isError: true, message, reason: 'Invalid', index: 0 } as const;
    return { decisions: [{ ...decision, elapsedMs: 0 }], annotations: [] };
  }

  async #decisions(
    input: PolicyInput,
    params: JsonRecord | null,
    budget: CostBudget,
    thread: EvaluationThread,
  ): Promise<readonly PolicyDecision[]> {
    const values = input.withAuthorizer(params);
    const evaluation = new PolicyEvaluation(values, this.#programs.variables, budget, thread);
    const failed: { readonly index: number; readonly result: CelResult; readonly elapsedMs: number }[] = [];
    let started = thread.now();
    for (let index = 0; index < this.#validations.length; index++) {
      const program = this.#validations[index]?.program;
      if (program === undefined) continue;
      const running = evaluation.run(program);
      const result = running instanceof Promise ? await running : running;
      if (result === true) continue;
      const ended = thread.now();
      failed.push({ index, result, elapsedMs: ended - started });
      started = ended;
    }
    // A message is needed only where something has failed; Kubernetes computes them all, within the same budget.
    if (failed.length === 0) return [];
    const messages = this.#hasMessages ? await this.#messages(input, params, budget, thread) : NO_MESSAGES;
    return failed.map(({ index, result, elapsedMs }) => {
      if (result instanceof CelError) return this.#errored(result.message, index, elapsedMs);
      if (messages === undefined)
        return this.#errored(`failed messageExpression: ${new OutOfBudget().message}`, index, elapsedMs);
      return this.#denied(index, messages[index], elapsedMs);
    });
  }

  #errored(message: string, index: number, elapsedMs: number): PolicyDecision {
    return { isDenied: !this.isIgnoring, isError: true, message, reason: 'Invalid', index, elapsedMs };
  }

  #denied(index: number, computed: string | undefined, elapsedMs: number): PolicyDecision {
    const validation = this.#validations[index];
    const { reason = 'Invalid', plainMessage = '', program } = validation ?? {};
    const message =
      computed ?? (plainMessage === '' ? `failed expression: ${program?.text.trim() ?? ''}` : plainMessage);
    return { isDenied: true, isError: false, message, reason, index, elapsedMs };
  }

  /** The computed messages that can be shown, by the index of their validation. Undefined: they exceed the budget. */
  async #messages(
    input: PolicyInput,
    params: JsonRecord | null,
    budget: CostBudget,
    thread: EvaluationThread,
  ): Promise<readonly (string | undefined)[] | undefined> {
    const evaluation = new PolicyEvaluation(input.withoutAuthorizer(params), this.#programs.variables, budget, thread);
    const messages: (string | undefined)[] = [];
    try {
      for (const { message } of this.#validations) {
        messages.push(message === undefined ? undefined : shownMessage(await evaluation.run(message)));
      }
    } catch (error) {
      if (error instanceof OutOfBudget) return undefined;
      throw error;
    }
    return messages;
  }

  async #annotated(
    input: PolicyInput,
    params: JsonRecord | null,
    thread: EvaluationThread,
  ): Promise<readonly PolicyAnnotation[]> {
    const values = input.withoutAuthorizer(params);
    const budget = new CostBudget(POLICY_COST_MAX);
    const evaluation = new PolicyEvaluation(values, this.#programs.variables, budget, thread);
    const annotations: PolicyAnnotation[] = [];
    for (const { key, program } of this.#annotations) {
      const started = thread.now();
      const running = evaluation.run(program);
      const result = running instanceof Promise ? await running : running;
      if (result instanceof CelError) {
        if (!this.isIgnoring) annotations.push({ key, error: result.message, elapsedMs: thread.now() - started });
      } else if (typeof result === 'string' && result.trim() !== '') annotations.push({ key, value: result.trim() });
    }
    return annotations;
  }
}

const NO_MESSAGES: readonly undefined[] = [];

/** Drops a message that is blank, too long or has several lines. */
function shownMessage(result: CelResult): string | undefined {
  if (typeof result !== 'string') return undefined;
  const text = result.trim();
  return text === '' || text.includes('\n') || utf8Length(text) > MESSAGE_BYTES_MAX ? undefined : text;
}
