/** The validation of admission policies. All expressions of a policy share one environment. */

import type { FieldError } from '@listwatch/api';
import { isRecord, type JsonRecord, recordOf, sameJson } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { AdmissionExpressions } from './admission-expressions.ts';
import type { ValidatedPolicy } from './admission-policy-rules.ts';

/** The longest expression of an audit annotation, in bytes. */
export const ANNOTATION_EXPRESSION_MAX: number = 5 * 1024;

/** The validation of a kind of policies. `hasVariables`: may its expressions use `variables`? */
export function policyValidation(
  validate: (object: KubeObject, policy: ValidatedPolicy) => readonly FieldError[],
  hasVariables: (spec: JsonRecord) => boolean,
): Pick<KindRules, 'validate' | 'validateUpdate'> {
  const errorsOf = (object: KubeObject, hasOldConditions: boolean): readonly FieldError[] => {
    const spec = recordOf(object['spec']);
    const expressions = new AdmissionExpressions({
      hasParams: isRecord(spec['paramKind']),
      hasVariables: hasVariables(spec),
    });
    return validate(object, { spec, expressions, hasOldConditions });
  };
  return {
    validate: (object) => errorsOf(object, false),
    validateUpdate: (object, old, subresource) =>
      subresource === '' ? errorsOf(object, sameConditions(recordOf(object['spec']), recordOf(old['spec']))) : [],
  };
}

function sameConditions(spec: JsonRecord, old: JsonRecord): boolean {
  return (
    sameJson(spec['paramKind'] ?? null, old['paramKind'] ?? null) &&
    sameJson(spec['matchConditions'] ?? [], old['matchConditions'] ?? [])
  );
}
