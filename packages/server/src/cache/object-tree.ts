/** The current objects of a kind in key order: a copy-on-write B-tree, so that a snapshot copies nothing. */

import { compareKeys } from '@listwatch/storage';
import { BTree } from '@listwatch/storage/internal';
import type { CachedObject } from './cached-object.ts';

type Tree = BTree<string, CachedObject>;

/** Objects that a walk reads from the tree at once. */
const BATCH = 128;
const STOP = { break: 0 };

/** Counts that a snapshot caches, one for each next page. */
const MAX_COUNTS = 100;

/** The objects at one revision. */
export class ObjectSnapshot {
  readonly revision: bigint;
  /** Changes that were undone to make it: it shares no nodes on the way to them. */
  readonly undone: number;
  readonly #tree: Tree;
  readonly #counts = new Map<string, number>();

  constructor(tree: Tree, revision: bigint, undone = 0) {
    this.#tree = tree;
    this.revision = revision;
    this.undone = undone;
  }

  /** How many objects there are, of all namespaces. */
  get size(): number {
    return this.#tree.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#tree.get(key);
  }

  /** The objects whose keys begin with `prefix`, from `start` on (`''`: from the first). */
  *walk(prefix = '', start = ''): Generator<CachedObject, undefined> {
    let from = start;
    for (;;) {
      const batch: CachedObject[] = [];
      this.visit(prefix, from, (object) => batch.push(object) < BATCH);
      yield* batch;
      if (batch.length < BATCH) return;
      from = `${batch.at(-1)?.key}\0`;
    }
  }

  /** Calls `visit` with the same objects until it returns false: far cheaper than a generator. */
  visit(prefix: string, start: string, visit: (object: CachedObject) => boolean): void {
    const from = compareKeys(start, prefix) > 0 ? start : prefix;
    this.#tree.forRange(from, this.#behind(prefix), prefix === '', (_, object) => (visit(object) ? undefined : STOP));
  }

  /** How many keys begin with `prefix`, from `start` on. */
  count(prefix = '', start = ''): number {
    if (prefix === '' && start === '') return this.#tree.size;
    const known = this.#counts.get(countId(prefix, start));
    if (known !== undefined) return known;
    const from = compareKeys(start, prefix) > 0 ? start : prefix;
    const count = Math.max(0, this.#tree.forRange(from, this.#behind(prefix), prefix === ''));
    // Any other start is the client's own text, and may be long.
    return start === '' ? this.#remember(prefix, start, count) : count;
  }

  /** The same from `next` on, which is `passed` keys after `start`: the pages of a list count their keys only once. */
  countBehind(prefix: string, start: string, next: string, passed: number): number {
    return this.#remember(prefix, next, this.count(prefix, start) - passed);
  }

  #remember(prefix: string, start: string, count: number): number {
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(countId(prefix, start), count);
    return count;
  }

  /** The first key after all that begin with a prefix; without a prefix, the last key. */
  #behind(prefix: string): string {
    if (prefix === '') return this.#tree.maxKey() ?? '';
    return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  }

  /** The snapshot before `changes`, which are given newest first. */
  undo(changes: Iterable<ObjectChange>, revision: bigint): ObjectSnapshot {
    const tree = this.#tree.clone();
    let undone = 0;
    for (const { key, previous } of changes) {
      undone += 1;
      if (previous === undefined) tree.delete(key);
      else tree.set(key, previous);
    }
    return new ObjectSnapshot(tree, revision, undone);
  }
}

function countId(prefix: string, start: string): string {
  return `${prefix}\0${start}`;
}

/** One change of one object. */
export interface ObjectChange {
  readonly key: string;
  readonly revision: bigint;
  /** Undefined: it was deleted. */
  readonly object: CachedObject | undefined;
  /** Undefined: it was created. */
  readonly previous: CachedObject | undefined;
  /** `previous` at the revision of this change, for DELETED events. `scopedEvent` makes one copy for all channels. */
  lastState?: CachedObject | undefined;
}

/** The tree that the feed changes. */
export class ObjectTree {
  #tree: Tree = new BTree<string, CachedObject>(undefined, compareKeys);

  get size(): number {
    return this.#tree.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#tree.get(key);
  }

  set(object: CachedObject): void {
    this.#tree.set(object.key, object);
  }

  delete(key: string): void {
    this.#tree.delete(key);
  }

  /** Replaces all objects. */
  replace(objects: Iterable<CachedObject>): void {
    this.#tree = new BTree<string, CachedObject>(undefined, compareKeys);
    for (const object of objects) this.set(object);
  }

  /** The current objects. The tree shares its nodes with the snapshot and copies those that it changes later. */
  snapshot(revision: bigint): ObjectSnapshot {
    return new ObjectSnapshot(this.#tree.clone(), revision);
  }
}
