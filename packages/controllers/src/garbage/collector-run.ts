/** One run of the garbage collector: the graph, its two queues and the workers that carry out what it asks for. */

import { type ApiObject, apiVersionOf, FINALIZER, type Resource } from '@listwatch/api';
import { type RestMapper, restMapper } from '@listwatch/client';
import { type WorkItem, type WorkQueue, workQueue } from '@listwatch/runtime';
import type { ControllerSurroundings } from '../built-in-controller.ts';
import { AbsentOwners } from './absent-owners.ts';
import { attemptFor, type ClassifiedReference, decideCollection } from './collection-plan.ts';
import { DiscoveredKinds } from './discovered-kinds.ts';
import type { GarbageCounts } from './garbage-counts.ts';
import { GarbageRequests } from './garbage-requests.ts';
import { coordinatesKey, type GraphNode, graphNodeOf } from './graph-node.ts';
import { HintedKinds } from './hinted-kinds.ts';
import { KindMonitors, type MonitorListener } from './kind-monitors.ts';
import { MisplacedReports } from './misplaced-reports.ts';
import type { OwnedKindsSource } from './owned-kinds-source.ts';
import { type GraphEffects, OwnerGraph } from './owner-graph.ts';
import { OwnerLookup } from './owner-lookup.ts';
import type { WatchedKinds } from './watched-kinds.ts';

/** The options, checked. */
export interface CollectorConfig {
  readonly ownedKinds: OwnedKindsSource | undefined;
  readonly concurrency: number;
}

/** How an attempt ended: `again` waits for an event that may not come, or for the server to serve a kind. */
type Result = 'again' | 'done';

/** A kind that is unknown may be that of a CRD which is served a moment later; discovery is asked no more often than this. */
const DISCOVERY_MS = 500;

/** Kinds that are reported as unknown: each once. */
const MAX_REPORTED = 1000;

/** Made for one run; everything in it is derived from the API, so that the next run goes on where this one ends. */
export class CollectorRun implements MonitorListener {
  readonly graph: OwnerGraph = new OwnerGraph();
  readonly absent: AbsentOwners = new AbsentOwners();
  readonly monitors: KindMonitors;
  readonly reports: MisplacedReports;
  readonly toDelete: WorkQueue<string>;
  readonly toOrphan: WorkQueue<string>;
  readonly #surroundings: ControllerSurroundings;
  readonly #concurrency: number;
  readonly #counts: GarbageCounts;
  readonly #requests: GarbageRequests;
  readonly #lookup: OwnerLookup;
  readonly #kinds: WatchedKinds;
  readonly #unknownKinds = new Set<string>();

