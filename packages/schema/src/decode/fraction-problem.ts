/** Finds integers that are written with a fraction or an exponent: `JSON.parse` takes `1.0` for 1, Go refuses it. */

import type { DecodePlan, StructPlan } from './decode-plan.ts';
import { fractionMismatch, type Place } from './decode-problem.ts';
import { type JsonLevel, walkJson } from './json-walk.ts';
import { planBelow } from './plan-below.ts';

interface PlanLevel extends JsonLevel {
  /** Undefined below a field that the schema does not have. */
  readonly plan: DecodePlan | undefined;
  readonly place: Place | undefined;
}

/** The error about the first such number in JSON text, in the words of Go's decoder; undefined if there is none. */
export function fractionProblem(root: StructPlan, text: string): string | undefined {
  let problem: string | undefined;
  walkJson<PlanLevel>(text, {
    open: (parent, isObject) => ({
      isObject,
      at: isObject ? '' : 0,
      plan: parent === undefined ? root : planAt(parent),
      place: parent === undefined ? undefined : placeAt(parent),
    }),
    member: () => problem === undefined,
    number: (level, literal) => {
      if (problem !== undefined || level === undefined || !/[.eE]/.test(literal)) return;
      const [plan, place] = [planAt(level), placeAt(level)];
      if (plan?.is === 'scalar' && place !== undefined && INTEGERS.has(plan.scalar)) {
        problem = fractionMismatch(literal, plan, place);
      }
    },
  });
  return problem;
}

const INTEGERS: ReadonlySet<string> = new Set(['int32', 'int64', 'intOrString']);

/** The plan of the value at `level.at`. */
function planAt({ plan, at, isObject }: PlanLevel): DecodePlan | undefined {
  return plan && planBelow(plan, at, isObject);
}

/** Items of lists and maps have the place of their list or map, as in Go. */
function placeAt({ plan, at, place }: PlanLevel): Place | undefined {
  return plan?.is === 'struct' ? { owner: plan, name: String(at), above: place } : place;
}
