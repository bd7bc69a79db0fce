/** Watches every resource that can be deleted, listed and watched, as kube-controller-manager does. */

import { apiVersionOf, type CancelTimer, groupResourceText, type Resource } from '@listwatch/api';
import { type Cluster, type Discovery, discover } from '@listwatch/client';
import type { Logger } from '@listwatch/runtime';
import type { KindMonitors } from './kind-monitors.ts';
import type { OwnerGraph } from './owner-graph.ts';
import type { WatchedKinds } from './watched-kinds.ts';

/** How often discovery is read again (kube-controller-manager). */
const PERIOD_MS = 30_000;

const VERBS = ['delete', 'list', 'watch'];

/** Events go by themselves, and change too often to be watched for nothing. */
const IGNORED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/** What it works with. */
export interface DiscoveredKindsParts {
  readonly cluster: Cluster;
  readonly graph: OwnerGraph;
  readonly monitors: KindMonitors;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** For clusters that cannot say which kinds have objects with owners. */
export class DiscoveredKinds implements WatchedKinds {
  readonly #parts: DiscoveredKindsParts;
  #timer: CancelTimer | undefined;
  #isClosed = false;

  constructor(parts: DiscoveredKindsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#parts.monitors.hold(this.#refresh());
  }

  /** Everything is watched already. */
  named(): void {}

  dropped(): void {}

  async caughtUp(): Promise<void> {
    await this.#parts.monitors.ready();
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.();
  }

  async #refresh(): Promise<void> {
    const { cluster, logger, signal } = this.#parts;
    try {
      const found = await discover(cluster, { signal });
      if (!this.#isClosed) this.#follow(found);
    } catch (error) {
      if (!this.#isClosed) logger.warn({ error }, 'cannot discover the resources to collect; trying again');
    }
    if (!this.#isClosed) this.#timer = cluster.clock.after(PERIOD_MS, () => void this.#refresh());
  }

  #follow({ resources, failures }: Discovery): void {
    const { monitors, graph } = this.#parts;
    const deletable = resources.filter(
      ({ isPreferred, verbs, ...resource }) =>
        isPreferred && VERBS.every((verb) => verbs.includes(verb)) && !IGNORED.has(groupResourceText(resource)),
    );
    for (const resource of deletable) monitors.watch(resource);
    const names = new Set(deletable.map(groupResourceText));
    // A group whose server is down for a while keeps its watches.
    const failed = new Set(failures.map(apiVersionOf));
    const isGone = (resource: Resource): boolean =>
      !names.has(groupResourceText(resource)) && !failed.has(apiVersionOf(resource));
    for (const resource of monitors.resources.filter(isGone)) {
      monitors.unwatch(resource);
      graph.forget(resource);
    }
  }
}
