/** Which fields of a document its kind does not know, and which are given twice. */

import { quote } from '@listwatch/api';
import type { FieldTree } from '../../kinds/resource-definition.ts';
import { type JsonLevel, pathOf, walkJson } from '../../kinds/shapes/json-walk.ts';
import type { JsonDocument } from './json-document.ts';

/** What a client wants done about such fields. */
export type FieldValidation = 'Ignore' | 'Strict' | 'Warn';

/** At most this many are reported, as in Kubernetes. */
const MAX_REPORTED = 100;
/** And no more once they have this many characters: each may repeat a key of a megabyte. */
const MAX_CHARACTERS = 64 * 1024;

type Tree = FieldTree[string];

/** The paths of the fields that `tree` does not have, in the order of the document; at most `MAX_REPORTED` of them. */
export function unknownFields(tree: Tree, value: unknown): readonly string[] {
  const found: string[] = [];
  collect(tree, value, undefined, found);
  return found;
}

/** The complaints about the unknown fields of a value. */
export function unknownComplaints(tree: Tree, value: unknown): readonly string[] {
  return unknownFields(tree, value).map(unknownField);
}

/**
 * The complaints about a document, in its order: unknown fields, and fields that are given twice. What stands below an
 * unknown field is not looked at.
 */
export function fieldComplaints(
  tree: Tree,
  { value, repeatingText }: Pick<JsonDocument, 'repeatingText' | 'value'>,
): readonly string[] {
  return repeatingText === undefined ? unknownComplaints(tree, value) : complaintsInOrder(tree, repeatingText);
}

interface FieldLevel extends JsonLevel {
  /** The fields that are known here; undefined: below an unknown field. */
  readonly tree: Tree | undefined;
  /** The keys so far. */
  readonly keys: Set<string>;
}

/** A parsed value has lost the repeated fields and their order, so this walks over the text again. */
function complaintsInOrder(root: Tree, text: string): readonly string[] {
  const complaints = new Set<string>();
  let characters = 0;
  const complain = (complaint: string): void => {
    complaints.add(complaint);
    characters += complaint.length;
  };
  walkJson<FieldLevel>(text, {
    open: (parent, isObject) => ({
      isObject,
      at: isObject ? '' : 0,
      tree: parent === undefined ? root : treeBelow(parent),
      keys: new Set(),
    }),
    member: (levels) => {
      const level = levels.at(-1);
      if (level?.tree === undefined || typeof level.at !== 'string') return true;
      const isRepeated = level.keys.has(level.at);
      level.keys.add(level.at);
      if (treeBelow(level) === undefined) complain(unknownField(pathOf(levels)));
      else if (isRepeated) complain(duplicateField(pathOf(levels)));
      return complaints.size < MAX_REPORTED && characters < MAX_CHARACTERS;
    },
  });
  return [...complaints];
}

/** The fields known below what a level is at; undefined when that is unknown itself. */
function treeBelow({ tree, at }: FieldLevel): Tree | undefined {
  if (tree === true || tree === undefined) return tree;
  if (isListTree(tree)) return typeof at === 'number' ? tree[0] : true;
  if (typeof at === 'number') return true;
  return Object.hasOwn(tree, at) ? tree[at] : undefined;
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

/** Where a value stands. Its path is put together for a complaint only: every write is checked, and few are at fault. */
interface Place {
  readonly at: string | number;
  readonly above: Place | undefined;
}

/** Recurses no deeper than the tree. */
function collect(tree: Tree, value: unknown, place: Place | undefined, found: string[]): void {
  if (tree === true || typeof value !== 'object' || value === null) return;
  if (isListTree(tree)) {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length && found.length < MAX_REPORTED; index += 1) {
      collect(tree[0], value[index], { at: index, above: place }, found);
    }
    return;
  }
  for (const name of Object.keys(value)) {
    if (found.length >= MAX_REPORTED) return;
    const below = Object.hasOwn(tree, name) ? tree[name] : undefined;
    if (below === true) continue;
    const here = { at: name, above: place };
    if (below === undefined) found.push(pathOf(placesTo(here)));
    else collect(below, Reflect.get(value, name), here, found);
  }
}

/** From the top to the place. */
function placesTo(place: Place): readonly Place[] {
  const places: Place[] = [];
  for (let here: Place | undefined = place; here !== undefined; here = here.above) places.push(here);
  return places.toReversed();
}

function isListTree(tree: FieldTree | readonly [FieldTree]): tree is readonly [FieldTree] {
  return Array.isArray(tree);
}
