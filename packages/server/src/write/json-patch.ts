/**
 * JSON patches (RFC 6902), with the habits of the library that Kubernetes uses: what stands before the first slash of a
 * pointer does not count, and an index below zero counts from the end of its list.
 */

import { decodeJson, encodeJson } from '../kinds/shapes/exact-json.ts';
import { isRecord, sameJson } from '../kinds/shapes/json-value.ts';

/** One step of a patch. */
export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string | undefined;
  readonly value?: unknown;
}

/** A patch that does not apply. The message is for the log: clients are told no more than that. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
}

/** All that `copy` may add to a document, in characters of JSON: a few operations could make it grow without end. */
const MAX_COPIED = 3 * 1024 * 1024;

type Container = unknown[] | Map<string, unknown>;

/** A few copies of a document into itself nest it deeper than anything could write it down. */
const MAX_DEPTH = 1000;

/** The document after all operations, in their order. Throws a `JsonPatchError`. Changes nothing that it is given. */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const root = applyAll(open(document), operations);
  requireDepth(root, MAX_DEPTH);
  return close(root);
}

function applyAll(opened: unknown, operations: readonly JsonPatchOperation[]): unknown {
  let root = opened;
  let copied = 0;
  for (const operation of operations) {
    const { op, path } = operation;
    switch (op) {
      case 'add':
        insert(root, path, open(operation.value ?? null));
        break;
      case 'remove':
        remove(root, path);
        break;
      case 'replace':
        if (path === '') root = replacement(operation.value);
        else replace(root, path, open(operation.value ?? null));
        break;
      case 'move': {
        const moved = find(root, operation.from ?? '');
        remove(root, operation.from ?? '');
        insert(root, path, moved);
        break;
      }
      case 'copy': {
        const source = find(root, operation.from ?? '');
        requireDepth(source, MAX_DEPTH);
        const json = encodeJson(close(source));
        copied += json.length;
        if (copied > MAX_COPIED) throw new JsonPatchError(`copies more than ${MAX_COPIED} characters`);
        insert(root, path, open(decodeJson(Buffer.from(json))));
        break;
      }
      case 'test':
        if (!sameJson(close(path === '' ? root : find(root, path)), operation.value ?? null)) {
          throw new JsonPatchError(`testing value ${path} failed`);
        }
        break;
      default:
        throw new JsonPatchError(`unexpected kind: ${op}`);
    }
  }
  return root;
}

function insert(root: unknown, path: string, value: unknown): void {
  const { container, key } = locate(root, path);
  if (!Array.isArray(container)) container.set(key, value);
  else container.splice(key === '-' ? container.length : indexOf(key, container.length + 1, path), 0, value);
}

function remove(root: unknown, path: string): void {
  const { container, key } = locate(root, path);
  if (Array.isArray(container)) container.splice(indexOf(key, container.length, path), 1);
  else if (!container.delete(key)) throw new JsonPatchError(`nothing to remove at ${path}`);
}

function replace(root: unknown, path: string, value: unknown): void {
  const { container, key } = locate(root, path);
  member(container, key, path);
  if (Array.isArray(container)) container[indexOf(key, container.length, path)] = value;
  else container.set(key, value);
}

function find(root: unknown, path: string): unknown {
  const { container, key } = locate(root, path);
  return member(container, key, path);
}

function replacement(value: unknown): unknown {
  const opened = open(value);
  if (!isContainer(opened)) throw new JsonPatchError('only an object or a list can replace the whole');
  return opened;
}

/** What holds the place of a pointer, and under which key. */
function locate(root: unknown, path: string): { readonly container: Container; readonly key: string } {
  const [, ...keys] = path.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop();
  if (key === undefined) throw new JsonPatchError(`no place for ${path}`);
  let container = root;
  for (const part of keys) {
    if (!isContainer(container)) break;
    container = member(container, part, path);
  }
  if (!isContainer(container)) throw new JsonPatchError(`no place for ${path}`);
  return { container, key };
}

function member(container: Container, key: string, path: string): unknown {
  if (Array.isArray(container)) return container[indexOf(key, container.length, path)];
  if (!container.has(key)) throw new JsonPatchError(`nothing at ${path}`);
  return container.get(key);
}

function indexOf(key: string, length: number, path: string): number {
  const index = /^[+-]?\d{1,9}$/.test(key) ? Number(key) : Number.NaN;
  const counted = index < 0 ? index + length : index;
  if (!(counted >= 0 && counted < length)) throw new JsonPatchError(`no item ${key} at ${path}`);
  return counted;
}

function requireDepth(value: unknown, left: number): void {
  if (!isContainer(value)) return;
  if (left === 0) throw new JsonPatchError(`nests deeper than ${MAX_DEPTH}`);
  for (const item of value.values()) requireDepth(item, left - 1);
}

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || value instanceof Map;
}

/** A copy to work on, with Maps for objects: a field may have the name of something that every object inherits. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  return isRecord(value) ? new Map(Object.entries(value).map(([key, item]) => [key, open(item)])) : value;
}

function close(value: unknown): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map(close);
  return Object.fromEntries([...value].map(([key, item]) => [key, close(item)]));
}
