/** An informer whose handlers check that time never goes back. */

import type { Cluster } from '@listwatch/client';
import { type Informer, informer } from '@listwatch/runtime';
import type { StoredChange } from '../server/stored-change.ts';
import type { WatchedSelection } from '../server/watched-selection.ts';
import { type TokenMap, tokenMaps } from './recorded-watcher.ts';
import { keyOf, storeDifference } from './store-difference.ts';

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
    const found = storeDifference(this.#informer.store.list(), this.#selection, truth);
    return found === undefined ? undefined : `${this.name} ${found}`;
  }

  close(): Promise<void> {
    return this.#informer.close();
  }

  #show(kind: string, object: TokenMap): void {
    const key = keyOf(object);
    const version = BigInt(object.metadata.resourceVersion ?? 0);
    const before = this.#shown.get(key) ?? 0n;
    // A resync is not asked for: a version that comes again was told twice.
    if (version <= before) this.violations.push(`${this.name}: ${kind} of ${key} at ${version} came after ${before}`);
    this.#shown.set(key, version);
  }
}
