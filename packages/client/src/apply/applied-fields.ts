/** A three-way merge for servers without server-side apply. Pure: it computes the patch, `apply-object.ts` sends it. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { textHash } from './text-hash.ts';

/**
 * The fields that were applied, without their values, which may be secret. A scalar is 1. A list is the hash of its value: it
 * is replaced as a whole, and only its hash tells whether the applier changed it or the server filled in defaults.
 */
export interface FieldTree {
  readonly [name: string]: FieldTree | string | 1;
}

/** The fields of an object. An empty object counts as a value: it must be removed when it is no longer applied. */
export function fieldTree(object: JsonRecord): FieldTree {
  const entries = present(object).map(([name, value]) => [name, fieldOf(value)] as const);
  // `fromEntries` and no assignment: a field may be called `__proto__`.
  return Object.fromEntries(entries);
}

/** Reads a tree; what is none is an empty one. */
export function parseFieldTree(text: unknown): FieldTree {
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isTree(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * The merge patch that makes `current` have the fields of `desired` and no more those that were applied before and are missing
 * now. Fields of others stay. `undefined`: nothing has to change.
 */
export function applyPatch(current: JsonRecord, desired: JsonRecord, previous: FieldTree): JsonRecord | undefined {
  const changes: (readonly [string, unknown])[] = [];
  const wanted = present(desired);
  for (const [name, want] of wanted) {
    const change = fieldPatch(own(current, name), want, own(previous, name));
    if (change !== undefined) changes.push([name, change]);
  }
  const names = new Set(wanted.map(([name]) => name));
  for (const [name, before] of Object.entries(previous)) {
    const have = own(current, name);
    if (names.has(name) || have === undefined) continue;
    const removal = removalOf(have, before);
    if (removal !== undefined) changes.push([name, removal]);
  }
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** Does `have` have everything that `want` has? Objects may have more. */
export function covers(have: unknown, want: unknown): boolean {
  if (Array.isArray(want)) {
    if (!Array.isArray(have) || have.length !== want.length) return false;
    return want.every((item, index) => covers(have[index], item));
  }
  if (!isRecord(want)) return have === want;
  return isRecord(have) && present(want).every(([name, value]) => covers(own(have, name), value));
}

function fieldOf(value: unknown): FieldTree | string | 1 {
  if (Array.isArray(value)) return textHash(JSON.stringify(value));
  return isRecord(value) && present(value).length > 0 ? fieldTree(value) : 1;
}

function fieldPatch(have: unknown, want: unknown, before: unknown): unknown {
  if (Array.isArray(want)) {
    const isApplied = before === textHash(JSON.stringify(want)) || covers(want, have);
    return isApplied && covers(have, want) ? undefined : want;
  }
  if (!isRecord(want)) return have === want ? undefined : want;
  return isRecord(have) ? applyPatch(have, want, isTree(before) ? before : {}) : want;
}

/** `null` removes all of it; others may have added to it, and keep what is theirs. */
function removalOf(have: unknown, before: FieldTree[string]): JsonRecord | null | undefined {
  if (!isTree(before) || !isRecord(have)) return null;
  const patch = applyPatch(have, {}, before);
  if (patch === undefined) return undefined;
  const isAll = Object.keys(have).every((name) => own(patch, name) === null);
  return isAll ? null : patch;
}

function isTree(value: unknown): value is FieldTree {
  return isRecord(value);
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** `null` and `undefined` say that a field is not applied. */
function present(object: JsonRecord): readonly (readonly [string, unknown])[] {
  return Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
}
