/** A set of paths in an object: what one manager owns. */

import type { JsonRecord } from '../decode/json-record.ts';

/** A path: the keys of FieldsV1 from the root, such as `['f:spec', 'k:{"name":"a"}']`. */
export type FieldPath = readonly string[];

/**
 * An immutable set of paths, as a trie. The root is never a member.
 *
 * @example
 * FieldSet.parse({ 'f:spec': { 'f:replicas': {} } }).has(fieldPath('spec', 'replicas')); // true
 */
export class FieldSet {
  static readonly EMPTY: FieldSet = new FieldSet();

  /** The set of these paths. */
  static of(...paths: readonly FieldPath[]): FieldSet {
    throw new Error(`not built ${paths.length}`);
  }

  /** Reads FieldsV1. Undefined when it cannot be read. Equal ones are read once: the last few are kept. */
  static parse(fieldsV1: unknown): FieldSet | undefined {
    throw new Error(`not built ${String(fieldsV1)}`);
  }

  /** FieldsV1 as Kubernetes writes it. Made once and shared: never change it. */
  print(): JsonRecord {
    throw new Error('not built');
  }

  get isEmpty(): boolean {
    throw new Error('not built');
  }

  /** Is the path itself a member? */
  has(path: FieldPath): boolean {
    throw new Error(`not built ${path.length}`);
  }

  union(other: FieldSet): FieldSet {
    throw new Error(`not built ${String(other)}`);
  }

  intersection(other: FieldSet): FieldSet {
    throw new Error(`not built ${String(other)}`);
  }

  /** Without the members of the other set; what is below those stays. */
  difference(other: FieldSet): FieldSet {
    throw new Error(`not built ${String(other)}`);
  }

  /** Without the members of the other set and all that is below them. */
  without(other: FieldSet): FieldSet {
    throw new Error(`not built ${String(other)}`);
  }

  /** Only the members that have no members below them. */
  leaves(): FieldSet {
    throw new Error('not built');
  }

  equals(other: FieldSet): boolean {
    throw new Error(`not built ${String(other)}`);
  }

  /** The paths: at each level its own members first, in the order of FieldsV1. */
  paths(): FieldPath[] {
    throw new Error('not built');
  }
}

/** The path of nested fields. */
export function fieldPath(...names: readonly string[]): FieldPath {
  return names.map((name) => `f:${name}`);
}

/** A path as messages show it: `.spec.containers[name="a"].image`. */
export function fieldPathText(path: FieldPath): string {
  throw new Error(`not built ${path.length}`);
}
