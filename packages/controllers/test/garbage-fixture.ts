/** A real server in this process, a collector on it, and objects that own each other. */

import { type ApiObject, type Clock, type OwnerReference, type Resource, resource, systemClock } from '@listwatch/api';
import { assemble, type Cluster, createCluster, createLoopbackTransport, type DeleteOptions } from '@listwatch/client';
import { type Logger, sharedInformers, silentLogger } from '@listwatch/runtime';
import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { vi } from 'vitest';
import type { ControllerSurroundings } from '../src/built-in-controller.ts';
import {
  type GarbageCollector,
  type GarbageCollectorOptions,
  garbageCollector,
} from '../src/garbage/garbage-collector.ts';

export const configMaps: Resource = resource({
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
});
export const secrets: Resource = resource({ version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true });
export const nodes: Resource = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
export const namespaces: Resource = resource({
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
});

/** A path and what was sent there. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
}

/** The answer of a server in the process. */
export type Answer = Awaited<ReturnType<ApiServer['handle']>>;

/** What a server says that does not allow it. */
export function refusal(): Answer {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', message: 'no', code: 403 };
  const body = (async function* () {
    yield Buffer.from(JSON.stringify(status));
  })();
  return { status: 403, headers: { 'content-type': 'application/json' }, body };
}

/** A server that runs no controllers of its own. */
export class GarbageServer implements AsyncDisposable {
  readonly engine: StorageEngine;
  readonly server: ApiServer;
  readonly cluster: Cluster;
  /** The requests of the collector. */
  readonly collectorRequests: SentRequest[] = [];
  readonly clock: Clock;
  /** Called before each request of the collector: it may wait, change something, or answer instead of the server. */
  intercept: ((request: SentRequest, forward: () => Promise<Answer>) => Promise<Answer | undefined>) | undefined;

  readonly #running: Running[] = [];
  readonly #keepsEngine: boolean;

  private constructor(engine: StorageEngine, clock: Clock, keepsEngine: boolean) {
    this.#keepsEngine = keepsEngine;
    this.engine = engine;
    this.clock = clock;
    this.server = createApiServer({ engine, clock });
    this.cluster = this.#connect();
  }

  static async start(
    options: { readonly clock?: Clock; readonly engine?: StorageEngine } = {},
  ): Promise<GarbageServer> {
    const { clock = systemClock, engine = createMemoryEngine({ clock }) } = options;
    const started = new GarbageServer(engine, clock, options.engine !== undefined);
    await started.server.start();
    return started;
  }

  /** Runs a collector until it is stopped, or the server is. */
  collect(options: GarbageCollectorOptions = { ownedKinds: this.server.ownedKinds }, logger = silentLogger): Running {
    const running = new Running(this.#connect(this.collectorRequests), garbageCollector(options), logger);
    this.#running.push(running);
    return running;
  }

  async add(
    owned: Resource,
    name: string,
    owners: readonly OwnerReference[] = [],
    more: object = {},
  ): Promise<ApiObject> {
    const references = owners.length === 0 ? {} : { ownerReferences: owners };
    return this.cluster.create(owned, { metadata: { name, ...references, ...more } });
  }

  async delete(owned: Resource, name: string, options: DeleteOptions = {}): Promise<void> {
    await this.cluster.delete(owned, { name }, options);
  }

  async names(owned: Resource): Promise<readonly string[]> {
    const { items } = await this.cluster.list(owned);
    return items.map(({ metadata }) => metadata.name).filter((name) => !name.startsWith('kube-'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((running) => running.stop()));
    await this.cluster.close();
    const closed = this.server.close();
    await this.server.close();
    await closed;
    if (!this.#keepsEngine) await this.engine.close();
  }

  #connect(requests?: SentRequest[]): Cluster {
    const user = { name: 'admin', groups: ['system:masters'] };
    const { clock } = this;
    const server = {
      handle: async (request: Parameters<ApiServer['handle']>[0]): Promise<Answer> => {
        requests?.push(request);
        const forward = (): Promise<Answer> => this.server.handle(request, { user });
        const answer = requests === undefined ? undefined : await this.intercept?.(request, forward);
        return answer ?? forward();
      },
    };
    return createCluster(assemble(createLoopbackTransport(server, { clock }), { clock }), {
      server: 'loopback:',
      clock,
    });
  }
}

/** A collector that runs. */
export class Running {
  readonly collector: GarbageCollector;
  readonly #cluster: Cluster;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  readonly #surroundings: ControllerSurroundings;

  constructor(cluster: Cluster, collector: GarbageCollector, logger: Logger) {
    this.#cluster = cluster;
    this.collector = collector;
    const { signal } = this.#abort;
    this.#surroundings = { cluster, informers: sharedInformers(cluster), logger, signal };
    this.#ended = this.runAgain();
  }

  /** Calls `run` of the same collector. */
  runAgain(): Promise<void> {
    return this.collector.run(this.#surroundings);
  }

  /** Stops it as a kill would: whatever it was doing is cut. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#ended;
    await this.#cluster.close();
  }
}

/** Waits until a check passes: for as long as a busy machine may take, and not longer than needed. */
export function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}

/** A reference to an object that is stored. */
export function refer(owned: Resource, { metadata }: ApiObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const apiVersion = owned.group === '' ? owned.version : `${owned.group}/${owned.version}`;
  return { apiVersion, kind: owned.kind, name: metadata.name, uid: metadata.uid ?? '', ...more };
}
