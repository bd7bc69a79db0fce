/** Validates an admission policy. All its expressions share one environment. */

import type { FieldError } from '@listwatch/api';
import { isRecord, type JsonRecord, recordOf, sameJson } from '@listwatch/api/values';
import type { Findings } from '@listwatch/schema';
import type { KubeObject } from '../../kube-object.ts';
import type { ResourceStrategy } from '../../strategy/kind-definition.ts';
import { AdmissionExpressions } from './admission-expressions.ts';
import type { JudgedPolicy } from './admission-policy-rules.ts';

/** The longest expression of an audit annotation, in bytes. */
export const ANNOTATION_EXPRESSION_MAX: number = 5 * 1024;

/** The rules of a kind of policies. `hasVariables`: may its expressions use `variables`? */
export function policyJudge(
  validate: (object: KubeObject, policy: JudgedPolicy) => readonly FieldError[],
  hasVariables: (spec: JsonRecord) => boolean,
): NonNullable<ResourceStrategy['judge']> {
  return function judge(object, old, subresource): Findings {
    if (subresource !== '') return { errors: [], warnings: [] };
    const spec = recordOf(object['spec']);
    const hasOldConditions = old !== undefined && sameConditions(spec, recordOf(old['spec']));
    const expressions = new AdmissionExpressions({
      hasParams: isRecord(spec['paramKind']),
      hasVariables: hasVariables(spec),
    });
    const policy = { spec, expressions, hasOldConditions };
    return { errors: validate(object, policy), warnings: [] };
  };
}

function sameConditions(spec: JsonRecord, old: JsonRecord): boolean {
  return (
    sameJson(spec['paramKind'] ?? null, old['paramKind'] ?? null) &&
    sameJson(spec['matchConditions'] ?? [], old['matchConditions'] ?? [])
  );
}
