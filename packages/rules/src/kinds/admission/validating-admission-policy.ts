/** ValidatingAdmissionPolicy: expressions that requests must fulfil. */

import {
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  utf8Length,
} from '@listwatch/api';
import { type JsonRecord, listOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { problemErrors } from '../../validation/expression-problem.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import type { AdmissionExpressions } from './admission-expressions.ts';
import { defaultPolicy, policyColumns, type ValidatedPolicy, validatePolicy } from './admission-policy-rules.ts';
import { ANNOTATION_EXPRESSION_MAX, policyValidation } from './policy-validation.ts';

type Errors = readonly FieldError[];

/** The rules of ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicy: KindRules = {
  columns: policyColumns('Validations', 'validations'),
  applyDefaults: defaultPolicy,
  ...policyValidation(validate, (spec) => listOf(spec['variables']).length > 0),
  strategy: { allowsUnconditionalUpdate: false },
};

function validate(object: KubeObject, policy: ValidatedPolicy): Errors {
  return [...validatePolicy(policy, () => []), ...validateChecks(policy, object.metadata.name ?? '')];
}

const ANNOTATIONS_MAX = 20;

function validateChecks({ spec, expressions }: ValidatedPolicy, name: string): Errors {
  const validations = recordsOf(spec['validations']);
  const annotations = recordsOf(spec['auditAnnotations']);
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [fieldRequired('spec.validations', detail), fieldRequired('spec.auditAnnotations', detail)];
  }
  const field = 'spec.auditAnnotations';
  const detail = `must not have more than ${ANNOTATIONS_MAX} auditAnnotations`;
  const keys = new Set<string>();
  return [
    ...itemErrors(validations, (validation, index) =>
      validateCheck(validation, expressions, `spec.validations[${index}]`),
    ),
    ...(annotations.length > ANNOTATIONS_MAX ? [fieldInvalid(field, annotations, detail)] : []),
    ...itemErrors(annotations, (annotation, index) => {
      const key = textOf(annotation['key']);
      const again = keys.has(key);
      keys.add(key);
      return [
        ...validateAnnotation(annotation, name, expressions, `${field}[${index}]`),
        ...(again ? [fieldDuplicate(`${field}[${index}].key`, key)] : []),
      ];
    }),
  ];
}

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validateCheck(
  { expression, message, messageExpression, reason }: JsonRecord,
  expressions: AdmissionExpressions,
  field: string,
): Errors {
  const [text, messageText] = [textOf(expression), textOf(messageExpression)];
  return [
    ...(text.trim() === ''
      ? [fieldRequired(`${field}.expression`, 'expression is not specified')]
      : problemErrors(expressions.problem('validation', text), text, `${field}.expression`)),
    ...(messageText.trim() === ''
      ? notBlank(messageExpression, `${field}.messageExpression`)
      : problemErrors(expressions.problem('message', messageText), messageText, `${field}.messageExpression`)),
    ...notBlank(message, `${field}.message`),
    ...(/[\n\r]/.test(textOf(message).trim())
      ? [fieldInvalid(`${field}.message`, message, 'must not contain line breaks')]
      : []),
    ...(typeof reason === 'string' && !REASONS.includes(reason)
      ? [fieldNotSupported(`${field}.reason`, reason, REASONS)]
      : []),
  ];
}

function notBlank(value: unknown, field: string): Errors {
  const isBlank = textOf(value) !== '' && textOf(value).trim() === '';
  return isBlank ? [fieldInvalid(field, value, 'must be non-empty if specified')] : [];
}

function validateAnnotation(
  annotation: JsonRecord,
  name: string,
  expressions: AdmissionExpressions,
  field: string,
): Errors {
  const key = textOf(annotation['key']);
  const full = `${name}/${key}`;
  return [
    ...(name === ''
      ? [fieldInvalid(`${field}.key`, key, 'requires metadata.name be non-empty')]
      : checkQualifiedName(full).map((complaint) => fieldInvalid(`${field}.key`, full, complaint))),
    ...validateValue(textOf(annotation['valueExpression']), expressions, `${field}.valueExpression`),
  ];
}

function validateValue(text: string, expressions: AdmissionExpressions, field: string): Errors {
  const trimmed = text.trim();
  if (trimmed === '') return [fieldRequired(field, 'valueExpression is not specified')];
  if (utf8Length(trimmed) > ANNOTATION_EXPRESSION_MAX) {
    return [fieldRequired(field, `must not exceed ${ANNOTATION_EXPRESSION_MAX} bytes in length`)];
  }
  return problemErrors(expressions.problem('annotation', trimmed), text, field);
}
