/** One round of mutations: all policies that match, one after the other, in the thread that it is called in. */

import { type JsonRecord, sameJson } from '@listwatch/api/values';
import type {
  ConditionCheck,
  EvaluationThread,
  KubeObject,
  MutatingPolicy,
  PolicyInput,
} from '@listwatch/rules/internal';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { mutatedObject } from './mutated-object.ts';
import { type CheckErrorType, errorType } from './policy-counts.ts';
import type { MutationFailure } from './policy-denial.ts';

/** One evaluation of a policy. */
export interface MutationStep {
  readonly policy: MutatingPolicy;
  readonly policyName: string;
  readonly bindingName: string;
  readonly params: JsonRecord | null;
  /** The kind that the rule of the policy has matched in. */
  readonly matched: ResourceDefinition;
  /** Policy, binding and parameters: identifies the step in the second round. */
  readonly key: string;
}

/** The policies that ran in round 0, and the policies to run in round 1. Plain data, for another thread. */
export interface Reinvocations {
  /** Policies that may be run again, if something changes the object after them. */
  readonly invoked: readonly string[];
  /** Policies that are run again. */
  readonly wanted: readonly string[];
}

/** The input of a policy with the object that it may change. */
export interface VersionedInput {
  readonly input: PolicyInput;
  readonly kind: ResourceDefinition;
  readonly object: KubeObject;
}

/** The object that mutations have changed, in the versions that policies want. */
export interface MutatedInput {
  /** The input for a rule that has matched in the version of `matched`. */
  of(matched: ResourceDefinition): Promise<VersionedInput>;
  /** Takes the object that a policy has made in that version. */
  change(matched: ResourceDefinition, object: KubeObject): Promise<void>;
}

/** A mutation that was run, for metrics. */
export interface MutationCheck {
  readonly policyName: string;
  readonly bindingName: string;
  readonly error: CheckErrorType;
  readonly elapsedMs: number;
}

/** Match conditions that do not hold, for metrics. */
export interface ConditionsCheck extends ConditionCheck {
  readonly policyName: string;
}

/** The result of a round. */
export interface RoundResult {
  readonly conditions: readonly ConditionsCheck[];
  readonly failures: readonly MutationFailure[];
  readonly checks: readonly MutationCheck[];
  readonly reinvocations: Reinvocations;
}

/** How a round is run. */
export interface RoundOptions {
  readonly thread: EvaluationThread;
  /** The time for defaults. */
  readonly time: number;
  /** Run only the policies that `reinvocations` wants? */
  readonly isSecond: boolean;
  readonly reinvocations: Reinvocations;
}

/**
 * Runs the steps. A failed mutation is skipped. Throws the errors that refuse the request whatever the failure policy
 * is.
 */
export async function mutationRound(
  steps: readonly MutationStep[],
  target: MutatedInput,
  { thread, time, isSecond, reinvocations }: RoundOptions,
): Promise<RoundResult> {
  const failures: MutationFailure[] = [];
  const checks: MutationCheck[] = [];
  const conditions: ConditionsCheck[] = [];
  const wanted = new Set(reinvocations.wanted);
  let invoked = new Set(reinvocations.invoked);
  let isRun = false;
  const runAgain = (): void => {
    for (const key of invoked) wanted.add(key);
    invoked = new Set();
  };
  for (const step of steps) {
    const { policy, policyName, bindingName, params, key } = step;
    const fail = (message: string): void => {
      if (!policy.isIgnoring) failures.push({ policy: policyName, binding: bindingName, message, reason: 'Invalid' });
    };
    let { input, kind, object } = await target.of(step.matched);
    const asked = thread.now();
    const verdict = await policy.conditions.verdict(input.forConditions(params), thread);
    if (verdict.type !== 'match') {
      conditions.push({ policyName, elapsedMs: thread.now() - asked, errors: verdict.errors });
    }
    if (verdict.type === 'error') fail(verdict.message);
    if (verdict.type !== 'match' || (isSecond && !wanted.has(key))) continue;
    const before = object;
    for (let index = 0; index < policy.size; index++) {
      const started = thread.now();
      const made = mutatedObject(kind, object, await policy.change(index, input, params, thread), time);
      const check = { policyName, bindingName, elapsedMs: thread.now() - started };
      if ('error' in made) {
        checks.push({ ...check, error: errorType(made.error) });
        fail(made.error);
        continue;
      }
      checks.push({ ...check, error: 'no_error' });
      isRun = true;
      if (made.object === object) continue;
      object = made.object;
      input = input.withObject(object);
    }
    if (object !== before && !sameJson(object, before)) {
      runAgain();
      await target.change(step.matched, object);
    }
    if (policy.isReinvoked) invoked.add(key);
  }
  if (isRun) runAgain();
  return { failures, checks, conditions, reinvocations: { invoked: [...invoked], wanted: [...wanted] } };
}
