/** Which fields of a document its kind does not know, and which are given twice. */

import { quote } from '@listwatch/api';
import type { FieldTree } from '../kinds/resource-definition.ts';
import { scanJson } from '../kinds/shapes/json-scan.ts';
import type { JsonDocument } from './request-body.ts';

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

/** The complaints about the unknown fields of what is no document of a client's. */
export function unknownComplaints(tree: Tree, value: unknown): readonly string[] {
  return unknownFields(tree, value).map(unknownField).slice(0, MAX_REPORTED);
}

/**
 * The complaints about a document, in its order: unknown fields, and those of `duplicates` that the kind knows. What stands
 * below an unknown field is not looked at. `text` is the document as it came.
 */
export function fieldComplaints(
  tree: Tree,
  { value, duplicates, text }: Pick<JsonDocument, 'duplicates' | 'text' | 'value'>,
): readonly string[] {
  const unknown = unknownFields(tree, value);
  const known = duplicates.filter((path) => !unknown.some((field) => isBelow(path, field)));
  const isMixed = unknown.length > 0 && known.length > 0;
  const complaints = isMixed
    ? inOrder(text, unknown, known)
    : [...unknown.map(unknownField), ...known.map(duplicateField)];
  return complaints.slice(0, MAX_REPORTED);
}

/** Neither what was parsed nor a list of what is there twice tells what came first: that takes another look at the text. */
function inOrder(text: string, unknown: readonly string[], duplicates: readonly string[]): readonly string[] {
  const [strange, twice] = [new Set(unknown), new Set(duplicates)];
  const complaints = new Set<string>();
  scanJson(text, (path, isRepeated) => {
    if (isRepeated && twice.has(path)) complaints.add(duplicateField(path));
    if (!isRepeated && strange.has(path)) complaints.add(unknownField(path));
  });
  return [...complaints];
}

function unknownField(field: string): string {
  return `unknown field ${quote(field)}`;
}

function duplicateField(field: string): string {
  return `duplicate field ${quote(field)}`;
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
