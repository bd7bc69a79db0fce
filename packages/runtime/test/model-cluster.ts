/** The cluster of a model of controllers: two resources with troubles of their own, and one lease. */

import { type ApiObject, type Resource, resource, type Status, type WatchEvent } from '@listwatch/api';
import type { FakeClock } from '@listwatch/api/fake-clock';
import type { Cluster, ListQuery, WatchQuery, WatchStream } from '@listwatch/client';
import { leases } from '../src/index.ts';
import type { CandidateProcess } from './candidate-process.ts';
import { LeaseServer, leaseCluster } from './lease-server.ts';
import { type Thing, things } from './model-object.ts';
import { ModelServer } from './model-server.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Objects that lead to a reconcile of the thing that their size stands for. */
export const parts: Resource<Thing> = resource<Thing>({
  group: 'example.org',
  version: 'v1',
  plural: 'parts',
  // The model server makes only these.
  kind: 'Thing',
  namespaced: true,
});

/** A model server that counts how often each object has changed. */
export class CountedServer extends ModelServer {
  readonly changes = new Map<string, number>();

  override put(key: string, size?: number): Thing {
    this.#count(key);
    return super.put(key, size);
  }

  override delete(key: string): void {
    if (this.state.has(key)) this.#count(key);
    super.delete(key);
  }

  #count(key: string): void {
    this.changes.set(key, (this.changes.get(key) ?? 0) + 1);
  }
}

/** What the processes of one run share. */
export class ModelBackend {
  readonly things: CountedServer;
  readonly parts: CountedServer;
  readonly lease: LeaseServer = new LeaseServer();

  constructor(clock: FakeClock) {
    this.things = new CountedServer(clock);
    this.parts = new CountedServer(clock);
  }

  get servers(): readonly CountedServer[] {
    return [this.things, this.parts];
  }

  serverOf({ plural }: Resource): CountedServer {
    return plural === things.plural ? this.things : this.parts;
  }
}

/** The cluster as one process sees it. A stopped process reads and writes nothing. */
export function modelCluster(process: CandidateProcess, backend: ModelBackend, random: SeededRandom): Cluster {
  const lease = leaseCluster(process, backend.lease, random);
  const write = <T>(work: () => T, signal: AbortSignal | undefined): Promise<T> =>
    process.send(work, random.below(20), signal);
  const cluster: Partial<Cluster> = {
    clock: process,
    server: 'https://model',
    namespace: 'default',
    get: lease.get,
    create: lease.create,
    async *pages<T extends ApiObject>(from: Resource<T>, query?: ListQuery<T>) {
      for await (const page of backend.serverOf(from).pages(from, query)) {
        await process.running();
        yield page;
      }
    },
    watch: <T extends ApiObject>(from: Resource<T>, query?: WatchQuery<T>) =>
      readByProcess(backend.serverOf(from).watch(from, query), process),
    // oxlint-disable typescript/no-unsafe-type-assertion -- all objects but the lease are things
    update: <T extends ApiObject>(to: Resource<T>, object: T, options?: { readonly signal?: AbortSignal }) => {
      if (to.plural === leases.plural) return lease.update(to, object, options);
      const { metadata, spec } = object as unknown as Thing;
      return write(
        () => backend.serverOf(to).put(`${metadata.namespace}/${metadata.name}`, spec?.size) as unknown as T,
        options?.signal,
      );
    },
    // oxlint-enable typescript/no-unsafe-type-assertion
    delete: (to, { namespace, name }, options) =>
      write((): Status => {
        const server = backend.serverOf(to);
        const uid = server.state.get(`${namespace}/${name}`)?.metadata.uid;
        server.delete(`${namespace}/${name}`);
        const details = uid === undefined ? {} : { details: { name, uid } };
        return { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success', ...details };
      }, options?.signal),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest is not used by a controller or an election
  return cluster as Cluster;
}

function readByProcess<T extends ApiObject>(stream: WatchStream<T>, process: CandidateProcess): WatchStream<T> {
  return {
    get opened() {
      return stream.opened;
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>> {
      for await (const event of stream) {
        await process.running();
        yield event;
      }
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
}
