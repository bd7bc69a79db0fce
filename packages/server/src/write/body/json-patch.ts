/**
 * JSON patches (RFC 6902) as the library of Kubernetes applies them: text before the first slash of a pointer is ignored, an
 * index below zero counts from the end, and a missing member reads as null. The cost of an operation depends on its own
 * size, not on that of the document: patches may have 10 000 of them.
 */

import { quote } from '@listwatch/api';
import {
  closed,
  DepthError,
  type EditableContainer,
  isOpened,
  isSame,
  jsonLength,
  opened,
  openMember,
  requireDepth,
} from './editable-json.ts';
import { EditableList } from './editable-list.ts';

/** One step of a patch. */
export interface JsonPatchOperation {
  readonly op: string;
  /** Undefined: the operation has none and does not apply. */
  readonly path: string | undefined;
  readonly from?: string | undefined;
  readonly value?: unknown;
}

/** A patch that does not apply. The message is in the words of Go's library: webhooks and policies show it. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
}

/** All that `copy` may add to a document, in characters of JSON: a few operations could make it grow without end. */
const MAX_COPIED = 3 * 1024 * 1024;

/** Operations may nest a document in itself, deeper than `JSON.stringify` could write it. */
const MAX_DEPTH = 1000;

/** The document after all operations, in their order. Throws a `JsonPatchError`. Changes nothing that it is given. */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  try {
    const patched = closed(applyAll(opened(document), operations), MAX_DEPTH);
    if (operations.some(mayNest)) requireDepth(patched, MAX_DEPTH);
    return patched;
  } catch (error) {
    throw error instanceof DepthError ? new JsonPatchError(`nests deeper than ${MAX_DEPTH}`) : error;
  }
}

function mayNest({ op, value }: JsonPatchOperation): boolean {
  return op === 'move' || op === 'copy' || (typeof value === 'object' && value !== null);
}

function applyAll(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  let root = document;
  let copied = 0;
  for (const { op, path, from, value = null } of operations) {
    if (path === undefined) throw missing(`${op} operation failed to decode path`);
    const words = wordsOf(op, path);
    switch (op) {
      case 'add':
        insert(root, path, value, words);
        break;
      case 'remove':
        remove(root, path, words);
        break;
      case 'replace':
        if (path === '') root = replacement(value);
        else replace(root, path, value, words);
        break;
      case 'move': {
        const source = sourceWords(op, from ?? '');
        const moved = find(root, from ?? '', source);
        remove(root, from ?? '', source);
        insert(root, path, moved, destinationWords(op, path));
        break;
      }
      case 'copy': {
        const copy = closed(find(root, from ?? '', sourceWords(op, from ?? '')), MAX_DEPTH);
        copied += copy === null ? 0 : jsonLength(copy, MAX_COPIED, MAX_DEPTH);
        if (copied > MAX_COPIED) throw new JsonPatchError(`copies more than ${MAX_COPIED} characters`);
        insert(root, path, copy, destinationWords(op, path));
        break;
      }
      case 'test':
        if (!isSame(path === '' ? root : find(root, path, words), value)) {
          throw new JsonPatchError(`testing value ${path} failed: test failed`);
        }
        break;
      default:
        throw new JsonPatchError(`Unexpected kind: ${op}`);
    }
  }
  return root;
}

/** How the failures of an operation are worded. */
interface PatchWords {
  /** There is nothing where the pointer leads to. */
  readonly noPlace: string;
  /** What comes before the problem with the last key. */
  readonly prefix: string;
}

function wordsOf(op: string, path: string): PatchWords {
  const shown = op === 'test' || op === 'replace' ? path : `"${path}"`;
  const place = op === 'test' ? 'is missing path' : 'doc is missing path';
  const prefix = `error in ${op === 'replace' ? 'remove' : op} for path: '${path}'`;
  return { noPlace: `${op} operation does not apply: ${place}: ${shown}`, prefix };
}

function sourceWords(op: string, from: string): PatchWords {
  const prefix = op === 'copy' ? `error in copy for from: '${from}'` : `error in move for path: '${from}'`;
  return { noPlace: `${op} operation does not apply: doc is missing from path: ${from}`, prefix };
}

function destinationWords(op: string, path: string): PatchWords {
  const noPlace = `${op} operation does not apply: doc is missing destination path: ${path}`;
  return { noPlace, prefix: `error in ${op} for path: '${path}'` };
}

function missing(what: string): JsonPatchError {
  return new JsonPatchError(`${what}: missing value`);
}

function insert(root: unknown, path: string, value: unknown, words: PatchWords): void {
  const { container, key } = locate(root, path, words);
  if (container instanceof Map) container.set(key, value);
  else container.insert(key === '-' ? container.length : indexOf(key, container.length + 1, words), value);
}

function remove(root: unknown, path: string, words: PatchWords): void {
  const { container, key } = locate(root, path, words);
  if (container instanceof EditableList) container.remove(indexOf(key, container.length, words));
  else if (!container.delete(key)) throw missing(`${words.prefix}: Unable to remove nonexistent key: ${key}`);
}

/** A member of an object that is not there is set, as Kubernetes does. */
function replace(root: unknown, path: string, value: unknown, words: PatchWords): void {
  const { container, key } = locate(root, path, words);
  if (container instanceof Map) container.set(key, value);
  else container.set(indexOf(key, container.length, words), value);
}

/** The value at a pointer, opened; null for a missing member of an object. */
function find(root: unknown, path: string, words: PatchWords): unknown {
  const { container, key } = locate(root, path, words);
  return member(container, key, words);
}

function replacement(value: unknown): unknown {
  const root = opened(value);
  if (!isOpened(root)) throw new JsonPatchError('only an object or a list can replace the whole');
  return root;
}

/** The container that a pointer leads to, and the last key of the pointer. */
function locate(
  root: unknown,
  path: string,
  words: PatchWords,
): { readonly container: EditableContainer; readonly key: string } {
  const [, ...keys] = path.split('/', MAX_DEPTH + 2).map(unescaped);
  const key = keys.pop();
  // A longer pointer leads out of every document; it may have a million parts.
  if (key === undefined || keys.length === MAX_DEPTH) throw missing(words.noPlace);
  let container = root;
  for (const part of keys) {
    if (!isOpened(container)) break;
    container = member(container, part, words);
  }
  if (!isOpened(container)) throw missing(words.noPlace);
  return { container, key };
}

function unescaped(part: string): string {
  return part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;
}

function member(container: EditableContainer, key: string, words: PatchWords): unknown {
  if (container instanceof Map) return container.has(key) ? openMember(container, key) : null;
  return openMember(container, indexOf(key, container.length, words));
}

function indexOf(key: string, length: number, { prefix }: PatchWords): number {
  if (!/^[+-]?\d{1,9}$/.test(key)) {
    throw new JsonPatchError(`${prefix}: strconv.Atoi: parsing ${quote(key)}: invalid syntax`);
  }
  const index = Number(key);
  const counted = index < 0 ? index + length : index;
  if (counted >= 0 && counted < length) return counted;
  throw new JsonPatchError(`${prefix}: Unable to access invalid index: ${index}: invalid index referenced`);
}
