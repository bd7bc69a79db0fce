/** Watches the metadata of resources and hands over every change. */

import { type ApiObject, groupResourceText, type Resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { type Informer, informer, type Logger, type Registration } from '@listwatch/runtime';

/** Where the changes go. */
export interface MonitorListener {
  changed(resource: Resource, object: ApiObject): void;
  gone(uid: string): void;
}

/** As kube-controller-manager: a kind that cannot be listed does not stop the others. */
const SYNC_TIMEOUT_MS = 30_000;

/** The event loop gets a turn after this many changes: the server may live on the same one. */
const CHANGES_PER_TURN = 256;

interface Monitor {
  readonly resource: Resource;
  readonly informer: Informer;
  readonly registration: Registration;
}

/** One informer for each resource, whatever its version. */
export class KindMonitors {
  readonly #cluster: Cluster;
  readonly #logger: Logger;
  readonly #listener: MonitorListener;
  readonly #monitors = new Map<string, Monitor>();
  readonly #pending = new Set<Promise<void>>();
  readonly #closing = new Set<Promise<void>>();
  #changes = 0;
  #isClosed = false;

  constructor(cluster: Cluster, logger: Logger, listener: MonitorListener) {
    this.#cluster = cluster;
    this.#logger = logger;
    this.#listener = listener;
  }

  get size(): number {
    return this.#monitors.size;
  }

  /** The resources that are watched. */
  get resources(): readonly Resource[] {
    return Array.from(this.#monitors.values(), ({ resource }) => resource);
  }

  /** Is something being listed for the first time, or looked up? */
  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Begins to watch a resource, unless it is watched already. */
  watch(resource: Resource): void {
    const name = groupResourceText(resource);
    if (this.#isClosed || this.#monitors.has(name)) return;
    // Not a shared informer: nobody else wants the metadata of everything, and this one keeps next to nothing of it.
    const source = informer(this.#cluster, resource, {
      projection: 'metadata',
      transform: slim,
      freeze: false,
      syncTimeoutMs: SYNC_TIMEOUT_MS,
      onWarning: ({ type, message, error }) => this.#logger.warn({ resource: name, type, error }, message),
    });
    const registration = source.on({
      add: ({ object }) => this.#tell(() => this.#listener.changed(resource, object)),
      update: ({ object }) => this.#tell(() => this.#listener.changed(resource, object)),
      delete: ({ object }) => this.#tell(() => this.#listener.gone(object.metadata.uid ?? '')),
    });
    this.#monitors.set(name, { resource, informer: source, registration });
    this.hold(this.#synced(name, source, registration));
  }

  /** Ends the watch of a resource. */
  unwatch(resource: Resource): void {
    const name = groupResourceText(resource);
    const monitor = this.#monitors.get(name);
    if (monitor === undefined) return;
    this.#monitors.delete(name);
    const closed = monitor.informer.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  /** Makes `ready` wait for something more. It must not reject. */
  hold(work: Promise<void>): void {
    const held = work.finally(() => this.#pending.delete(held));
    this.#pending.add(held);
  }

  /** Resolves when every resource that is watched has been listed once, or could not be. */
  async ready(): Promise<void> {
    // A list may bring up another kind.
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Resolves when every change of a resource up to a version has been handed over. Rejects after 30 s. */
  async caughtUp(resource: Resource, version: string): Promise<void> {
    const name = groupResourceText(resource);
    const monitor = this.#monitors.get(name);
    if (monitor === undefined) return;
    const late = new AbortController();
    const message = `the watch of ${name} has not come to version ${version} within ${SYNC_TIMEOUT_MS} ms`;
    const cancel = this.#cluster.clock.after(SYNC_TIMEOUT_MS, () => late.abort(new Error(message)));
    try {
      await monitor.informer.store.waitFor(version, { signal: late.signal });
    } finally {
      cancel();
    }
    // The store has them, and the handlers get them next.
    while (monitor.registration.depth > 0 && this.#monitors.get(name) === monitor) await nextTurn();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { resource } of this.#monitors.values()) this.unwatch(resource);
    await Promise.all([...this.#closing, ...this.#pending]);
  }

  async #synced(name: string, source: Informer, registration: Registration): Promise<void> {
    try {
      await source.synced;
      await registration.synced;
    } catch (error) {
      if (this.#monitors.get(name)?.informer !== source) return;
      this.#logger.warn({ resource: name, error }, 'cannot list this resource yet; collecting garbage without it');
    }
  }

  #tell(call: () => void): Promise<void> | undefined {
    call();
    this.#changes += 1;
    return this.#changes % CHANGES_PER_TURN === 0 ? nextTurn() : undefined;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** What the graph reads, and no more. */
function slim({ metadata }: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, ownerReferences, finalizers, deletionTimestamp } = metadata;
  return {
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
  };
}
