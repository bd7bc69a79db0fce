/** Members of objects whose keys strangers have chosen, such as `constructor` and `__proto__`. */

import type { JsonRecord } from '@listwatch/api/values';
import type { ApplyMap, ApplyType } from '../apply-type.ts';

/** A member; undefined when the object has none of this name. */
export function memberOf(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A copy whose members can be set. */
export function copyOf(record: JsonRecord): Record<string, unknown> {
  return { ...record };
}

/** The type of a member; undefined when there may be none of this name. */
export function memberType(map: ApplyMap, name: string): ApplyType | undefined {
  return map.fields.get(name)?.type ?? map.element;
}

/** Has the object no members? */
export function hasNoMembers(record: JsonRecord): boolean {
  for (const name in record) if (Object.hasOwn(record, name)) return false;
  return true;
}
