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
import type { KubeObject } from './resource-definition.ts';
import { recordOf, sameJson, textEntriesOf } from './shapes/json-value.ts';

/** The most that all values of a ConfigMap or a Secret may take together, in bytes. */
export const DATA_MAX: number = 1024 * 1024;

const KEY = '[-._a-zA-Z0-9]+';
const isKey = new RegExp(`^${KEY}$`);
const KEY_RULE = patternText("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", KEY, [
  'key.name',
  'KEY_NAME',
  'key-name',
]);

/** Checks the keys of `data` or `binaryData`: each becomes the name of a file. */
export function validateDataKeys(data: unknown, field: string): readonly FieldError[] {
  return Object.keys(recordOf(data)).flatMap((key) =>
    checkDataKey(key).map((complaint) => fieldInvalid(`${field}[${key}]`, key, complaint)),
  );
}

/** The size of base64 text once it is decoded. */
export function decodedSize(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** The size of all values together; `sizeOf` measures one. */
export function dataSize(data: unknown, sizeOf: (value: string) => number): number {
  return textEntriesOf(data).reduce((total, [, value]) => total + sizeOf(value), 0);
}

/** What an object that said `immutable` may not change. */
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

function checkDataKey(key: string): readonly string[] {
  return [
    ...(isLongerThan(key, DNS_SUBDOMAIN_MAX) ? [tooLongText(DNS_SUBDOMAIN_MAX, 'characters')] : []),
    ...(breaksPattern(key, isKey) ? [KEY_RULE] : []),
    // A key that leaves its folder would write over other files.
    ...(key === '.' || key === '..'
      ? [`must not be '${key}'`]
      : key.startsWith('..')
        ? ["must not start with '..'"]
        : []),
  ];
}
