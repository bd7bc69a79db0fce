/** An informer whose handlers check that time never goes back. */

import type { Cluster } from '@listwatch/client';
import { type Informer, informer } from '@listwatch/runtime';
import type { StoredChange } from '../server/stored-change.ts';
import type { WatchedSelection } from '../server/watched-selection.ts';
import { type TokenMap, tokenMaps } from './recorded-watcher.ts';
import { storeDifference, tokenMapKey } from './store-difference.ts';

const MAX_STORY = 12;

/** Follows a part of the objects through one client. */
export class RecordedInformer {
  readonly name: string;
  readonly violations: string[] = [];
  readonly #informer: Informer<TokenMap>;
  readonly #selection: WatchedSelection;
  readonly #story: string[] = [];
  readonly #following: Promise<void>;
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
    this.#following = this.#follow();
    this.#informer.on({
      add: ({ object }) => this.#show('add', object),
      update: ({ object }) => this.#show('update', object),
      delete: ({ object }) => void this.#shown.delete(tokenMapKey(object)),
    });
  }

  get synced(): Promise<unknown> {
    return this.#informer.synced;
  }

  /** What became of it lately, for people who wonder why it is late. */
  get story(): string {
    return this.#story.join('; ');
  }

  /** What speaks against the store being exactly the selected objects after these changes. */
  difference(truth: ReadonlyMap<string, StoredChange>): string | undefined {
    const found = storeDifference(this.#informer.store.list(), this.#selection, truth);
    return found === undefined ? undefined : `${this.name} ${found}`;
  }

  async close(): Promise<void> {
    await this.#informer.close();
    await this.#following;
  }

  async #follow(): Promise<void> {
    for await (const { phase, error } of this.#informer.statuses()) {
      this.#story.push(`${(performance.now() / 1000).toFixed(3)} ${phase} ${error?.message ?? ''}`);
      if (this.#story.length > MAX_STORY) this.#story.shift();
    }
  }

  #show(kind: string, object: TokenMap): void {
    const key = tokenMapKey(object);
    const version = BigInt(object.metadata.resourceVersion ?? 0);
    const before = this.#shown.get(key) ?? 0n;
    // A resync is not asked for: a version that comes again was told twice.
    if (version <= before) this.violations.push(`${this.name}: ${kind} of ${key} at ${version} came after ${before}`);
    this.#shown.set(key, version);
  }
}
