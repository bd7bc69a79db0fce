/** The admission plugin MutatingAdmissionPolicy. */

import { sameJson } from '@listwatch/api/values';
import { type KubeObject, type MutatingPolicy, QuickBudget, TooLongHere } from '@listwatch/rules/internal';
import type { DynamicRequest, MutatingRun, MutatingStep, RequestHead } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { matchedKind } from '../dynamic/equivalent-request.ts';
import { RequestVersions } from '../dynamic/request-versions.ts';
import { MutatedRequest } from './mutated-request.ts';
import {
  type MutationStep,
  mutationRound,
  type Reinvocations,
  type RoundResult,
  type VersionedInput,
} from './mutation-round.ts';
import { accessAnswers } from './policy-access.ts';
import { type MutationFailure, mutatingDenial } from './policy-denial.ts';
import { PolicyInputs } from './policy-inputs.ts';
import { isExempt, type PolicyInvocation, type PolicyProblem, plannedEvaluations } from './policy-plan.ts';
import type { PolicySet } from './policy-set.ts';
import type { PolicyWorld } from './policy-world.ts';

type Invocation = PolicyInvocation<MutatingPolicy>;

/** The plugin. */
export class MutatingPolicies implements MutatingStep {
  readonly name = 'MutatingAdmissionPolicy';
  readonly #set: PolicySet<MutatingPolicy>;
  readonly #world: PolicyWorld;

  constructor(set: PolicySet<MutatingPolicy>, world: PolicyWorld) {
    this.#set = set;
    this.#world = world;
  }

  concerns(head: RequestHead): boolean {
    return head.operation !== 'DELETE' && !isExempt(head) && this.#set.concerning(head).length > 0;
  }

  begin(): MutatingRun {
    return new PolicyRun(this.#set, this.#world);
  }
}

/** The policies for one request. */
class PolicyRun implements MutatingRun {
  readonly #set: PolicySet<MutatingPolicy>;
  readonly #world: PolicyWorld;
  #reinvocations: Reinvocations = { invoked: [], wanted: [] };
  /** The object after the first round. */
  #output: KubeObject | undefined;

  constructor(set: PolicySet<MutatingPolicy>, world: PolicyWorld) {
    this.#set = set;
    this.#world = world;
  }

  async mutate(request: DynamicRequest, round: 0 | 1): Promise<KubeObject | undefined> {
    if (request.object === undefined) return undefined;
    const versions = new RequestVersions(request);
    const planned = await plannedEvaluations(this.#set, versions, this.#world);
    const failures: MutationFailure[] = [];
    const invocations: Invocation[] = [];
    for (const step of planned) {
      if ('matched' in step) invocations.push(step);
      else if (!step.entry.isIgnoring) failures.push(misconfigured(step));
    }
    let { object } = request;
    if (invocations.length > 0) {
      if (round === 1 && !sameJson(this.#output, request.object)) this.#wantAll();
      const result = await this.#round(versions, invocations, round === 1);
      const { counts } = this.#world;
      for (const { policyName, ...check } of result.conditions) counts.conditions(policyName, request.operation, check);
      for (const { policyName, bindingName, error, elapsedMs } of result.checks) {
        counts.mutated(policyName, bindingName, error, elapsedMs);
      }
      this.#reinvocations = result.reinvocations;
      failures.push(...result.failures);
      object = result.object ?? object;
      this.#output = object;
    }
    if (failures.length > 0) throw mutatingDenial(request, failures);
    return object;
  }

  /** Another step has changed the object: run every policy again that allows reinvocation. */
  #wantAll(): void {
    const { invoked, wanted } = this.#reinvocations;
    this.#reinvocations = { invoked: [], wanted: [...new Set([...wanted, ...invoked])] };
  }

  async #round(
    versions: RequestVersions,
    invocations: readonly Invocation[],
    isSecond: boolean,
  ): Promise<RoundResult & { readonly object: KubeObject | undefined }> {
    const { request } = versions;
    const world = this.#world;
    const reinvocations = this.#reinvocations;
    try {
      const quick = world.elsewhere && new QuickBudget();
      const steps = invocations.map((invocation) => stepOf(invocation, quick));
      const access = accessAnswers(world.authorizer, request.user);
      const inputOf = async (current: DynamicRequest, matched: ResourceDefinition): Promise<VersionedInput> => {
        const own = current === request ? versions : new RequestVersions(current);
        const input = await new PolicyInputs(own, world.namespace, access).of(matched);
        const { object } = await own.of(matched);
        if (object === undefined) throw new TypeError('a mutation needs an object');
        const kind = matchedKind(current, matched);
        await kind.load();
        return { input, kind, object };
      };
      const target = new MutatedRequest(request, inputOf);
      const thread = { quick, now: world.now };
      const result = await mutationRound(steps, target, { thread, time: world.time(), isSecond, reinvocations });
      return { ...result, object: target.object };
    } catch (error) {
      if (!(error instanceof TooLongHere) || world.elsewhere === undefined) throw error;
      world.counts.moved += 1;
      return world.elsewhere.mutate(request, invocations, { isSecond, reinvocations });
    }
  }
}

/** Throws {@link TooLongHere} for a policy, or for parameters, that are too large to be read here. */
function stepOf({ entry, binding, param, matched }: Invocation, quick: QuickBudget | undefined): MutationStep {
  return {
    policy: entry.compiled(quick),
    policyName: entry.name,
    bindingName: binding.name,
    params: param?.object(quick) ?? null,
    matched,
    key: invocationKey(entry.name, binding.name, param),
  };
}

/** Identifies an evaluation in both rounds. */
export function invocationKey(policy: string, binding: string, param: Invocation['param']): string {
  return JSON.stringify([policy, binding, param?.namespace, param?.name]);
}

function misconfigured({ entry, binding, problem, cause }: PolicyProblem<MutatingPolicy>): MutationFailure {
  // Kubernetes converts before it looks at the binding, and names the policy only.
  const by = cause === 'conversion' ? undefined : binding?.name;
  const message = `failed to configure ${by === undefined ? 'policy' : 'binding'}: ${problem}`;
  return { policy: entry.name, binding: by, message, reason: 'Forbidden' };
}
