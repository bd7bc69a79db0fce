/** Whether two patches change the same in different ways. */

import { PATCH, RETAIN_KEYS } from './directives.ts';
import { compareTexts, goKeyText, goText } from './go-text.ts';
import { elementType } from './merge-key.ts';
import { type FieldMerge, listField, objectField, type PatchLevel } from './patch-level.ts';
import { type PatchMap, patchMember } from './patch-tree.ts';
import { unmergeable } from './strategic-merge-error.ts';

/** Do the patches, which must be open, overlap with different values? */
export function haveConflicts(left: PatchMap, right: PatchMap, level: PatchLevel): boolean {
  if (left.has(PATCH) !== right.has(PATCH) || left.get(PATCH) !== right.get(PATCH)) return true;
  for (const [name, value] of left) {
    if (name === PATCH || name === RETAIN_KEYS || !right.has(name)) continue;
    if (memberConflicts(value, right.get(name), name, level)) return true;
  }
  return false;
}

function memberConflicts(left: unknown, right: unknown, name: string, level: PatchLevel): boolean {
  if (left instanceof Map) {
    const { below, strategy } = objectField(level, name);
    if (!(right instanceof Map)) return true;
    if (strategy !== 'replace') return haveConflicts(left, right, below);
    return left.has(PATCH) !== right.has(PATCH) || left.get(PATCH) !== right.get(PATCH);
  }
  if (Array.isArray(left)) {
    const field = listField(level, name);
    return !Array.isArray(right) || listConflicts(left, right, field);
  }
  return left !== right;
}

function listConflicts(left: readonly unknown[], right: readonly unknown[], field: FieldMerge): boolean {
  const type = elementType(left, right);
  const { below, mergeKey } = field;
  if (field.strategy === 'merge') {
    // Lists of scalars that are merged have no conflicts: both additions and deletions add up.
    if (type !== 'map[string]interface {}') return false;
    const others = itemsByKey(right, mergeKey);
    for (const [key, item] of itemsByKey(left, mergeKey)) {
      const other = others.get(key);
      if (other !== undefined && haveConflicts(item, other, below)) return true;
    }
    return false;
  }
  if (left.length !== right.length) return true;
  if (type !== 'map[string]interface {}') {
    const [one, other] = [distinctSorted(left), distinctSorted(right)];
    return one.length !== other.length || one.some((item, place) => item !== other[place]);
  }
  return left.some((item, place) => {
    const other = right[place];
    return item instanceof Map && (!(other instanceof Map) || haveConflicts(item, other, below));
  });
}

function itemsByKey(items: readonly unknown[], mergeKey: string): ReadonlyMap<string, PatchMap> {
  const found = new Map<string, PatchMap>();
  for (const item of items) {
    if (!(item instanceof Map)) throw unmergeable(`invalid element type in merging list:${goText(items)}`);
    const key = patchMember(item, mergeKey);
    if (key === undefined) {
      throw unmergeable(`cannot find merge key \`${mergeKey}\` in merging list element:${goText(item)}`);
    }
    found.set(goText(key, 's'), item);
  }
  return found;
}

function distinctSorted(items: readonly unknown[]): readonly unknown[] {
  return [...new Set(items)].toSorted((left, right) => compareTexts(goKeyText(left), goKeyText(right)));
}
