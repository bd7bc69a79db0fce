/** Which fields of a document its kind does not know, and which are given twice. */

import { quote } from '@listwatch/api';
import type { FieldTree } from '../resources/resource-definition.ts';

/** What a client wants done about such fields. */
export type FieldValidation = 'Ignore' | 'Strict' | 'Warn';

/** More than this many are not reported. */
const MAX_REPORTED = 100;

type Tree = FieldTree[string];

/** The paths of the fields that `tree` does not have, in the order of the document. */
export function unknownFields(tree: Tree, value: unknown): readonly string[] {
  const found: string[] = [];
  collect(tree, value, '', found);
  return found;
}

/**
 * The complaints about a document: unknown fields first, then those of `duplicates` that the kind knows. What stands
 * below an unknown field is not looked at.
 */
export function fieldComplaints(tree: Tree, value: unknown, duplicates: readonly string[]): readonly string[] {
  const unknown = unknownFields(tree, value);
  const known = duplicates.filter((path) => !unknown.some((field) => isBelow(path, field)));
  return [
    ...unknown.map((field) => `unknown field ${quote(field)}`),
    ...known.map((field) => `duplicate field ${quote(field)}`),
  ].slice(0, MAX_REPORTED);
}

/** The message of a strict decoder with these complaints. */
export function strictError(complaints: readonly string[]): string {
  return `strict decoding error: ${complaints.join(', ')}`;
}

function collect(tree: Tree, value: unknown, path: string, found: string[]): void {
  if (tree === true || typeof value !== 'object' || value === null) return;
  if (isListTree(tree)) {
    if (Array.isArray(value)) value.forEach((item, index) => collect(tree[0], item, `${path}[${index}]`, found));
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const field = path === '' ? name : `${path}.${name}`;
    const below = Object.hasOwn(tree, name) ? tree[name] : undefined;
    if (below === undefined) found.push(field);
    else collect(below, member, field, found);
  }
}

function isListTree(tree: FieldTree | readonly [FieldTree]): tree is readonly [FieldTree] {
  return Array.isArray(tree);
}

function isBelow(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
