/** Whether a schema has rules at all: most have none. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { memoOf } from '../json-memo.ts';

/** Does the schema, or one within it, have `x-kubernetes-validations`? Looked for once. */
export function hasCelRules(schema: JsonRecord): boolean {
  const memo = memoOf(schema);
  memo.hasCelRules ??= search(schema);
  return memo.hasCelRules;
}

function search(schema: JsonRecord): boolean {
  const rules = schema['x-kubernetes-validations'];
  if (Array.isArray(rules) && rules.length > 0) return true;
  const { properties, items, additionalProperties } = schema;
  if ([items, additionalProperties].some((one) => isRecord(one) && search(one))) return true;
  return isRecord(properties) && Object.values(properties).some((one) => isRecord(one) && search(one));
}
