/** One informer of the soak, with a reader: both must become what the server has. */

import { type ApiObject, resource } from '@listwatch/api';
import type { Cluster, ListQuery } from '@listwatch/client';
import { type Informer, type InformerOptions, informer } from '@listwatch/runtime';
import { ToldStory } from './told-story.ts';

export const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

/** What it watches, and how. */
export interface SoakPlan {
  readonly name: string;
  readonly cluster: Cluster;
  readonly query: Pick<ListQuery, 'labelSelector' | 'namespace'>;
  readonly options?: InformerOptions | undefined;
}

/** Trouble comes every few seconds: pauses of half a minute would sit most of it out. */
const BACKOFF = { initialMs: 50, maxMs: 1000 } as const;
/** Now and then a server ends a watch because its time is up. */
const WATCH_SECONDS = 20;

export class SoakInformer {
  readonly plan: SoakPlan;
  readonly informer: Informer;
  readonly story = new ToldStory();
  readonly #reading: Promise<void>;

  constructor(plan: SoakPlan, signal: AbortSignal) {
    this.plan = plan;
    this.informer = informer(plan.cluster, configMaps, {
      ...plan.query,
      backoff: BACKOFF,
      timeoutSeconds: WATCH_SECONDS,
      onWarning: ({ type, message }) => this.story.problems.push(`${type}: ${message}`),
      ...plan.options,
      signal,
    });
    this.#reading = this.#read();
  }

  /** What differs from the server's list; nothing when both the store and the reader have it right. */
  difference(truth: readonly string[]): string | undefined {
    const { store, status } = this.informer;
    const cached = stateText(store.values());
    const believed = stateText(this.story.known.values());
    const wrong = cached.join() !== truth.join() ? 'store' : believed.join() !== truth.join() ? 'reader' : undefined;
    if (wrong === undefined) return status.phase === 'live' ? undefined : `${this.plan.name}: ${status.phase}`;
    const has = new Set(wrong === 'store' ? cached : believed);
    const odd = [...truth.filter((text) => !has.has(text)), ...[...has].filter((text) => !truth.includes(text))];
    return `${this.plan.name}: the ${wrong} (${status.phase}) differs in ${odd.length}, such as ${odd.slice(0, 4).join(' ')}`;
  }

  async close(): Promise<void> {
    await this.informer.close();
    await this.#reading;
  }

  async #read(): Promise<void> {
    for await (const change of this.informer.changes()) this.story.note(change);
  }
}

/** Key, version and identity of each, sorted. */
export function stateText(objects: Iterable<ApiObject>): readonly string[] {
  return Array.from(objects, ({ metadata: { namespace, name, resourceVersion, uid } }) => {
    return `${namespace}/${name}@${resourceVersion}#${uid}`;
  }).toSorted();
}
