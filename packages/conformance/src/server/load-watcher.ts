/** One watcher under load: it watches, is cut off, comes back, and writes down what it saw. */

import type { ApiClient, WatchTransport } from './api-client.ts';
import type { SeededRandom } from './seeded-random.ts';
import { objectView } from './stored-change.ts';
import { type AcceptedWatch, INITIAL_EVENTS_END, type WatchedEvent } from './watch-lines.ts';
import type { WatchedSelection } from './watched-selection.ts';
import type { SeenEvent, WatcherRecord, WatcherSegment } from './watcher-record.ts';

/** How a watcher begins. `past`: with everything that changed since the load began. */
export type WatcherStart = 'list' | 'newest' | 'past' | 'watch-list';

export interface LoadWatcherOptions {
  readonly name: string;
  readonly client: ApiClient;
  readonly transport: WatchTransport;
  readonly selection: WatchedSelection;
  readonly start: WatcherStart;
  readonly random: SeededRandom;
  /** The version at which the load began, with nothing there. */
  readonly past: bigint;
}

/** Watches until it is stopped. */
export class LoadWatcher {
  readonly #options: LoadWatcherOptions;
  readonly #segments: WatcherSegment[] = [];
  #base: WatcherRecord['base'];
  /** The last version that was seen; undefined until a state is whole. */
  #seen: bigint | undefined;
  #stream: AcceptedWatch | undefined;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(options: LoadWatcherOptions) {
    this.#options = options;
  }

  get record(): WatcherRecord {
    const { name, selection } = this.#options;
    return { name, selects: selection.selects, base: this.#base, segments: this.#segments };
  }

  /** Cut off or ended, and resumed. */
  get connections(): number {
    return this.#segments.length;
  }

  /** Events and bookmarks that have come. */
  get received(): number {
    return this.#segments.reduce((sum, { events }) => sum + events.length, 0);
  }

  get bookmarks(): number {
    return this.#segments.reduce((sum, { events }) => sum + events.filter(({ type }) => type === 'BOOKMARK').length, 0);
  }

  /** Resolves when the first connection stands. */
  async start(): Promise<void> {
    const { start, past } = this.#options;
    if (start === 'list') await this.#list();
    if (start === 'past') {
      this.#seen = past;
      this.#base = { version: past, objects: [] };
    }
    const first = await this.#connect();
    this.#running = this.#run(first);
  }

  /** Hangs up; it comes back by itself. */
  cut(): void {
    this.#stream?.close();
  }

  /** Ends it for good. Rejects when it met something that must not happen. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream?.close();
    await this.#running;
  }

  async #run(first: AcceptedWatch): Promise<void> {
    for (let stream = first; ; stream = await this.#connect()) {
      for (let event = await stream.next(); event !== undefined; event = await stream.next()) this.#take(event);
      if (this.#stopped) return;
    }
  }

  async #list(): Promise<void> {
    const { client, selection } = this.#options;
    const answer = await client.get(selection.path, selection.query);
    if (answer.status !== 200) throw new Error(`${this.#options.name} could not list: ${answer.text}`);
    this.#seen = BigInt(answer.version);
    this.#base = { version: this.#seen, objects: answer.items.map(objectView) };
  }

  async #connect(): Promise<AcceptedWatch> {
    const { client, selection, transport, random, start } = this.#options;
    const after = this.#seen;
    const begin = start === 'newest' ? {} : { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    const stream = await client.watch(selection.path, {
      transport,
      query: {
        ...selection.query,
        watch: true,
        allowWatchBookmarks: true,
        timeoutSeconds: 3 + random.below(6),
        ...(after === undefined ? begin : { resourceVersion: String(after) }),
      },
    });
    this.#stream = stream;
    this.#segments.push({ after, events: [] });
    if (this.#stopped) stream.close();
    return stream;
  }

  #take({ type, object }: WatchedEvent): void {
    const version = BigInt(object.metadata.resourceVersion ?? '0');
    const events = this.#segments.at(-1)?.events;
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        events?.push({ type, version, object: objectView(object) } satisfies SeenEvent);
        // Until the state is whole, versions come in the order of names and say nothing.
        if (this.#seen !== undefined) this.#seen = version;
        return;
      case 'BOOKMARK': {
        const endsInitial = object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
        events?.push({ type, version, endsInitial });
        this.#seen = version;
        return;
      }
      default:
        throw new Error(`${this.#options.name} got ${type}: ${JSON.stringify(object)}`);
    }
  }
}