  constructor(
    surroundings: ControllerSurroundings,
    { ownedKinds, concurrency }: CollectorConfig,
    counts: GarbageCounts,
  ) {
    const { cluster, logger, signal } = surroundings;
    const { clock } = cluster;
    const { graph, absent } = this;
    const mapper: RestMapper = restMapper(cluster, { refreshIntervalMs: DISCOVERY_MS });
    this.#surroundings = surroundings;
    this.#concurrency = concurrency;
    this.#counts = counts;
    this.toDelete = workQueue({ clock });
    this.toOrphan = workQueue({ clock });
    this.reports = new MisplacedReports(cluster, logger, signal);
    this.#requests = new GarbageRequests(cluster, signal);
    this.#lookup = new OwnerLookup({ graph, absent, mapper, requests: this.#requests, signal });
    const monitors = new KindMonitors(cluster, logger, this);
    this.monitors = monitors;
    this.#kinds =
      ownedKinds === undefined
        ? new DiscoveredKinds({ cluster, graph, monitors, logger, signal })
        : new HintedKinds({ source: ownedKinds, graph, monitors, lookup: this.#lookup, clock, logger });
  }

  /** Works until the signal is aborted. */
  async run(): Promise<void> {
    const { signal } = this.#surroundings;
    this.#kinds.start();
    const workers = Array.from({ length: this.#concurrency }, () => [
      this.#work(this.toDelete, (uid) => this.#attempt(uid)),
      this.#work(this.toOrphan, (uid) => this.#orphan(uid)),
    ]).flat();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#kinds.close();
    this.toDelete.close();
    this.toOrphan.close();
    // First the monitors: a worker may wait for one that has not been listed.
    await this.monitors.close();
    await Promise.all(workers);
    await this.reports.settled();
  }

  changed(resource: Resource, object: ApiObject): void {
    const node = graphNodeOf(resource, object);
    if (node !== undefined) this.#follow(this.graph.apply(node));
  }

  gone(uid: string): void {
    const node = this.graph.get(uid);
    if (node === undefined) return;
    const { resource, namespace, name } = node;
    if (this.graph.dependentsOf(uid).size > 0) {
      this.absent.add({ apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid });
    }
    this.#follow(this.graph.remove(uid));
  }

  #follow({ toDelete, toOrphan, misplaced, newOwnerKinds, droppedOwnerKind }: GraphEffects): void {
    for (const uid of toDelete) this.toDelete.add(uid);
    for (const uid of toOrphan) this.toOrphan.add(uid);
    for (const reference of misplaced) this.reports.report(reference);
    if (newOwnerKinds.length > 0) this.#kinds.named(newOwnerKinds);
    if (droppedOwnerKind) this.#kinds.dropped();
  }

  async #work(queue: WorkQueue<string>, attempt: (uid: string) => Promise<Result>): Promise<void> {
    const { signal } = this.#surroundings;
    while (!signal.aborted) {
      const item = await queue.take(signal).catch(() => undefined);
      if (item === undefined) return;
      try {
        // Most owners that are not known are about to be listed: to ask for each of them would cost far more.
        await this.monitors.ready();
        if (!signal.aborted) this.#finish(queue, item, await attempt(item.key));
      } catch (error) {
        if (!signal.aborted) this.#fail(queue, item, error);
      } finally {
        item.done();
      }
    }
  }

