/** One run of `listwatch watch`: prints every change, reports every failure. */

import {
  type AbortOptions,
  type ApiObject,
  compareResourceVersions,
  isGone,
  isResourceVersion,
  type Resource,
  type ResourceVersion,
} from '@listwatch/api';
import { printable } from '@listwatch/api/internal';
import type { WatchedCluster, Watcher, WatcherError, WatcherEvent, WatcherOptions } from '@listwatch/runtime';
import { watcher } from '@listwatch/runtime';
import { explainRefusal } from '../cluster/explain-refusal.ts';
import { StartError } from '../start-error.ts';
import type { Screen } from '../terminal/screen.ts';
import type { ChangePrinter } from './change-text.ts';
import { ChangeTracker } from './change-tracker.ts';
import { type ObservedCluster, observeCluster } from './observed-cluster.ts';
import { statusText } from './status-text.ts';

/** What it is made of. */
export interface WatchSessionParts {
  readonly cluster: WatchedCluster;
  readonly resource: Resource;
  /** What is watched, for people: `pods in default`. */
  readonly subject: string;
  readonly query: Pick<WatcherOptions, 'fieldSelector' | 'labelSelector' | 'namespace' | 'resourceVersion'>;
  readonly watchOnly: boolean;
  readonly screen: Pick<Screen, 'note' | 'print' | 'refresh'>;
  readonly print: ChangePrinter;
}

/** Run it once. */
export class WatchSession {
  readonly #parts: WatchSessionParts;
  readonly #observed: ObservedCluster;
  readonly #tracker: ChangeTracker;
  #watcher: Watcher | undefined;
  #position: ResourceVersion | undefined;
  /** Watches that were opened until it was live; undefined before. */
  #firstWatches: number | undefined;
  #lastNote = '';

  constructor(parts: WatchSessionParts) {
    this.#parts = parts;
    this.#observed = observeCluster(parts.cluster);
    this.#tracker = new ChangeTracker({ resource: parts.resource, isNew: (object) => this.#observed.isNew(object) });
  }

  /** The newest version up to which everything has been printed. */
  get position(): ResourceVersion | undefined {
    return newer(this.#position, this.#watcher?.progress.resourceVersion);
  }

  /** What the status line says. */
  status(): string | undefined {
    const progress = this.#watcher?.progress;
    if (progress === undefined) return undefined;
    return statusText({
      subject: this.#parts.subject,
      progress,
      pages: this.#observed.pageCount(),
      objects: this.#tracker.size,
      reconnects: this.#firstWatches === undefined ? 0 : Math.max(0, progress.watches - this.#firstWatches),
      now: this.#parts.cluster.clock.now(),
    });
  }

  /** Never resolves: rejects with the signal's reason, or with a `StartError` when the server refuses the first request. */
  async run({ signal }: AbortOptions): Promise<void> {
    const { resource, query } = this.#parts;
    if (query.resourceVersion !== undefined) this.#firstWatches = 1;
    this.#watcher = watcher(this.#observed.cluster, resource, { ...query, signal });
    for await (const event of this.#watcher) {
      if (event.type === 'error') this.#tell(event.error);
      else await this.#show(event);
      this.#parts.screen.refresh();
    }
  }

  async #show(event: Exclude<WatcherEvent, { type: 'error' }>): Promise<void> {
    const { screen, print, watchOnly, cluster } = this.#parts;
    for (const change of this.#tracker.changes(event)) {
      if (change.initial && watchOnly) continue;
      const full = screen.print(print(change, cluster.clock.now()));
      if (full !== undefined) await full;
    }
    this.#advance(event);
  }

  /** Called after printing: a resume from here must not miss the event. */
  #advance(event: Exclude<WatcherEvent, { type: 'error' }>): void {
    if (event.type === 'init' || event.type === 'initApply') return;
    this.#lastNote = '';
    if (event.type === 'initDone') {
      const progress = this.#watcher?.progress;
      // A stream of initial events continues as the watch; after a list the first watch still has to be opened.
      this.#firstWatches ??= (progress?.watches ?? 0) + (progress?.phase === 'watching' ? 0 : 1);
      this.#position = event.resourceVersion;
      return;
    }
    this.#position = newer(this.#position, versionOf(event.object));
  }

  #tell(error: WatcherError): void {
    const { cluster, subject, screen, query } = this.#parts;
    if (this.#position === undefined) {
      const refused = explainRefusal(error, { server: cluster.server, what: `watch ${subject}` });
      if (refused !== undefined) throw new StartError(refused, { cause: error });
    }
    const from = this.#position ?? query.resourceVersion;
    const note = printable(isGone(error.cause) && from !== undefined ? goneNote(from) : error.message);
    // The same message again is no news; the status line counts failures.
    if (note !== this.#lastNote) screen.note(`listwatch: ${note}`);
    this.#lastNote = note;
  }
}

function goneNote(version: string): string {
  return `resourceVersion ${version} is no longer in the server's history; listing again`;
}

function versionOf(object: ApiObject | undefined): ResourceVersion | undefined {
  const version = object?.metadata.resourceVersion;
  return isResourceVersion(version) ? version : undefined;
}

function newer(one: ResourceVersion | undefined, other: ResourceVersion | undefined): ResourceVersion | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareResourceVersions(one, other) < 0 ? other : one;
}
