/** Defaults for the members of a record. */

import type { JsonRecord } from '@listwatch/api/values';

/** The record with `defaults` for missing and null members: the canonical form has some absent members as null. */
export function filled(defaults: JsonRecord, record: JsonRecord): JsonRecord {
  const result: Record<string, unknown> = { ...record };
  for (const [name, value] of Object.entries(defaults)) result[name] ??= value;
  return result;
}
