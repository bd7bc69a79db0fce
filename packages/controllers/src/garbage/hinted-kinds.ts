/** Watches the kinds that have objects with owners, and the kinds of those owners; nothing else. */

import { type CancelTimer, type Clock, groupResourceText, type Resource } from '@listwatch/api';
import type { Logger } from '@listwatch/runtime';
import type { KindMonitors } from './kind-monitors.ts';
import type { OwnedKindsSource } from './owned-kinds-source.ts';
import type { OwnerGraph } from './owner-graph.ts';
import type { OwnerKind } from './owner-kind-counts.ts';
import type { OwnerLookup } from './owner-lookup.ts';
import type { WatchedKinds } from './watched-kinds.ts';

/** A kind that is not needed any more is watched for this long: most come back, and a list costs more than a watch. */
const LINGER_MS = 60_000;

/** The wait after a failed lookup of a kind. */
const RETRY_MS = 10_000;

/** What it works with. */
export interface HintedKindsParts {
  readonly source: OwnedKindsSource;
  readonly graph: OwnerGraph;
  readonly monitors: KindMonitors;
  readonly lookup: OwnerLookup;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Follows an {@link OwnedKindsSource}. An idle server has no kinds with owners, and so no watches. */
export class HintedKinds implements WatchedKinds {
  readonly #parts: HintedKindsParts;
  /** The resources of the kinds that references name, by `apiVersion kind`. */
  readonly #ownerResources = new Map<string, string>();
  readonly #retries = new Set<CancelTimer>();
  #prune: CancelTimer | undefined;
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: HintedKindsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#unsubscribe = this.#parts.source.subscribe(() => this.#refresh());
    this.#refresh();
  }

  named(kinds: readonly OwnerKind[]): void {
    for (const kind of kinds) this.#parts.monitors.hold(this.#watchOwner(kind));
  }

  dropped(): void {
    const { clock } = this.#parts;
    if (this.#prune !== undefined || this.#unwanted().length === 0) return;
    this.#prune = clock.after(LINGER_MS, () => {
      this.#prune = undefined;
      this.#pruneNow();
    });
  }

  async caughtUp(): Promise<void> {
    const { source, monitors } = this.#parts;
    await monitors.ready();
    for (const resource of source.current) {
      const version = source.lastWrite(resource);
      if (version !== undefined) await monitors.caughtUp(resource, version);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe?.();
    this.#prune?.();
    for (const cancel of this.#retries) cancel();
  }

  #refresh(): void {
    const { source, monitors } = this.#parts;
    for (const resource of source.current) monitors.watch(resource);
    this.dropped();
  }

  async #watchOwner(kind: OwnerKind): Promise<void> {
    const { lookup, monitors, logger, clock } = this.#parts;
    try {
      const resource = await lookup.resourceOf(kind);
      // What is not served, and what cannot be watched, is looked up when its dependents are checked.
      if (resource === undefined || !isWatchable(resource)) return;
      this.#ownerResources.set(`${kind.apiVersion} ${kind.kind}`, groupResourceText(resource));
      monitors.watch(resource);
    } catch (error) {
      if (this.#isClosed) return;
      logger.debug({ ...kind, error }, 'cannot look up the kind of an owner');
      const cancel = clock.after(RETRY_MS, () => {
        this.#retries.delete(cancel);
        this.named([kind]);
      });
      this.#retries.add(cancel);
    }
  }

  #unwanted(): readonly Resource[] {
    const { source, graph, monitors } = this.#parts;
    const wanted = new Set<string | undefined>(source.current.map(groupResourceText));
    for (const { apiVersion, kind } of graph.ownerKinds) wanted.add(this.#ownerResources.get(`${apiVersion} ${kind}`));
    return monitors.resources.filter((resource) => !wanted.has(groupResourceText(resource)));
  }

  #pruneNow(): void {
    const { graph, monitors } = this.#parts;
    for (const resource of this.#unwanted()) {
      monitors.unwatch(resource);
      graph.forget(resource);
    }
  }
}

function isWatchable(resource: Resource): boolean {
  if (!('verbs' in resource) || !Array.isArray(resource.verbs)) return true;
  return resource.verbs.includes('list') && resource.verbs.includes('watch');
}
