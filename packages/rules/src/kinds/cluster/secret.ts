/** Secret: small pieces of confidential data, base64 on the wire. */

import { type FieldError, fieldInvalid, fieldRequired, fieldTooLong, jsonSyntaxError } from '@listwatch/api';
import { recordOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import { base64Of, bytesOf, decodedSize } from '../../encoding/base64.ts';
import type { KubeObject } from '../../kube-object.ts';
import { listedFields } from '../../strategy/field-selection.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { DATA_MAX, dataSize, validateDataKeys, validateImmutable } from '../../validation/data-keys.ts';
import { immutable } from '../../validation/immutable-field.ts';

/** The rules of Secret. */
export const secret: KindRules = {
  fieldsOf: (object) => ({ type: textOf(object['type']) }),
  resolveField: listedFields(['type', 'metadata.namespace', 'metadata.name']),
  columns: namedTable(
    [column('Type', 'What the secret is for.'), column('Data', 'How many keys the secret holds.')],
    ({ type, data }) => [textOf(type), Object.keys(recordOf(data)).length],
  ),
  applyDefaults,
  validate,
  validateUpdate: (object, old) => [
    ...immutable('type', object['type'], old['type']),
    ...validateImmutable(object, old, ['data']),
    ...validate(object),
  ],
};

/** Defaults the type and moves `stringData`, which is write-only, into `data`. */
function applyDefaults(object: KubeObject): KubeObject {
  if (object['stringData'] === undefined) {
    return object['type'] === undefined || object['data'] === undefined
      ? { ...object, data: object['data'] ?? {}, type: object['type'] ?? 'Opaque' }
      : object;
  }
  const { stringData, ...rest } = object;
  const texts = recordOf(stringData);
  const data: Record<string, unknown> = { ...recordOf(object['data']) };
  for (const [key, text] of Object.entries(texts)) {
    const value = base64Of(textOf(text));
    // Assigned, the key `__proto__` would change the prototype and lose its value.
    if (key === '__proto__') Object.defineProperty(data, key, { value, enumerable: true });
    else data[key] = value;
  }
  return { ...rest, data, type: object['type'] ?? 'Opaque' };
}

function validate(object: KubeObject): readonly FieldError[] {
  const { data } = object;
  return [
    ...validateDataKeys(data, 'data'),
    ...(dataSize(data, decodedSize) > DATA_MAX ? [fieldTooLong('data', DATA_MAX)] : []),
    ...validateType(object),
  ];
}

function validateType({ type, data, metadata }: KubeObject): readonly FieldError[] {
  const values = recordOf(data);
  const missing = (keys: readonly string[]): readonly FieldError[] =>
    keys.filter((key) => !Object.hasOwn(values, key)).map((key) => fieldRequired(`data[${key}]`));
  switch (type) {
    case 'kubernetes.io/service-account-token': {
      const key = 'kubernetes.io/service-account.name';
      return (metadata.annotations?.[key] ?? '') === '' ? [fieldRequired(`metadata.annotations[${key}]`)] : [];
    }
    case 'kubernetes.io/dockercfg':
      return [...missing(['.dockercfg']), ...notJson(values['.dockercfg'], 'data[.dockercfg]')];
    case 'kubernetes.io/dockerconfigjson':
      return [...missing(['.dockerconfigjson']), ...notJson(values['.dockerconfigjson'], 'data[.dockerconfigjson]')];
    case 'kubernetes.io/basic-auth': {
      const absent = missing(['username', 'password']);
      return absent.length === 2 ? absent : [];
    }
    case 'kubernetes.io/ssh-auth':
      return textOf(values['ssh-privatekey']) === '' ? [fieldRequired('data[ssh-privatekey]')] : [];
    case 'kubernetes.io/tls':
      return missing(['tls.crt', 'tls.key']);
    default:
      return [];
  }
}

function notJson(value: unknown, field: string): readonly FieldError[] {
  if (typeof value !== 'string') return [];
  // The message of JSON.parse would quote the secret.
  const problem = jsonSyntaxError(bytesOf(value));
  return problem === undefined ? [] : [fieldInvalid(field, '<secret contents redacted>', problem)];
}
