/** A watcher through the client: it watches, loses its server, comes back, and writes down what it saw. */

import {
  type ApiObject,
  isGone,
  isInitialEventsEnd,
  type Resource,
  StatusError,
  type WatchEvent,
} from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import type { SeededRandom } from '../server/seeded-random.ts';
import { objectView } from '../server/stored-change.ts';
import type { WatchedSelection } from '../server/watched-selection.ts';
import type { SeenEvent, WatcherRecord, WatcherSegment } from '../server/watcher-record.ts';

/** A ConfigMap, as far as the runs use it. */
export interface TokenMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const tokenMaps: Resource<TokenMap> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

const RETRY_MS = 200;
const MAX_STORY = 12;

export interface RecordedWatcherOptions {
  readonly name: string;
  readonly cluster: Cluster;
  readonly selection: WatchedSelection;
  readonly random: SeededRandom;
  readonly mayBeginEarlier: boolean;
}

/** Watches until it is stopped; failures are part of its life. */
export class RecordedWatcher {
  readonly #options: RecordedWatcherOptions;
  readonly #segments: WatcherSegment[] = [];
  readonly #stop = new AbortController();
  #seen: bigint | undefined;
  #running: Promise<void> | undefined;
  #relists = 0;
  #failures = 0;
  /** What happened to its last connections, for people who wonder why it is late. */
  readonly #story: string[] = [];

  constructor(options: RecordedWatcherOptions) {
    this.#options = options;
  }

  get record(): WatcherRecord {
    const { name, selection, mayBeginEarlier } = this.#options;
    return { name, selects: selection.selects, segments: this.#segments, mayBeginEarlier };
  }

  /** Histories that were gone (410). */
  get relists(): number {
    return this.#relists;
  }

  get failures(): number {
    return this.#failures;
  }

  get story(): string {
    return this.#story.join('; ');
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#failures += 1;
        this.#tell(String(error));
        if (isGone(error)) this.#forget();
        await new Promise((resolve) => {
          setTimeout(resolve, RETRY_MS);
        });
      }
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { cluster, selection, random } = this.#options;
    const after = this.#seen;
    const [, namespace] = /namespaces\/([^/]+)\//u.exec(selection.path) ?? [];
    const stream = cluster.watch(tokenMaps, {
      ...selection.query,
      namespace,
      signal,
      allowWatchBookmarks: true,
      timeoutSeconds: 3 + random.below(20),
      ...(after === undefined
        ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
        : { resourceVersion: String(after) }),
    });
    const events: SeenEvent[] = [];
    this.#segments.push({ after, events });
    this.#tell(`watches after ${after ?? 'nothing'}`);
    for await (const event of stream) {
      // A stream that is being aborted may still deliver what was read before.
      if (signal.aborted) return;
      if (events.length === 0) this.#tell(`first event: ${event.type}`);
      this.#take(event, events);
    }
    this.#tell('its watch ended');
  }

  #tell(what: string): void {
    this.#story.push(`${(performance.now() / 1000).toFixed(3)} ${what}`);
    if (this.#story.length > MAX_STORY) this.#story.shift();
  }

  #take(event: WatchEvent<TokenMap>, events: SeenEvent[]): void {
    switch (event.type) {
      case 'ERROR':
        throw new StatusError(event.object);
      case 'BOOKMARK': {
        const version = BigInt(event.object.metadata.resourceVersion);
        events.push({ type: 'BOOKMARK', version, endsInitial: isInitialEventsEnd(event) });
        this.#seen = version;
        return;
      }
      case 'ADDED':
      case 'DELETED':
      case 'MODIFIED': {
        const version = BigInt(event.object.metadata.resourceVersion ?? 0);
        events.push({ type: event.type, version, object: objectView(event.object) });
        // Until the state is whole, versions come in the order of names and say nothing.
        if (this.#seen !== undefined) this.#seen = version;
      }
    }
  }

  #forget(): void {
    this.#seen = undefined;
    this.#relists += 1;
  }
}
