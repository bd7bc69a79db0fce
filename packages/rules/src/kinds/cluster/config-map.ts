/** ConfigMap: settings that pods read as files or variables. */

import { type FieldError, fieldInvalid, fieldTooLong, utf8Length } from '@listwatch/api';
import { recordOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import { decodedSize } from '../../encoding/base64.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { DATA_MAX, dataSize, validateDataKeys, validateImmutable } from '../../validation/data-keys.ts';

/** The rules of ConfigMap. */
export const configMap: KindRules = {
  columns: namedTable([column('Data', 'How many keys the map holds.')], ({ data, binaryData }) => [
    Object.keys(recordOf(data)).length + Object.keys(recordOf(binaryData)).length,
  ]),
  validate,
  validateUpdate: (object, old) => [...validateImmutable(object, old, ['data', 'binaryData']), ...validate(object)],
};

function validate({ data, binaryData }: KubeObject): readonly FieldError[] {
  const twice = Object.keys(recordOf(binaryData)).filter((key) => Object.hasOwn(recordOf(data), key));
  return [
    ...validateDataKeys(data, 'data'),
    ...twice.map((key) => fieldInvalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...validateDataKeys(binaryData, 'binaryData'),
    // Kubernetes prints the path of the whole object as `[]`.
    ...(isTooLarge(data, binaryData) ? [fieldTooLong('[]', DATA_MAX)] : []),
  ];
}

function isTooLarge(data: unknown, binaryData: unknown): boolean {
  // Nearly all are far below the limit: their bytes need not be counted.
  if (dataSize(data, mostBytes) + dataSize(binaryData, ({ length }) => length) <= DATA_MAX) return false;
  return dataSize(data, textSize) + dataSize(binaryData, decodedSize) > DATA_MAX;
}

function mostBytes({ length }: string): number {
  return 3 * length;
}

/** For short text, counting bytes is cheaper than encoding. For long text, counting would block the event loop. */
function textSize(text: string): number {
  return text.length < 256 ? utf8Length(text) : new TextEncoder().encode(text).length;
}
