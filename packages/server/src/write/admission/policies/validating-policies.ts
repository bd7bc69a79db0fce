/** The admission plugin ValidatingAdmissionPolicy. */

import { type PolicyOutcome, QuickBudget, TooLongHere, type ValidatingPolicy } from '@listwatch/rules/internal';
import type { DynamicRequest, RequestHead, ValidatingStep } from '../../../contract/dynamic-admission.ts';
import { RequestVersions } from '../dynamic/request-versions.ts';
import { FailureNotes } from './failure-notes.ts';
import { accessAnswers } from './policy-access.ts';
import { errorType } from './policy-counts.ts';
import { type Denial, validatingDenial } from './policy-denial.ts';
import { PolicyInputs } from './policy-inputs.ts';
import {
  isExempt,
  type PlannedEvaluation,
  type PolicyInvocation,
  type PolicyProblem,
  plannedEvaluations,
} from './policy-plan.ts';
import type { PolicySet } from './policy-set.ts';
import type { PolicyWorld } from './policy-world.ts';

type Planned = PlannedEvaluation<ValidatingPolicy>;
type Invocation = PolicyInvocation<ValidatingPolicy>;

/** The plugin. */
export class ValidatingPolicies implements ValidatingStep {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly #set: PolicySet<ValidatingPolicy>;
  readonly #world: PolicyWorld;

  constructor(set: PolicySet<ValidatingPolicy>, world: PolicyWorld) {
    this.#set = set;
    this.#world = world;
  }

  concerns(head: RequestHead): boolean {
    return !isExempt(head) && this.#set.concerning(head).length > 0;
  }

  /** Throws the first denial, after all policies were evaluated: warnings and annotations of later ones are kept. */
  async validate(request: DynamicRequest): Promise<void> {
    const versions = new RequestVersions(request);
    const planned = await plannedEvaluations(this.#set, versions, this.#world);
    if (planned.length === 0) return;
    const outcomes = await this.#outcomes(versions, planned);
    const notes = new FailureNotes(request);
    const denials: Denial[] = [];
    for (const [index, step] of planned.entries()) {
      const outcome = outcomes[index];
      if ('problem' in step) this.#misconfigured(step, denials);
      else if (outcome !== undefined) this.#conclude(request, step, outcome, { notes, denials });
    }
    notes.publish();
    const [first] = denials;
    if (first !== undefined) throw validatingDenial(request, first);
  }

  /** Outcomes by the index of their evaluation. One that takes too long here runs in another thread. */
  async #outcomes(
    versions: RequestVersions,
    planned: readonly Planned[],
  ): Promise<readonly (PolicyOutcome | undefined)[]> {
    const { request } = versions;
    const { elsewhere, namespace, authorizer, counts, now } = this.#world;
    const outcomes: (PolicyOutcome | undefined)[] = [];
    const inputs = new PolicyInputs(versions, namespace, accessAnswers(authorizer, request.user));
    const quick = elsewhere && new QuickBudget();
    for (const step of planned) {
      if ('problem' in step) {
        outcomes.push(undefined);
        continue;
      }
      try {
        const policy = step.entry.compiled(quick);
        const params = step.param?.object(quick) ?? null;
        const input = await inputs.of(step.matched);
        outcomes.push(await policy.evaluate(input, params, { quick, now }));
      } catch (error) {
        if (!(error instanceof TooLongHere) || elsewhere === undefined) throw error;
        counts.moved += 1;
        outcomes.push(await elsewhere.validate(request, step));
        // Other requests had their turn.
        quick?.renew();
      }
    }
    return outcomes;
  }

  #misconfigured({ entry, binding, problem, cause }: PolicyProblem<ValidatingPolicy>, denials: Denial[]): void {
    if (entry.isIgnoring) return;
    const why = cause === 'conversion' ? `failed to convert object version: ${problem}` : problem;
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${why}`;
    denials.push({ policy: entry.name, binding: binding?.name, message, reason: 'Invalid' });
  }

  #conclude(
    request: DynamicRequest,
    { entry, binding }: Invocation,
    { conditions, decisions, annotations }: PolicyOutcome,
    { notes, denials }: { readonly notes: FailureNotes; readonly denials: Denial[] },
  ): void {
    const { counts } = this.#world;
    const by = { policy: entry.name, binding: binding.name };
    if (conditions !== undefined) counts.conditions(entry.name, request.operation, conditions);
    for (const decision of decisions) {
      const { isDenied, message, reason, index, elapsedMs } = decision;
      const error = errorType(message);
      if (!isDenied) counts.validated(by.policy, by.binding, { error, action: 'allow', elapsedMs });
      for (const action of isDenied ? binding.actions : []) {
        if (action === 'Deny') {
          denials.push({ ...by, message, reason });
          counts.validated(by.policy, by.binding, { error, action: 'deny', elapsedMs });
        } else if (action === 'Audit') {
          notes.failed({ message, ...by, expressionIndex: index, validationActions: binding.actions });
          counts.validated(by.policy, by.binding, { error, action: 'audit', elapsedMs });
        } else if (action === 'Warn') {
          const subject = `ValidatingAdmissionPolicy '${by.policy}' with binding '${by.binding}'`;
          request.warn(`Validation failed for ${subject}: ${message}`);
          counts.validated(by.policy, by.binding, { error, action: 'warn', elapsedMs });
        }
      }
    }
    for (const annotation of annotations) {
      if ('value' in annotation) {
        notes.add(`${entry.name}/${annotation.key}`, annotation.value);
        continue;
      }
      const { error: message, elapsedMs } = annotation;
      denials.push({ ...by, message, reason: 'Invalid' });
      counts.validated(by.policy, by.binding, { error: errorType(message), action: 'deny', elapsedMs });
    }
  }
}
