/** Judges an admission policy in steps: its expressions are compiled first, then its fields are checked. */

import type { FieldError } from '@listwatch/api';
import { resumableSteps } from '@listwatch/api/internal';
import { isRecord, type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { CustomVerdict, Steps } from '@listwatch/schema';
import type { KubeObject } from '../../kube-object.ts';
import type { ResourceStrategy } from '../../strategy/kind-definition.ts';
import { compileInSteps } from '../../validation/expression-problem.ts';
import { AdmissionExpressions, type ExpressionUse } from './admission-expressions.ts';
import type { JudgedPolicy } from './admission-policy-rules.ts';

/** The longest expression of an audit annotation, in bytes. */
export const ANNOTATION_EXPRESSION_MAX: number = 5 * 1024;

/** The rules of a kind of policies. `hasVariables`: may its expressions use `variables`? */
export function policyJudge(
  validate: (object: KubeObject, policy: JudgedPolicy) => readonly FieldError[],
  hasVariables: (spec: JsonRecord) => boolean,
): NonNullable<ResourceStrategy['judge']> {
  return function* judge(object, old, subresource): Steps<CustomVerdict> {
    if (subresource !== '') return { errors: [], warnings: [] };
    const spec = recordOf(object['spec']);
    const hasOldConditions = old !== undefined && sameConditions(spec, recordOf(old['spec']));
    const expressions = new AdmissionExpressions({
      hasParams: isRecord(spec['paramKind']),
      hasVariables: hasVariables(spec),
    });
    yield* compileInSteps([
      ...(hasOldConditions ? [] : conditionCompiles(spec, expressions)),
      ...policyCompiles(spec, expressions),
    ]);
    const policy = { spec, expressions, hasOldConditions };
    return { errors: yield* resumableSteps(() => validate(object, policy)), warnings: [] };
  };
}

function sameConditions(spec: JsonRecord, old: JsonRecord): boolean {
  return (
    sameJson(spec['paramKind'] ?? null, old['paramKind'] ?? null) &&
    sameJson(spec['matchConditions'] ?? [], old['matchConditions'] ?? [])
  );
}

/** Compiles the conditions of a policy or webhook. */
export function conditionCompiles(
  { matchConditions }: JsonRecord,
  expressions: AdmissionExpressions,
): readonly (() => string)[] {
  return recordsOf(matchConditions).map(({ expression }) =>
    compiling(expressions, 'condition', textOf(expression).trim()),
  );
}

function policyCompiles(spec: JsonRecord, expressions: AdmissionExpressions): readonly (() => string)[] {
  return [
    ...recordsOf(spec['variables']).map(({ name, expression }, index) => () => {
      const text = textOf(expression);
      if (text.trim() !== '') expressions.variableProblem(index, textOf(name), text);
      return text;
    }),
    ...recordsOf(spec['validations']).flatMap(({ expression, messageExpression }) => [
      compiling(expressions, 'validation', textOf(expression)),
      compiling(expressions, 'message', textOf(messageExpression)),
    ]),
    ...recordsOf(spec['auditAnnotations']).map(({ valueExpression }) => {
      const text = textOf(valueExpression).trim();
      return compiling(expressions, 'annotation', text.length > ANNOTATION_EXPRESSION_MAX ? '' : text);
    }),
    ...recordsOf(spec['mutations']).flatMap(({ applyConfiguration, jsonPatch }) => [
      compiling(expressions, 'apply', textOf(recordOf(applyConfiguration)['expression']).trim()),
      compiling(expressions, 'jsonPatch', textOf(recordOf(jsonPatch)['expression']).trim()),
    ]),
  ];
}

function compiling(
  expressions: AdmissionExpressions,
  use: Exclude<ExpressionUse, 'variable'>,
  text: string,
): () => string {
  return () => {
    if (text.trim() !== '') expressions.problem(use, text);
    return text;
  };
}
