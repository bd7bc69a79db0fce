/** Defaults for the members of a record. */

import type { JsonRecord } from '@listwatch/api/values';

/** The record with `defaults` where it has no value. In canonical form some absent members are null. */
export function filled(defaults: JsonRecord, record: JsonRecord): JsonRecord {
  const result: Record<string, unknown> = { ...record };
  for (const [name, value] of Object.entries(defaults)) result[name] ??= value;
  return result;
}
