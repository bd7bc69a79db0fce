/** Validates the tolerations of a pod. */

import {
  checkLabelValue,
  checkQualifiedName,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
} from '@listwatch/api';
import { type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';

/** The effects of a taint. */
export const TAINT_EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The rules for the tolerations at `field`. */
export function validateTolerations(value: unknown, field: string): readonly FieldError[] {
  return itemErrors(recordsOf(value), (toleration, index) => validateToleration(toleration, `${field}[${index}]`));
}

/** On update tolerations may be added; existing ones may change their `tolerationSeconds` only. */
export function validateTolerationsChange(value: unknown, old: unknown, field: string): readonly FieldError[] {
  const kept = new Set(recordsOf(value).map(identity));
  const lost = recordsOf(old).some((toleration) => !kept.has(identity(toleration)));
  return lost ? [fieldForbidden(field, 'existing toleration can not be modified except its tolerationSeconds')] : [];
}

/** The identity of a toleration without its seconds, as a key of a set: pods may have many tolerations. */
function identity({ key, operator, value, effect }: JsonRecord): string {
  return JSON.stringify([key, operator, value, effect].map(textOf));
}

function validateToleration(toleration: JsonRecord, field: string): readonly FieldError[] {
  const key = textOf(toleration['key']);
  const operator = textOf(toleration['operator']);
  const value = textOf(toleration['value']);
  const effect = textOf(toleration['effect']);
  const errors: FieldError[] = [];
  if (key === '') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    if (operator !== 'Exists') errors.push(fieldInvalid(`${field}.operator`, operator, why));
  } else {
    errors.push(...checkQualifiedName(key).map((complaint) => fieldInvalid(`${field}.key`, key, complaint)));
  }
  if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
    const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(fieldInvalid(`${field}.effect`, effect, why));
  }
  if (operator === '' || operator === 'Equal') {
    const complaints = checkLabelValue(value);
    if (complaints.length > 0) errors.push(fieldInvalid(`${field}.operator`, value, complaints.join(';')));
  } else if (operator === 'Exists') {
    const why = "value must be empty when `operator` is 'Exists'";
    if (value !== '') errors.push(fieldInvalid(`${field}.operator`, value, why));
  } else {
    // The feature gate of `Lt` and `Gt` is off, but kube-apiserver still lists them in this message.
    const isComparison = operator === 'Lt' || operator === 'Gt';
    errors.push(
      fieldNotSupported(
        `${field}.operator`,
        operator,
        isComparison ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'],
      ),
    );
  }
  if (effect !== '' && !TAINT_EFFECTS.includes(effect))
    errors.push(fieldNotSupported(`${field}.effect`, effect, TAINT_EFFECTS));
  return errors;
}
