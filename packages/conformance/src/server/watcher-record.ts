/** The checker of watchers: holds what one saw against what was committed, and names the guarantee that broke. */

import { beginningState } from './beginning-state.ts';
import { byBytes, keyOfObject as keyOf, type LoadedObject, type StoredChange } from './stored-change.ts';

/**
 * What a watcher is promised:
 *
 * - **initial**: it begins with exactly the selected objects of one state, in the order of their keys;
 * - **ordered**: events and bookmarks never go back;
 * - **unique**: no event comes twice;
 * - **reliable**: every selected change comes, as the event that it means to this selection, and nothing else;
 * - **resumable**: a watch from the last version that was seen goes on without a gap;
 * - **bookmarkable**: a bookmark says that everything up to its version has come;
 * - **convergent**: the objects put together from the events are the objects of the store.
 */
export type WatcherGuarantee =
  | 'bookmarkable'
  | 'convergent'
  | 'initial'
  | 'ordered'
  | 'reliable'
  | 'resumable'
  | 'unique';

/** What came on a connection. */
export type SeenEvent =
  | { readonly type: 'ADDED' | 'DELETED' | 'MODIFIED'; readonly version: bigint; readonly object: LoadedObject }
  | { readonly type: 'BOOKMARK'; readonly version: bigint; readonly endsInitial: boolean };

/** One connection: it began with a state, or with what changed after a version. */
export interface WatcherSegment {
  readonly after: bigint | undefined;
  readonly events: SeenEvent[];
}

/** A watcher with all its connections. */
export interface WatcherRecord {
  readonly name: string;
  readonly selects: (object: LoadedObject) => boolean;
  /** The state that the first segment goes on from, where it does not begin with one of its own. */
  readonly base?: { readonly version: bigint; readonly objects: readonly LoadedObject[] } | undefined;
  /**
   * May a state be an earlier one, with the changes up to its end behind it? kube-apiserver and relays answer so: they
   * begin at once and hold the end back until nothing older can be missing. Our own servers do not. Default: false.
   */
  readonly mayBeginEarlier?: boolean | undefined;
  readonly segments: readonly WatcherSegment[];
}

/** A broken promise. */
export interface WatcherViolation {
  readonly guarantee: WatcherGuarantee;
  readonly message: string;
}

/**
 * The first promise that a record breaks; undefined when it is right. `truth` has every change, oldest first. With
 * `until` the watcher must have seen everything up to that version.
 */
export function checkWatcher(
  truth: readonly StoredChange[],
  record: WatcherRecord,
  until?: bigint,
): WatcherViolation | undefined {
  const check = new WatcherCheck(truth, record);
  try {
    check.run(until);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenPromise) return error.violation;
    throw error;
  }
}

class BrokenPromise extends Error {
  readonly violation: WatcherViolation;

  constructor(guarantee: WatcherGuarantee, message: string) {
    super(message);
    this.violation = { guarantee, message };
  }
}

type ObjectEvent = Exclude<SeenEvent, { readonly type: 'BOOKMARK' }>;

/** Walks through the truth and a record side by side. */
class WatcherCheck {
  readonly #truth: readonly StoredChange[];
  readonly #record: WatcherRecord;
  /** How many changes of the truth have been accounted for. */
  #at = 0;
  /** The selected objects after those changes. */
  readonly #expected = new Map<string, LoadedObject>();
  /** What the watcher has put together. */
  readonly #built = new Map<string, LoadedObject>();
  /** The last version that the watcher knows of. */
  #seen = 0n;

  constructor(truth: readonly StoredChange[], record: WatcherRecord) {
    this.#truth = truth;
    this.#record = record;
  }

  run(until: bigint | undefined): void {
    const { base, segments } = this.#record;
    if (base !== undefined) this.#begin(base.version, base.objects);
    for (const segment of segments) this.#segment(segment);
    if (until === undefined) return;
    const missing = this.#skipTo(until);
    if (missing !== undefined) fail('reliable', `${describe(missing)} never came`);
    this.#compare(`at the end, at ${until}`);
  }

