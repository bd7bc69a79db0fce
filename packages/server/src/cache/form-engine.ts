/** A storage engine that shows the objects of a custom kind in one version, and stores them in another. */

import type { AbortOptions } from '@listwatch/api';
import type {
  Change,
  CommitResult,
  Entry,
  GetResult,
  RangeOptions,
  RangeResult,
  ReadOptions,
  Revision,
  StorageCapabilities,
  StorageEngine,
  StorageEvent,
  StorageWatch,
  WatchBatch,
  WatchOptions,
} from '@listwatch/storage';
import { LoopPace, type Pause } from '../contract/pause.ts';
import { type ShownEntry, shownEntry } from '../stored/shown-entry.ts';
import type { StoredForm } from '../stored/stored-form.ts';
import { layoutOf } from '../stored/stored-object.ts';
import type { ResourceCache } from './resource-cache.ts';

/** The verbs of a version work on it as on any engine. Keys of other kinds pass unchanged. */
export class FormEngine implements StorageEngine {
  readonly capabilities: StorageCapabilities;
  readonly #engine: StorageEngine;
  readonly #form: StoredForm;
  readonly #cache: ResourceCache;
  /** The stored form of values that were committed, for `readBack`. */
  readonly #stored = new WeakMap<Uint8Array, Uint8Array>();

  /** `cache` is that of the version: what it has is not decoded again. */
  constructor(engine: StorageEngine, form: StoredForm, cache: ResourceCache) {
    this.capabilities = engine.capabilities;
    this.#engine = engine;
    this.#form = form;
    this.#cache = cache;
  }

  async get(key: string, options?: ReadOptions): Promise<GetResult> {
    const result = await this.#engine.get(key, options);
    const { entry } = result;
    if (entry === undefined || !this.#isOwn(key)) return result;
    return { ...result, entry: await this.#show(entry) };
  }

  async range(prefix: string, options?: RangeOptions): Promise<RangeResult> {
    const result = await this.#engine.range(prefix, options);
    if (!this.#isOwn(prefix)) return result;
    return { ...result, entries: await this.#showAll(result.entries, options?.pause) };
  }

  async commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    if (!this.#isOwn(change.key)) return this.#engine.commit(change, options);
    const result = await this.#engine.commit(await this.#storedChange(change), options);
    if (result.committed || result.current === undefined) return result;
    return { ...result, current: await this.#show(result.current) };
  }

  watch(prefix: string, options: WatchOptions): StorageWatch {
    const watch = this.#engine.watch(prefix, options);
    const { convert } = this.#form;
    // The caches decode what they read: only a webhook has to be asked before.
    return convert === undefined ? watch : convertedWatch(watch, convert, (key) => this.#isOwn(key));
  }

  /** What a reader gets of a value that was committed, at its revision. */
  async readBack(value: Uint8Array, revision: bigint): Promise<Buffer> {
    const { layout, root } = this.#cache;
    const stored = this.#stored.get(value) ?? (await this.#form.store(value));
    const [shown] = await this.#showAll([{ key: root, value: stored, modRevision: revision }]);
    return layout.withRevision(shown?.value ?? value, revision);
  }

  revision(options?: AbortOptions): Promise<Revision> {
    return this.#engine.revision(options);
  }

  compact(revision: Revision, options?: AbortOptions): Promise<void> {
    return this.#engine.compact(revision, options);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #storedChange(change: Change): Promise<Change> {
    if (change.type !== 'put') return change;
    const value = await this.#form.store(change.value);
    if (value !== change.value) this.#stored.set(change.value, value);
    return { ...change, value };
  }

  #isOwn(key: string): boolean {
    return key.startsWith(this.#cache.root);
  }

  async #showAll(entries: readonly Entry[], pause?: Pause): Promise<readonly ShownEntry[]> {
    const converted = (await this.#form.convert?.(entries)) ?? entries;
    const pace = pause && new LoopPace(pause);
    const shown: ShownEntry[] = [];
    for (const entry of converted) {
      shown.push(shownEntry(this.#form, entry));
      const rest = pace?.step();
      if (rest !== undefined) await rest;
    }
    return shown;
  }

  async #show(entry: Entry): Promise<ShownEntry> {
    const known = this.#cache.generation?.get(entry.key.slice(this.#cache.root.length));
    if (known?.revision === entry.modRevision) {
      const value = known.isRewritten === true ? layoutOf(this.#cache.definition).stored(known.bytes) : entry.value;
      return { ...entry, value, isStale: known.isStale };
    }
    const [shown] = await this.#showAll([entry]);
    return shown ?? entry;
  }
}

/** The same watch with the values of a version. */
function convertedWatch(
  watch: StorageWatch,
  convert: NonNullable<StoredForm['convert']>,
  isOwn: (key: string) => boolean,
): StorageWatch {
  return {
    requestProgress: () => watch.requestProgress(),
    async *[Symbol.asyncIterator](): AsyncGenerator<WatchBatch, undefined> {
      for await (const batch of watch) {
        const events: StorageEvent[] = [];
        for (const event of batch.events) events.push(isOwn(event.key) ? await convertedEvent(event, convert) : event);
        yield { ...batch, events };
      }
    },
  };
}

async function convertedEvent(event: StorageEvent, convert: NonNullable<StoredForm['convert']>): Promise<StorageEvent> {
  const now: readonly Entry[] =
    event.type === 'put' ? [{ key: event.key, value: event.value, modRevision: event.revision }] : [];
  const before: readonly Entry[] = event.previous === undefined ? [] : [event.previous];
  const converted = await convert([...now, ...before]);
  const previous = converted[now.length];
  if (event.type === 'delete') return { ...event, previous: previous ?? event.previous };
  return { ...event, value: converted[0]?.value ?? event.value, previous };
}
