/** Writes at random at a steady rate, to a server that is away now and then. */

import { isStatusError } from '@listwatch/api';
import { type Cluster, isTransportError } from '@listwatch/client';
import { configMaps } from './soak-informer.ts';

export const NAMESPACES = ['soak-a', 'soak-b', 'soak-c'] as const;
const NAMES = 150;
const PAYLOAD = 'x'.repeat(600);
const PER_SECOND = 60;

export class SoakWriter {
  readonly #cluster: Cluster;
  #writes = 0;
  #failures = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  get writes(): number {
    return this.#writes;
  }

  /** Writes that were refused, or came to nothing because the server was away. */
  get failures(): number {
    return this.#failures;
  }

  /** Makes as many as there will be on average: a cache that still fills looks like one that leaks. */
  async seed(): Promise<void> {
    for (const namespace of NAMESPACES) {
      for (let i = 0; i < NAMES; i += 1) {
        if (i % 7 < 4) await this.#create(namespace, i);
      }
    }
  }

  async run(ms: number): Promise<void> {
    const started = performance.now();
    for (let done = 1; performance.now() - started < ms; done += 1) {
      await this.#write();
      const early = (done / PER_SECOND) * 1000 - (performance.now() - started);
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    }
  }

  async #write(): Promise<void> {
    const namespace = NAMESPACES[below(NAMESPACES.length)] ?? NAMESPACES[0];
    const i = below(NAMES);
    try {
      const dice = below(10);
      if (dice < 4) await this.#create(namespace, i);
      else if (dice < 7) await this.#cluster.delete(configMaps, { namespace, name: nameOf(i) });
      else await this.#change(namespace, i);
      this.#writes += 1;
    } catch (error) {
      if (!isStatusError(error) && !isTransportError(error)) throw error;
      this.#failures += 1;
      // A server that is away is not asked in a busy loop.
      if (isTransportError(error)) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #create(namespace: string, i: number): Promise<void> {
    const metadata = { namespace, name: nameOf(i), labels: randomLabels() };
    await this.#cluster.create(configMaps, { metadata, ...data() });
  }

  async #change(namespace: string, i: number): Promise<void> {
    const body = { metadata: { labels: randomLabels() }, ...data() };
    await this.#cluster.patch(configMaps, { namespace, name: nameOf(i) }, { type: 'merge', body });
  }
}

function nameOf(i: number): string {
  return `object-${i}`;
}

function randomLabels(): Readonly<Record<string, string>> {
  return { app: below(2) === 0 ? 'web' : 'other' };
}

function data(): { readonly data: Readonly<Record<string, string>> } {
  return { data: { value: String(below(1e9)), payload: PAYLOAD } };
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}
