/** Reads FieldsV1, the form in which field sets are stored. */

import { isRecord } from '@listwatch/api/values';
import { CREATED_SETS, MAX_SHAPE_CHARACTERS } from './created-sets.ts';
import { type FieldNode, FieldSet, LEAF, nodeOf, setOfNodes } from './field-set.ts';
import { canonicalElement, UNKNOWN_ELEMENT } from './path-element.ts';
import { TextCache } from './text-cache.ts';

/** Deeper sets cannot be read: a client could exhaust the stack. Bodies nest no deeper either. */
const MAX_DEPTH = 1000;

/** Entries are read again with every write of their object, and most of them have not changed. */
const MAX_CHARACTERS = 1_000_000;
const LONGEST_KEPT = 20_000;
const READ_SETS = new TextCache<FieldSet>({ characters: MAX_CHARACTERS, longest: LONGEST_KEPT });

/** A set needs some ten times the memory of its text. */
const BYTES_PER_CHARACTER = 10;

/** The memory of the sets that this process keeps, read ones and those of created objects, and its limit: estimates. */
export function fieldSetMemory(): { readonly bytes: number; readonly maxBytes: number } {
  return {
    bytes: (READ_SETS.characters + CREATED_SETS.characters) * BYTES_PER_CHARACTER,
    maxBytes: (MAX_CHARACTERS + MAX_SHAPE_CHARACTERS) * BYTES_PER_CHARACTER,
  };
}

/** Reads FieldsV1; null is empty. Undefined when it cannot be read. The sets that were read last are kept and shared. */
export function readFields(fieldsV1: unknown): FieldSet | undefined {
  if (fieldsV1 === undefined || fieldsV1 === null) return FieldSet.EMPTY;
  const text = textOf(fieldsV1);
  const known = text === undefined ? undefined : READ_SETS.get(text);
  if (known !== undefined) return known;
  const set = readLevel(fieldsV1, 0)?.below;
  if (set !== undefined && text !== undefined) READ_SETS.set(text, set);
  return set;
}

function readLevel(value: unknown, depth: number): FieldNode | undefined {
  if (value === null) return LEAF;
  if (!isRecord(value) || depth > MAX_DEPTH) return undefined;
  const level: ReadLevel = { isMember: false, isBroken: false, nodes: undefined };
  for (const key of Object.keys(value)) if (!readKey(level, key, value[key], depth + 1)) break;
  return levelNode(level);
}

interface ReadLevel {
  isMember: boolean;
  isBroken: boolean;
  nodes: Map<string, FieldNode> | undefined;
}

/** Returns false for a key that makes the whole set unreadable. */
function readKey(level: ReadLevel, key: string, value: unknown, depth: number): boolean {
  if (key === '.') {
    level.isMember = true;
    return true;
  }
  const element = canonicalElement(key);
  if (element === UNKNOWN_ELEMENT) return true;
  const node = element === undefined ? undefined : readLevel(value, depth);
  if (element === undefined || node === undefined) {
    level.isBroken = true;
    return false;
  }
  level.nodes ??= new Map();
  const twin = level.nodes.get(element);
  level.nodes.set(element, twin === undefined ? node : laterNode(twin, node));
  return true;
}

function levelNode({ isMember, isBroken, nodes }: ReadLevel): FieldNode | undefined {
  if (isBroken) return undefined;
  return nodes === undefined ? LEAF : nodeOf(isMember, setOfNodes(nodes));
}

/** Two spellings of one key: what is below the later one counts, if there is anything. */
function laterNode(earlier: FieldNode, later: FieldNode): FieldNode {
  return {
    isMember: earlier.isMember || later.isMember,
    below: later.below.isEmpty ? earlier.below : later.below,
  };
}

/** The text by which a set is found. Undefined for what has none: nested too deep, or with integers that a double cannot hold. */
function textOf(fieldsV1: unknown): string | undefined {
  try {
    return JSON.stringify(fieldsV1);
  } catch {
    return undefined;
  }
}
