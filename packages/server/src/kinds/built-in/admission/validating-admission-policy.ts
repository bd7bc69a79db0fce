/** ValidatingAdmissionPolicy: expressions that requests must fulfil. */

import {
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, textOf } from '../../json/json-value.ts';
import type { KindRules } from '../../kind-rules.ts';
import type { KubeObject } from '../../resource-definition.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import { defaultPolicy, policyColumns, validatePolicy } from './admission-policy-rules.ts';

type Errors = readonly FieldError[];

/** The rules of ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicy: KindRules = {
  columns: policyColumns('Validations', 'validations'),
  applyDefaults: defaultPolicy,
  validate,
  strategy: { allowsUnconditionalUpdate: false },
};

function validate(object: KubeObject): Errors {
  const spec = recordOf(object['spec']);
  return [...validatePolicy(spec, () => []), ...validateChecks(spec, object.metadata.name ?? '')];
}

const ANNOTATIONS_MAX = 20;

function validateChecks(spec: JsonRecord, name: string): Errors {
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
    ...itemErrors(validations, (validation, index) => validateCheck(validation, `spec.validations[${index}]`)),
    ...(annotations.length > ANNOTATIONS_MAX ? [fieldInvalid(field, annotations, detail)] : []),
    ...itemErrors(annotations, (annotation, index) => {
      const key = textOf(annotation['key']);
      const again = keys.has(key);
      keys.add(key);
      return [
        ...validateAnnotation(annotation, name, `${field}[${index}]`),
        ...(again ? [fieldDuplicate(`${field}[${index}].key`, key)] : []),
      ];
    }),
  ];
}

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validateCheck({ expression, message, messageExpression, reason }: JsonRecord, field: string): Errors {
  return [
    ...(textOf(expression).trim() === '' ? [fieldRequired(`${field}.expression`, 'expression is not specified')] : []),
    ...notBlank(messageExpression, `${field}.messageExpression`),
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

const EXPRESSION_MAX = 5 * 1024;

function validateAnnotation(annotation: JsonRecord, name: string, field: string): Errors {
  const full = `${name}/${textOf(annotation['key'])}`;
  const expression = textOf(annotation['valueExpression']).trim();
  return [
    ...checkQualifiedName(full).map((complaint) => fieldInvalid(`${field}.key`, full, complaint)),
    ...(expression === '' ? [fieldRequired(`${field}.valueExpression`, 'valueExpression is not specified')] : []),
    ...(expression.length > EXPRESSION_MAX
      ? [fieldRequired(`${field}.valueExpression`, `must not exceed ${EXPRESSION_MAX} bytes in length`)]
      : []),
  ];
}
