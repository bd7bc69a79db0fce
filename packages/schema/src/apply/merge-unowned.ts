/** Merges an object into another one by its schema, without owners: how an admission policy applies its configuration. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { isAnyType } from './any-type.ts';
import type { ApplyType } from './apply-type.ts';
import { elementText, fieldElement } from './fields/path-element.ts';
import { memberOf } from './typed/members.ts';
import { mergeTyped } from './typed/merge-typed.ts';
import { typedValueProblem } from './typed/type-problems.ts';

/** The merged object, or why the objects cannot be merged, in the words of Kubernetes. */
export type MergedObject = { readonly object: JsonRecord } | { readonly problem: string };

/** Sets what `config` says in `object`. Nothing is removed. Lists and objects that are owned as a whole may not be in `config`. */
export function mergeUnowned(object: JsonRecord, config: JsonRecord, type: ApplyType): MergedObject {
  const unfit = typedValueProblem(config, type);
  if (unfit !== undefined) return { problem: `failed to convert patch object to typed object: ${unfit}` };
  const atomics: string[] = [];
  findAtomics(config, type, '', atomics);
  if (atomics.length > 0) {
    const detail = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`;
    return { problem: `invalid ApplyConfiguration: ${detail}` };
  }
  const stored = typedValueProblem(object, type, { allowsDuplicates: true });
  if (stored !== undefined) return { problem: `failed to convert original object to typed object: ${stored}` };
  const merged = mergeTyped(object, config, type);
  return isRecord(merged) ? { object: merged } : { problem: 'failed to merge patch: the result is no object' };
}

/** More are not listed: a configuration may have thousands of them. */
const ATOMICS_MAX = 100;

function findAtomics(value: unknown, type: ApplyType, path: string, found: string[]): void {
  if (found.length >= ATOMICS_MAX) return;
  const { map, list } = type;
  if (isRecord(value) && map !== undefined) {
    if (map.isAtomic) found.push(path);
    if (isAnyType(type)) return;
    for (const name of Object.keys(value)) {
      const field = map.fields.get(name);
      if (field !== undefined) {
        findAtomics(memberOf(value, name), field.type, `${path}${elementText(fieldElement(name), 'integer')}`, found);
      }
    }
  } else if (Array.isArray(value) && list !== undefined) {
    if (list.isAtomic) found.push(path);
    for (const [index, item] of value.entries()) findAtomics(item, list.item, `${path}[${index}]`, found);
  }
}
