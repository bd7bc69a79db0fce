/** A compiled MutatingAdmissionPolicy: each mutation is an expression whose result is a change. */

import { isRecord, type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { CelError, CelList, CelMap } from '@listwatch/cel';
import { celJson, LargeJsonValue, NoJsonValue } from './cel-json.ts';
import { MatchConditions } from './match-verdict.ts';
import { CostBudget, OutOfBudget, POLICY_COST_MAX, TooLongHere } from './policy-budget.ts';
import { type EvaluationThread, PolicyEvaluation } from './policy-evaluation.ts';
import type { PolicyInput } from './policy-input.ts';
import { type PolicyProgram, PolicyPrograms } from './policy-programs.ts';
import { typeNameProblems } from './type-names.ts';

/** One operation of a JSON patch. */
export interface MutationOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** The change that a mutation makes, or its error. */
export type MutationChange =
  | { readonly type: 'apply'; readonly configuration: JsonRecord }
  | { readonly type: 'patch'; readonly operations: readonly MutationOperation[] }
  | { readonly type: 'error'; readonly message: string };

interface Mutation {
  readonly isPatch: boolean;
  readonly program: PolicyProgram;
}

/** The policy. The constructor compiles its expressions. */
export class MutatingPolicy {
  readonly isIgnoring: boolean;
  readonly isReinvoked: boolean;
  readonly conditions: MatchConditions;
  readonly #programs: PolicyPrograms;
  readonly #mutations: readonly Mutation[];

  constructor(spec: JsonRecord) {
    const programs = new PolicyPrograms(spec);
    this.#programs = programs;
    this.isIgnoring = spec['failurePolicy'] === 'Ignore';
    this.isReinvoked = spec['reinvocationPolicy'] === 'IfNeeded';
    this.conditions = new MatchConditions(spec, programs);
    this.#mutations = recordsOf(spec['mutations']).map((mutation) => {
      const isPatch = mutation['patchType'] === 'JSONPatch';
      const source = recordOf(mutation[isPatch ? 'jsonPatch' : 'applyConfiguration']);
      return { isPatch, program: programs.compile('mutation', textOf(source['expression'])) };
    });
  }

  get size(): number {
    return this.#mutations.length;
  }

  /** Runs one mutation on a request. Each mutation has its own cost budget. */
  async change(
    index: number,
    input: PolicyInput,
    params: JsonRecord | null,
    thread: EvaluationThread,
  ): Promise<MutationChange> {
    const mutation = this.#mutations[index];
    if (mutation === undefined) throw new RangeError(`the policy has no mutation ${index}`);
    const { program, isPatch } = mutation;
    const budget = new CostBudget(POLICY_COST_MAX);
    try {
      const values = input.withAuthorizer(params);
      const evaluation = new PolicyEvaluation(values, this.#programs.variables, budget, thread);
      // For mutations, kube-apiserver reports a compilation error without the prefix that validations have.
      if (program.program === undefined) return { type: 'error', message: program.problem };
      const running = evaluation.run(program);
      const result = running instanceof Promise ? await running : running;
      if (result instanceof CelError) return { type: 'error', message: result.message };
      const bytesMax = thread.quick === undefined ? VALUE_BYTES_MAX : QUICK_BYTES_MAX;
      if (isPatch && result instanceof CelList) return patchOf(result, bytesMax);
      if (!isPatch && result instanceof CelMap) return applied(result, bytesMax);
      return { type: 'error', message: 'unsupported return type of the expression' };
    } catch (error) {
      if (error instanceof LargeJsonValue && thread.quick !== undefined) throw new TooLongHere();
      const isOwn = error instanceof OutOfBudget || error instanceof NoJsonValue || error instanceof LargeJsonValue;
      if (isOwn) return { type: 'error', message: error.message };
      throw error;
    }
  }
}

/** The result of a mutation must not exceed the limit of a request body. */
const VALUE_BYTES_MAX = 3 * 1024 * 1024;
/** Merging a larger result would block the event loop. */
const QUICK_BYTES_MAX = 32 * 1024;

function applied(object: CelMap, bytesMax: number): MutationChange {
  const configuration = celJson(object, bytesMax);
  const problems = typeNameProblems(object);
  if (problems.length > 0) return { type: 'error', message: `type mismatch: ${problems.join('\n')}` };
  return isRecord(configuration)
    ? { type: 'apply', configuration }
    : { type: 'error', message: 'unsupported return type of the expression' };
}

function patchOf(list: CelList, bytesMax: number): MutationChange {
  const operations: MutationOperation[] = [];
  const values = listOf(celJson(list, bytesMax)).map(recordOf);
  for (const [index, { op, path, from, value }] of values.entries()) {
    const item = list.at(index);
    const made = item instanceof CelMap ? item.find('value') : undefined;
    if (made instanceof CelMap) {
      const problems = typeNameProblems(made);
      if (problems.length > 0) return { type: 'error', message: `type mismatch: ${problems.join('\n')}` };
    }
    operations.push({
      op: textOf(op),
      path: textOf(path),
      ...(textOf(from) === '' ? {} : { from: textOf(from) }),
      ...(made === undefined ? {} : { value }),
    });
  }
  return { type: 'patch', operations };
}