  #segment({ after, events }: WatcherSegment): void {
    if (after !== undefined) {
      if (after !== this.#seen)
        fail('resumable', `resumed after ${after}, but ${this.#seen} was the last that was seen`);
      for (const event of events) this.#event(event);
      return;
    }
    const end = events.findIndex((event) => event.type === 'BOOKMARK');
    const bookmark = events[end];
    // A connection that broke before the state was whole promises nothing; the next one begins anew.
    if (bookmark?.type !== 'BOOKMARK') return;
    if (!bookmark.endsInitial)
      fail('initial', `a bookmark at ${bookmark.version} came before the one that ends the state`);
    if (this.#record.mayBeginEarlier === true) this.#beginEarlier(bookmark.version, events.slice(0, end));
    else this.#begin(bookmark.version, events.slice(0, end).map(added));
    for (const event of events.slice(end + 1)) this.#event(event);
  }

  /** The watcher has a state of before, and what changed from there to the end. */
  #beginEarlier(end: bigint, events: readonly SeenEvent[]): void {
    if (end < this.#seen) fail('ordered', `a state that ends at ${end} came after ${this.#seen} had been seen`);
    const state = beginningState(this.#truth, this.#record.selects, end, events);
    if (state === undefined) fail('initial', `what came before the end of the state at ${end} begins with no state`);
    this.#at = 0;
    this.#expected.clear();
    this.#seen = 0n;
    this.#begin(state.version, events.slice(0, state.size).map(added));
    for (const event of events.slice(state.size)) this.#event(event);
    this.#bookmark(end, false);
  }

  /** The watcher has a whole state. */
  #begin(version: bigint, objects: readonly LoadedObject[]): void {
    if (version < this.#seen) fail('ordered', `a state at ${version} came after ${this.#seen} had been seen`);
    this.#skipTo(version);
    const expected = [...this.#expected.keys()].toSorted(byBytes);
    const keys = objects.map(keyOf);
    if (keys.join() !== expected.join()) {
      fail('initial', `the state at ${version} is ${keys.join()}, the store has ${expected.join()}`);
    }
    this.#built.clear();
    for (const object of objects) this.#built.set(keyOf(object), object);
    this.#seen = version;
    this.#compare(`in the state at ${version}`);
  }

  #event(event: SeenEvent): void {
    if (event.type === 'BOOKMARK') return this.#bookmark(event.version, event.endsInitial);
    const key = keyOf(event.object);
    if (event.version < this.#seen) {
      const earlier = this.#truth
        .slice(0, this.#at)
        .some((change) => change.revision === event.version && change.key === key);
      fail(earlier ? 'unique' : 'ordered', `${event.type} ${key} at ${event.version} came after ${this.#seen}`);
    }
    if (event.version === this.#seen) fail('unique', `${event.type} ${key} at ${event.version} came again`);
    const change = this.#nextSelected(event.version);
    if (change === undefined || change.revision > event.version) {
      fail('reliable', `${event.type} ${key} at ${event.version} came, but no selected change has this version`);
    }
    if (change.revision < event.version) {
      fail('reliable', `${describe(change)} never came; ${event.type} ${key} at ${event.version} did`);
    }
    const type = this.#meaning(change);
    this.#apply(change);
    this.#check(event, change, type);
    if (event.type === 'DELETED') this.#built.delete(key);
    else this.#built.set(key, event.object);
    this.#seen = event.version;
  }

  #check(event: ObjectEvent, change: StoredChange, type: ObjectEvent['type'] | undefined): void {
    const object = type === 'DELETED' ? change.previous : change.object;
    if (event.type !== type || object === undefined || !same(event.object, object)) {
      const got = `${event.type} ${JSON.stringify(event.object)}`;
      fail('reliable', `${describe(change)} came as ${got}, not as ${type} ${JSON.stringify(object)}`);
    }
  }

  #bookmark(version: bigint, endsInitial: boolean): void {
    if (endsInitial) fail('initial', `the state ended a second time, at ${version}`);
    if (version < this.#seen) fail('ordered', `a bookmark at ${version} came after ${this.#seen}`);
    const missing = this.#skipTo(version);
    if (missing !== undefined)
      fail('bookmarkable', `${describe(missing)} had not come before the bookmark at ${version}`);
    this.#seen = version;
    this.#compare(`at the bookmark at ${version}`);
  }

  /** Accounts for everything up to a version; the first change among it that the watcher should have been told. */
  #skipTo(version: bigint): StoredChange | undefined {
    let missed: StoredChange | undefined;
    for (
      let change = this.#truth[this.#at];
      change !== undefined && change.revision <= version;
      change = this.#truth[this.#at]
    ) {
      if (this.#meaning(change) !== undefined) missed ??= change;
      this.#apply(change);
    }
    return missed;
  }

  /** The next change that means something here, not after `version`; what means nothing is accounted for. */
  #nextSelected(version: bigint): StoredChange | undefined {
    for (
      let change = this.#truth[this.#at];
      change !== undefined && change.revision <= version;
      change = this.#truth[this.#at]
    ) {
      if (this.#meaning(change) !== undefined) return change;
      this.#apply(change);
    }
    return this.#truth[this.#at];
  }

  #meaning({ object, previous }: StoredChange): ObjectEvent['type'] | undefined {
    const { selects } = this.#record;
    const was = previous !== undefined && selects(previous);
    if (object !== undefined && selects(object)) return was ? 'MODIFIED' : 'ADDED';
    return was ? 'DELETED' : undefined;
  }

  #apply({ key, object }: StoredChange): void {
    this.#at += 1;
    if (object !== undefined && this.#record.selects(object)) this.#expected.set(key, object);
    else this.#expected.delete(key);
  }

  #compare(when: string): void {
    if (this.#built.size !== this.#expected.size) {
      fail('convergent', `${when} the watcher has ${this.#built.size} objects, the store ${this.#expected.size}`);
    }
    for (const [key, object] of this.#expected) {
      const built = this.#built.get(key);
      if (built === undefined || !same(built, object)) fail('convergent', `${when} the watcher has another ${key}`);
    }
  }
}

function added(event: SeenEvent): LoadedObject {
  if (event.type === 'ADDED') return event.object;
  return fail('initial', `${event.type} came before the end of the state`);
}

function fail(guarantee: WatcherGuarantee, message: string): never {
  throw new BrokenPromise(guarantee, message);
}

function same(left: LoadedObject, right: LoadedObject): boolean {
  return left.content === right.content && JSON.stringify(left.labels) === JSON.stringify(right.labels);
}

function describe({ key, revision, object }: StoredChange): string {
  return `the ${object === undefined ? 'deletion' : 'write'} of ${key} at ${revision}`;
}
