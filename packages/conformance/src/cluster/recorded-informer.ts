/** An informer whose handlers check that time never goes back. */

import type { Cluster } from '@listwatch/client';
import { type Informer, informer } from '@listwatch/runtime';
import { type ObjectView, objectView, type StoredChange } from '../server/stored-change.ts';
import type { WatchedSelection } from '../server/watched-selection.ts';
import { type TokenMap, tokenMaps } from './recorded-watcher.ts';

/** Follows a part of the objects through one client. */
export class RecordedInformer {
  readonly name: string;
  readonly violations: string[] = [];
  readonly #informer: Informer<TokenMap>;
  readonly #selection: WatchedSelection;
  /** The version of each object that a handler was shown. */
  readonly #shown = new Map<string, bigint>();

  constructor(name: string, cluster: Cluster, selection: WatchedSelection) {
    this.name = name;
    this.#selection = selection;
    const [, namespace] = /namespaces\/([^/]+)\//u.exec(selection.path) ?? [];
    const warn = (warning: unknown): void => void this.violations.push(`${name}: ${String(warning)}`);
    this.#informer = informer(cluster, tokenMaps, {
      ...selection.query,
      namespace,
      freeze: false,
      syncTimeoutMs: 0,
      backoff: { initialMs: 200, maxMs: 2000 },
      onWarning: warn,
    });
    this.#informer.on({
      add: ({ object }) => this.#show('add', object),
      update: ({ object }) => this.#show('update', object),
      delete: ({ object }) => void this.#shown.delete(keyOf(object)),
    });
  }

  get synced(): Promise<unknown> {
    return this.#informer.synced;
  }

  get status(): string {
    return JSON.stringify(this.#informer.status);
  }

  /** What speaks against the store being exactly the selected objects after these changes. */
  difference(truth: ReadonlyMap<string, StoredChange>): string | undefined {
    const expected = new Map<string, StoredChange>();
    for (const [key, change] of truth) {
      if (change.object !== undefined && this.#selection.selects(change.object)) expected.set(key, change);
    }
    const { store } = this.#informer;
    for (const object of store.list()) {
      const key = keyOf(object);
      const change = expected.get(key);
      if (change === undefined) return `${this.name} still has ${key}`;
      const version = object.metadata.resourceVersion;
      if (version !== String(change.revision))
        return `${this.name} has ${key} at ${version}, the store at ${change.revision}`;
      if (!isSame(objectView(object), change.object)) return `${this.name} has another ${key} at ${version}`;
    }
    return store.size === expected.size
      ? undefined
      : `${this.name} has ${store.size} objects, the store ${expected.size}`;
  }

  close(): Promise<void> {
    return this.#informer.close();
  }

  #show(kind: string, object: TokenMap): void {
    const key = keyOf(object);
    const version = BigInt(object.metadata.resourceVersion ?? 0);
    const before = this.#shown.get(key) ?? 0n;
    if (version < before) this.violations.push(`${this.name}: ${kind} of ${key} at ${version} came after ${before}`);
    this.#shown.set(key, version);
  }
}

function keyOf({ metadata }: TokenMap): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function isSame(one: ObjectView, other: ObjectView | undefined): boolean {
  return one.content === other?.content;
}
