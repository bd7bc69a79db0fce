/** The rules that ConfigMaps and Secrets share: their keys, their size, and data that must not change. */

import {
  DNS_SUBDOMAIN_MAX,
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  patternText,
  tooLongText,
} from '@listwatch/api';
import { breaksPattern, isLongerThan } from '@listwatch/api/internal';
import { recordOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { itemErrors } from './item-errors.ts';

/** The most that all values of a ConfigMap or a Secret may take together, in bytes. */
export const DATA_MAX: number = 1024 * 1024;

const KEY = '[-._a-zA-Z0-9]+';
const isKey = new RegExp(`^${KEY}$`);
const KEY_RULE = patternText("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", KEY, [
  'key.name',
  'KEY_NAME',
  'key-name',
]);

/** Checks the keys of `data` or `binaryData`: each becomes the name of a file. Stops when no message could list more. */
export function validateDataKeys(data: unknown, field: string): readonly FieldError[] {
  return itemErrors(Object.keys(recordOf(data)), (key) => {
    const complaints = checkDataKey(key);
    return complaints.length === 0
      ? NO_ERRORS
      : complaints.map((complaint) => fieldInvalid(`${field}[${key}]`, key, complaint));
  });
}

/** The size of all values together; `sizeOf` measures one. */
export function dataSize(data: unknown, sizeOf: (value: string) => number): number {
  let total = 0;
  for (const value of Object.values(recordOf(data))) total += sizeOf(textOf(value));
  return total;
}

/** Errors for changes of an object that is marked `immutable`. */
export function validateImmutable(
  object: KubeObject,
  old: KubeObject,
  fields: readonly string[],
): readonly FieldError[] {
  if (old['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  return [
    ...(object['immutable'] === true ? [] : [fieldForbidden('immutable', why)]),
    ...fields.filter((field) => !sameJson(object[field], old[field])).map((field) => fieldForbidden(field, why)),
  ];
}

const LEGAL: readonly string[] = [];
const NO_ERRORS: readonly FieldError[] = [];

/** Checks one key: it becomes the name of a file. */
export function checkDataKey(key: string): readonly string[] {
  if (key.length <= DNS_SUBDOMAIN_MAX && !key.startsWith('.') && isKey.test(key)) return LEGAL;
  return [
    ...(isLongerThan(key, DNS_SUBDOMAIN_MAX) ? [tooLongText(DNS_SUBDOMAIN_MAX, 'characters')] : []),
    ...(breaksPattern(key, isKey) ? [KEY_RULE] : []),
    // Such a key, mounted as a file, would point outside of its volume.
    ...(key === '.' || key === '..'
      ? [`must not be '${key}'`]
      : key.startsWith('..')
        ? ["must not start with '..'"]
        : []),
  ];
}
