/** Reports references to owners in other namespaces, as kube-controller-manager does: a warning and an Event. */

import { type ApiObject, apiVersionOf, quote, type Resource, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import type { Logger } from '@listwatch/runtime';
import type { MisplacedReference } from './owner-graph.ts';

interface Event extends ApiObject {
  readonly involvedObject: object;
  readonly reason: string;
  readonly message: string;
  readonly type: string;
  readonly source: object;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

const EVENTS: Resource<Event> = resource<Event>({ version: 'v1', plural: 'events', kind: 'Event', namespaced: true });
const COMPONENT = 'garbage-collector-controller';

/** References that are remembered, so that each is reported once; the oldest is forgotten. */
const MAX_REPORTED = 1000;

/** Events that are written at once; what comes meanwhile is only logged. */
const MAX_WRITING = 100;

/** Writes one Event for each reference. */
export class MisplacedReports {
  readonly #cluster: Cluster;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #reported = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  #count = 0;

  constructor(cluster: Cluster, logger: Logger, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#logger = logger;
    this.#signal = signal;
  }

  /** How many references were reported. */
  get count(): number {
    return this.#count;
  }

  report({ dependent, reference }: MisplacedReference): void {
    const id = `${dependent.uid} ${reference.uid}`;
    if (this.#reported.has(id) || this.#signal.aborted) return;
    this.#reported.add(id);
    const [oldest] = this.#reported;
    if (this.#reported.size > MAX_REPORTED && oldest !== undefined) this.#reported.delete(oldest);
    this.#count += 1;
    const { namespace } = dependent;
    const { apiVersion, kind, name, uid } = reference;
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace ${quote(namespace)}`;
    const facts = { kind: dependent.resource.kind, namespace, name: dependent.name, uid: dependent.uid };
    this.#logger.warn({ ...facts, reason: 'OwnerRefInvalidNamespace' }, message);
    if (this.#writing.size >= MAX_WRITING) return;
    const written = this.#write({ dependent, reference }, message).finally(() => this.#writing.delete(written));
    this.#writing.add(written);
  }

  /** Resolves when no Event is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write({ dependent }: MisplacedReference, message: string): Promise<void> {
    const { resource: owned, name, uid } = dependent;
    const now = this.#cluster.clock.now();
    const at = `${new Date(now).toISOString().slice(0, 19)}Z`;
    // Events of cluster-scoped objects are in `default`.
    const namespace = dependent.namespace === '' ? 'default' : dependent.namespace;
    const place = dependent.namespace === '' ? {} : { namespace: dependent.namespace };
    const event = {
      metadata: { name: `${name}.${(now * 1_000_000 + this.#count).toString(16)}`, namespace },
      involvedObject: { apiVersion: apiVersionOf(owned), kind: owned.kind, ...place, name, uid },
      reason: 'OwnerRefInvalidNamespace',
      message,
      type: 'Warning',
      source: { component: COMPONENT },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    };
    try {
      await this.#cluster.create(EVENTS, event, { signal: this.#signal });
    } catch (error) {
      if (!this.#signal.aborted) this.#logger.warn({ error }, 'cannot write the Event OwnerRefInvalidNamespace');
    }
  }
}
