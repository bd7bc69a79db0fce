/** Validates the texts of CEL rules, before they are compiled. */

import { type FieldError, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { childPath, indexPath } from '../error-path.ts';
import { recordsAt, textAt } from './definition-view.ts';
import { schemaAtPath } from './schema-path.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The faults of `x-kubernetes-validations` of a schema. */
export function ruleTextProblems(schema: JsonRecord, path: string): readonly FieldError[] {
  return recordsAt(schema, 'x-kubernetes-validations').flatMap((rule, index) =>
    problemsOf(rule, schema, indexPath(childPath(path, 'x-kubernetes-validations'), index)),
  );
}

function problemsOf(rule: JsonRecord, schema: JsonRecord, path: string): readonly FieldError[] {
  const errors: FieldError[] = [...messageProblems(rule, path)];
  const expression = textAt(rule, 'messageExpression');
  if (expression !== '' && expression.trim() === '') {
    const place = childPath(path, 'messageExpression');
    errors.push(fieldRequired(place, 'messageExpression must be non-empty if specified'));
  }
  const reason = rule['reason'];
  if (typeof reason === 'string' && !REASONS.includes(reason)) {
    errors.push(fieldNotSupported(childPath(path, 'reason'), reason, REASONS));
  }
  return [...errors, ...fieldPathProblems(textAt(rule, 'fieldPath'), schema, childPath(path, 'fieldPath'))];
}

function messageProblems(rule: JsonRecord, path: string): readonly FieldError[] {
  const expression = textAt(rule, 'rule').trim();
  const message = textAt(rule, 'message');
  const place = childPath(path, 'message');
  if (expression === '') return [fieldRequired(childPath(path, 'rule'), 'rule is not specified')];
  if (message !== '' && message.trim() === '') return [fieldInvalid(place, message, 'must be non-empty if specified')];
  if (hasLineBreak(message.trim())) return [fieldInvalid(place, message, 'must not contain line breaks')];
  return hasLineBreak(expression) && message.trim() === ''
    ? [fieldRequired(place, 'message must be specified if rule contains line breaks')]
    : [];
}

function fieldPathProblems(fieldPath: string, schema: JsonRecord, place: string): readonly FieldError[] {
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  if (fieldPath.trim() === '') errors.push(fieldInvalid(place, fieldPath, 'must be non-empty if specified'));
  if (hasLineBreak(fieldPath)) errors.push(fieldInvalid(place, fieldPath, 'must not contain line breaks'));
  if ('problem' in schemaAtPath(schema, fieldPath)) errors.push(fieldInvalid(place, fieldPath, 'must be a valid path'));
  return errors;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