  #finish(queue: WorkQueue<string>, { key }: WorkItem<string>, result: Result): void {
    if (result === 'again') queue.retry(key);
    else queue.forget(key);
  }

  #fail(queue: WorkQueue<string>, { key, failures }: WorkItem<string>, error: unknown): void {
    this.#counts.failures += 1;
    const facts = { ...factsOf(this.graph.get(key)), uid: key, failures: failures + 1, error };
    // Once for an object at this level: what is refused now is usually refused each time.
    this.#surroundings.logger[failures === 0 ? 'warn' : 'debug'](facts, 'cannot collect garbage; trying again');
    queue.retry(key);
  }

  async #attempt(uid: string): Promise<Result> {
    const node = this.graph.get(uid);
    if (node === undefined) return 'done';
    const attempt = attemptFor(this.graph, node);
    switch (attempt.type) {
      case 'wait':
        return 'done';
      case 'finish':
        return this.#finishDeletion(uid);
      case 'unblock':
        await this.#requests.changeReferences(node, (reference) =>
          attempt.owners.has(reference.uid) ? { ...reference, blockOwnerDeletion: false } : reference,
        );
        this.#counts.patches += 1;
        return 'done';
      case 'check':
        return this.#check(node);
    }
  }

  /** Lets an object go that no dependent blocks, if that is still so when all of them have been seen. */
  async #finishDeletion(uid: string): Promise<Result> {
    await this.#kinds.caughtUp();
    const node = this.graph.get(uid);
    if (node === undefined || attemptFor(this.graph, node).type !== 'finish') return 'done';
    return this.#removeFinalizer(node, FINALIZER.foregroundDeletion);
  }

  async #check(node: GraphNode): Promise<Result> {
    const { uid } = node;
    const latest = await this.#requests.readNode(node);
    if (latest === undefined) return this.#isGone(uid);
    // Its deletion has begun: the events of that say what comes next.
    if (latest.deletionTimestamp !== undefined) return 'done';
    const owners: ClassifiedReference[] = [];
    let result: Result = 'done';
    for (const reference of latest.ownerReferences ?? []) {
      const found = await this.#lookup.find(node, reference);
      if (found.type === 'unreachable') return 'done';
      if (found.type === 'unknownKind') {
        this.#reportUnknown(node, `${reference.apiVersion}, Kind=${reference.kind}`);
        return 'again';
      }
      owners.push({ reference, state: found.state });
      if (!found.isUnseen) continue;
      // The kind may not have been served when it was named first.
      this.#kinds.named([reference]);
      // The owner may be gone before a watch has shown it, and then nothing would bring this object up again.
      if (found.state === 'solid') result = 'again';
    }
    const collection = decideCollection(latest, owners, this.graph.dependentsOf(uid).size > 0);
    switch (collection.type) {
      case 'keep':
        return result;
      case 'narrow': {
        const dropped = new Set(collection.dropped.map(coordinatesKey));
        const outcome = await this.#requests.changeReferences(
          node,
          (reference) => (dropped.has(coordinatesKey(reference)) ? undefined : reference),
          latest,
        );
        this.#counts.patches += 1;
        return outcome === 'gone' ? this.#isGone(uid) : result;
      }
      case 'delete': {
        const outcome = await this.#requests.delete(node, latest, collection.policy);
        if (outcome === 'gone') return this.#isGone(uid);
        this.#counts.deletes += 1;
        return 'done';
      }
    }
  }

  async #orphan(uid: string): Promise<Result> {
    // A dependent that no watch has shown yet would keep its reference, and be deleted once the owner is gone.
    await this.#kinds.caughtUp();
    const node = this.graph.get(uid);
    if (node?.deletion !== 'orphan') return 'done';
    const waiting = [...this.graph.dependentsOf(uid)].values();
    const errors: unknown[] = [];
    const work = async (): Promise<void> => {
      for (const dependent of waiting)
        await this.#release(dependent, uid).catch((error: unknown) => errors.push(error));
    };
    await Promise.all(Array.from({ length: this.#concurrency }, work));
    if (errors.length > 0) throw errors[0];
    return this.#removeFinalizer(node, FINALIZER.orphan);
  }

  /** Removes the references of a dependent to an owner. */
  async #release(dependent: string, owner: string): Promise<void> {
    const node = this.graph.get(dependent);
    if (node === undefined || dependent === owner) return;
    const outcome = await this.#requests.changeReferences(node, (reference) =>
      reference.uid === owner ? undefined : reference,
    );
    this.#counts.patches += 1;
    const latest = this.graph.get(dependent);
    if (outcome === 'gone') this.gone(dependent);
    // The owner may go before the watch shows this: each dependent would then be asked for once more.
    else if (latest !== undefined) {
      const owners = latest.owners.filter(({ uid }) => uid !== owner);
      this.#follow(this.graph.apply({ ...latest, owners }));
    }
  }

  async #removeFinalizer(node: GraphNode, finalizer: string): Promise<Result> {
    const outcome = await this.#requests.removeFinalizer(node, finalizer);
    if (outcome === 'gone') return this.#isGone(node.uid);
    this.#counts.finalizersRemoved += 1;
    return 'done';
  }

  /** The server has no such object: the graph learns it now, and not when the watch tells. */
  #isGone(uid: string): Result {
    this.gone(uid);
    return 'done';
  }

  #reportUnknown(node: GraphNode, kind: string): void {
    if (this.#unknownKinds.has(kind) || this.#unknownKinds.size >= MAX_REPORTED) return;
    this.#unknownKinds.add(kind);
    const facts = { ...factsOf(node), uid: node.uid };
    this.#surroundings.logger.warn(facts, `the kind of an owner is not served: ${kind}. Its dependents stay`);
  }
}

function factsOf(node: GraphNode | undefined): object {
  if (node === undefined) return {};
  return { kind: node.resource.kind, namespace: node.namespace, name: node.name };
}
