/** What several checks need to know. Each fact is fetched once, by the first check that asks for it. */

import { groupResourceText, type Resource, resource } from '@listwatch/api';
import { type Cluster, type Discovery, discover, type ServedResource } from '@listwatch/client';
import { findResource } from '../discovery/find-resource.ts';
import { CannotCheck } from './check.ts';
import { type Contact, contactServer, silent } from './contact.ts';
import type { DoctorSettings } from './doctor-settings.ts';
import { explainProbe } from './explain-probe.ts';
import { TimeIsUp, withLimit } from './limited-time.ts';
import { type ListCost, measureLists } from './list-cost.ts';
import { asker, type ProbeAnswer } from './probe.ts';
import { probeWatchList, type WatchListProbe } from './watch-list-probe.ts';
import { watchableResources } from './watchable-resources.ts';

/** The collection that is probed. */
export interface ProbedCollection {
  readonly resource: Resource;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** For people: `configmaps`, `configmaps in shop`. */
  readonly name: string;
}

/** What a server serves, and how long it took to say so. */
export interface Discovered extends Discovery {
  readonly ms: number;
}

/** What the facts are fetched with; their requests are counted for the run as a whole. */
export interface FactsParts {
  readonly cluster: Cluster;
  readonly settings: DoctorSettings;
  /** Aborted when the command ends. A check that runs out of time must not spoil the fact for the others. */
  readonly signal: AbortSignal;
}

/** Small, present in every cluster and served from the watch cache; the first that may be listed is probed. */
const CANDIDATES = ['configmaps', 'namespaces', 'pods', 'leases.coordination.k8s.io', 'services', 'secrets'];

const PINGS = 5;

export class Facts {
  readonly #parts: FactsParts;
  #contact: Promise<Contact> | undefined;
  #discovered: Promise<Discovered> | undefined;
  #pings: Promise<readonly ProbeAnswer[]> | undefined;
  #subject: Promise<ProbedCollection> | undefined;
  #watchList: Promise<WatchListProbe> | undefined;
  #costs: Promise<readonly ListCost[]> | undefined;

  constructor(parts: FactsParts) {
    this.#parts = parts;
  }

  /** Does the server answer, and as what? Never rejects but for the end of the command. */
  contact(): Promise<Contact> {
    this.#contact ??= this.#reach();
    return this.#contact;
  }

  /** A few small requests, one after the other, for times and clocks. */
  pings(): Promise<readonly ProbeAnswer[]> {
    const { cluster } = this.#parts;
    this.#pings ??= this.#limited(async (signal) => {
      const ask = asker(cluster.transport, signal);
      const answers: ProbeAnswer[] = [];
      for (let sent = 0; sent < PINGS; sent += 1) answers.push(await ask('/version'));
      return answers;
    });
    return this.#pings;
  }

  discovered(): Promise<Discovered> {
    this.#discovered ??= this.#limited(async (signal) => {
      const started = performance.now();
      const found = await discover(this.#parts.cluster, { signal });
      return { ...found, ms: performance.now() - started };
    });
    return this.#discovered;
  }

  /** What is served, for checks of something else: the check of discovery reports its failure once, for all of them. */
  async resources(): Promise<Discovery> {
    try {
      return await this.discovered();
    } catch (error) {
      this.#parts.signal.throwIfAborted();
      if (!this.#parts.settings.checks.includes('discovery')) throw error;
      throw new CannotCheck('what is served could not be discovered; see discovery');
    }
  }

  /** Rejects with `CannotCheck` when nothing may be listed. */
  subject(): Promise<ProbedCollection> {
    this.#subject ??= this.#findSubject();
    return this.#subject;
  }

  /** The namespace to look at; undefined: all. A user who may list nothing cluster-wide is examined in one namespace. */
  async namespace(): Promise<string | undefined> {
    const { settings, signal } = this.#parts;
    if (settings.namespace !== undefined) return settings.namespace;
    try {
      return (await this.subject()).namespace;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Is the first state streamed, with its end marker? */
  watchList(): Promise<WatchListProbe> {
    const { cluster, settings } = this.#parts;
    this.#watchList ??= this.subject().then((subject) =>
      this.#limited((signal) =>
        probeWatchList({ cluster, signal }, asker(cluster.transport, signal), subject, settings),
      ),
    );
    return this.#watchList;
  }

  /** What the first page of each list costs. */
  costs(): Promise<readonly ListCost[]> {
    this.#costs ??= this.#measure();
    return this.#costs;
  }

  async #measure(): Promise<readonly ListCost[]> {
    const { cluster, settings, signal } = this.#parts;
    const { resources } = await this.resources();
    const namespace = await this.namespace();
    return measureLists({ cluster, settings, namespace, signal }, watchableResources(resources));
  }

  async #reach(): Promise<Contact> {
    const { cluster, settings } = this.#parts;
    try {
      return await this.#limited((signal) => contactServer(cluster, asker(cluster.transport, signal)));
    } catch (error) {
      if (error instanceof TimeIsUp) return silent(cluster, settings.timeoutMs);
      throw error;
    }
  }

  async #findSubject(): Promise<ProbedCollection> {
    const { settings, cluster } = this.#parts;
    const { resources, failures } = await this.resources();
    const wanted = settings.resource === undefined ? CANDIDATES : [settings.resource];
    const refusals: string[] = [];
    for (const text of wanted) {
      const found = findResource(text, resources, failures);
      if (found.type === 'unknown') {
        refusals.push(found.message);
        continue;
      }
      const { served } = found;
      const own = served.namespaced ? [settings.namespace ?? cluster.namespace] : [];
      const scopes = settings.namespace === undefined ? [undefined, ...own] : served.namespaced ? own : [undefined];
      for (const namespace of scopes) {
        const refusal = await this.#refusal(served, namespace);
        const name = `${groupResourceText(served)}${namespace === undefined ? '' : ` in ${namespace}`}`;
        if (refusal === undefined) return { resource: resource(served), namespace, name };
        refusals.push(refusal);
      }
    }
    throw new CannotCheck(`there is no resource to probe: ${refusals[0] ?? 'the server serves none'}`);
  }

  async #refusal(served: ServedResource, namespace: string | undefined): Promise<string | undefined> {
    try {
      await this.#limited((signal) => this.#parts.cluster.list(resource(served), { namespace, limit: 1, signal }));
      return undefined;
    } catch (error) {
      // A server that hangs does so with the next resource, too.
      if (this.#parts.signal.aborted || error instanceof TimeIsUp) throw error;
      return explainProbe(error);
    }
  }

  #limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withLimit(this.#parts.settings.timeoutMs, this.#parts.signal, work);
  }
}
