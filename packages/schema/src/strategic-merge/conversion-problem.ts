/** Finds the first value of a patched object whose type does not fit its schema, in the words of kube-apiserver's converter. */

import { isRecord } from '@listwatch/api/values';
import { writtenFields } from '../decode/canonical.ts';
import type { DecodePlan, ScalarPlan, StructPlan } from '../decode/decode-plan.ts';
import { formProblem, scalarProblem } from '../decode/decode-problem.ts';
import { goType } from './go-text.ts';
import { patchMember } from './patch-tree.ts';

/**
 * The error about the first value that does not fit, by the order of the fields in their schema; undefined if all fit. After a
 * strategic merge patch kube-apiserver converts the object instead of decoding it, and has other words for the same mistakes.
 */
export function conversionProblem(plan: DecodePlan, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (plan.is) {
    case 'scalar':
      return scalarConversionProblem(plan, value);
    case 'list':
      return Array.isArray(value) ? firstProblem(plan.item, value) : `cannot restore slice from ${kindOf(value)}`;
    case 'map':
      if (!isRecord(value)) return `cannot restore map from ${kindOf(value)}`;
      return firstProblem(plan.item, Object.values(value));
    case 'struct':
      return isRecord(value) ? structProblem(plan, value) : `cannot restore struct from: ${kindOf(value)}`;
    case 'form':
      return formProblem(plan, value);
  }
}

function structProblem(struct: StructPlan, value: object): string | undefined {
  for (const { name, plan } of value instanceof Map ? struct.fields : writtenFields(struct, value)) {
    const problem = conversionProblem(plan, patchMember(value, name));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function firstProblem(plan: DecodePlan, items: readonly unknown[]): string | undefined {
  for (const item of items) {
    const problem = conversionProblem(plan, item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function scalarConversionProblem(plan: ScalarPlan, value: unknown): string | undefined {
  const problem = scalarProblem(plan, value, undefined);
  if (problem === undefined) return undefined;
  const type = goType(value);
  const { scalar } = plan;
  // kube-apiserver wraps an integer that is too large for its field; here it is refused.
  const converts =
    scalar === 'string' ? type === 'int64' : isInteger(scalar) && (type === 'int64' || type === 'float64');
  if (converts) return `cannot convert ${type} to ${plan.goType}`;
  if (scalar === 'string' || isInteger(scalar) || scalar === 'bool' || scalar === 'float64')
    return `unrecognized type: ${scalar}`;
  if (scalar !== 'bytes') return problem;
  return type === 'string' ? `error decoding from json: ${problem}` : `cannot restore slice from ${kindOf(value)}`;
}

function isInteger(scalar: ScalarPlan['scalar']): boolean {
  return scalar === 'int32' || scalar === 'int64';
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  return isRecord(value) ? 'map' : goType(value);
}
