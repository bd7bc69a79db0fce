/** The JSON patch that makes one value of another. */

import { isRecord, sameJson } from '@listwatch/api/values';
import type { PatchOperation } from '@listwatch/client';

/**
 * Compares, and says only what differs: members that no handler knows stay as they are, also integers that JavaScript cannot hold.
 * Throws a TypeError that names the place of a value that JSON cannot hold.
 */
export function jsonPatchOf(before: unknown, after: unknown): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  compare(before, jsonCopy(after, ''), '', operations);
  return operations;
}

function compare(before: unknown, after: unknown, path: string, operations: PatchOperation[]): void {
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, operations);
  else if (isRecord(before) && isRecord(after)) compareRecords(before, after, path, operations);
  else if (before !== after) operations.push({ op: 'replace', path, value: exact(after, path) });
}

function compareRecords(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: string,
  operations: PatchOperation[],
): void {
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) operations.push({ op: 'remove', path: below(path, name) });
  for (const [name, value] of Object.entries(after)) {
    const at = below(path, name);
    if (Object.hasOwn(before, name)) compare(before[name], value, at, operations);
    else operations.push({ op: 'add', path: at, value: exact(value, at) });
  }
}

/** What both begin and end with stays; the rest is compared place by place. Items that moved are written anew. */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  operations: PatchOperation[],
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && sameJson(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && sameJson(before.at(-1 - end), after.at(-1 - end))) end++;
  const [beforeEnd, afterEnd] = [before.length - end, after.length - end];
  const common = Math.min(beforeEnd, afterEnd);
  for (let at = start; at < common; at++) compare(before[at], after[at], `${path}/${at}`, operations);
  // From behind: each removal moves what follows.
  for (let at = beforeEnd - 1; at >= common; at--) operations.push({ op: 'remove', path: `${path}/${at}` });
  for (let at = common; at < afterEnd; at++)
    operations.push({ op: 'add', path: `${path}/${at}`, value: exact(after[at], `${path}/${at}`) });
}

function below(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value as JSON has it, without members that are undefined. Throws where JSON would lose something without a word. */
function jsonCopy(value: unknown, path: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return Array.from(value, (item, at) => jsonCopy(item, `${path}/${at}`));
  if (typeof value !== 'object')
    throw new TypeError(`the draft has ${shown(value)} at ${path}, which JSON cannot hold`);
  if ('toJSON' in value && typeof value.toJSON === 'function') return jsonCopy(value.toJSON(), path);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`the draft has an object at ${path} that is no plain object; JSON cannot hold it`);
  const copy: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) copy.push([name, jsonCopy(member, below(path, name))]);
  return Object.fromEntries(copy);
}

function shown(value: unknown): string {
  return typeof value === 'number' || typeof value === 'bigint' ? `the ${typeof value} ${value}` : `a ${typeof value}`;
}

/** Throws for an integer that was rounded when it was read: written back, it would be another one. */
function exact(value: unknown, path: string): unknown {
  const place = roundedInteger(value, path);
  if (place === undefined) return value;
  throw new TypeError(`the patch would write an integer beyond 2^53 at ${place}, which JavaScript cannot hold exactly`);
}

/** The place of an integer that may have been rounded. */
export function roundedInteger(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const place = roundedInteger(member, below(path, name));
    if (place !== undefined) return place;
  }
  return undefined;
}
