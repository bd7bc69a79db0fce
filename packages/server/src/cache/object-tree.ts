/** The current objects of a kind, in key order, with snapshots that cost nothing until something changes. */

import { compareKeys } from '@listwatch/storage';
import module from 'sorted-btree';
import type { CachedObject } from './cached-object.ts';

const BTree: typeof module.default = module.default;
type Tree = InstanceType<typeof BTree<string, CachedObject>>;

/** Objects taken from the tree at once by a walk that its reader may leave at any time. */
const BATCH = 128;
const STOP = { break: 0 };

/** Counts that a snapshot remembers. */
const MAX_COUNTS = 1000;

/** The objects as one revision left them. */
export class ObjectSnapshot {
  readonly revision: bigint;
  readonly #tree: Tree;
  readonly #counts = new Map<string, number>();

  constructor(tree: Tree, revision: bigint) {
    this.#tree = tree;
    this.revision = revision;
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

  /** Calls `visit` with the same objects until it answers false: far cheaper than a generator. */
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
    // Not remembered: `start` is the client's own text, and may be long.
    return Math.max(0, this.#tree.forRange(from, this.#behind(prefix), prefix === ''));
  }

  /** The same from `next` on, which comes `passed` keys behind `start`: all pages of a list count only once. */
  countBehind(prefix: string, start: string, next: string, passed: number): number {
    return this.#remember(prefix, next, this.count(prefix, start) - passed);
  }

  #remember(prefix: string, start: string, count: number): number {
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(countId(prefix, start), count);
    return count;
  }

  /** The first key behind all that begin with a prefix; for none, the last key there is. */
  #behind(prefix: string): string {
    if (prefix === '') return this.#tree.maxKey() ?? '';
    return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  }

  /** Another snapshot from before `changes`, newest first. */
  undo(changes: Iterable<ObjectChange>, revision: bigint): ObjectSnapshot {
    const tree = this.#tree.clone();
    for (const { key, previous } of changes) {
      if (previous === undefined) tree.delete(key);
      else tree.set(key, previous);
    }
    return new ObjectSnapshot(tree, revision);
  }
}

function countId(prefix: string, start: string): string {
  return `${prefix}\0${start}`;
}

/** One change of one object. */
export interface ObjectChange {
  readonly key: string;
  readonly revision: bigint;
  /** What the object is now; undefined: it was deleted. */
  readonly object: CachedObject | undefined;
  /** What it was before; undefined: it was created. */
  readonly previous: CachedObject | undefined;
}

/** The writable end. */
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

  /** Begins anew with these objects. */
  replace(objects: Iterable<CachedObject>): void {
    this.#tree = new BTree<string, CachedObject>(undefined, compareKeys);
    for (const object of objects) this.set(object);
  }

  /** The objects as they are now. The tree shares its nodes with it and copies those it changes later. */
  snapshot(revision: bigint): ObjectSnapshot {
    return new ObjectSnapshot(this.#tree.clone(), revision);
  }
}
