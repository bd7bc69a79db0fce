/** Changes to JSON that share unchanged parts. */

import { type JsonRecord, setMember } from '@listwatch/api/values';

/** The record with the result of `change` for each member; `undefined` drops it. The same record when nothing changes. */
export function changedRecord(record: JsonRecord, change: (name: string, member: unknown) => unknown): JsonRecord {
  let changed: Record<string, unknown> | undefined;
  const names = Object.keys(record);
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    const member = record[name];
    const kept = change(name, member);
    if (changed === undefined) {
      if (kept === member) continue;
      changed = {};
      for (let before = 0; before < index; before += 1) {
        const earlier = names[before] ?? '';
        setMember(changed, earlier, record[earlier]);
      }
    }
    if (kept !== undefined) setMember(changed, name, kept);
  }
  return changed ?? record;
}

/** The list with the result of `change` for each item. The same list when nothing changes. */
export function changedList(
  list: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const kept = change(item, index);
    if (kept === item) continue;
    changed ??= [...list];
    changed[index] = kept;
  }
  return changed ?? list;
}
