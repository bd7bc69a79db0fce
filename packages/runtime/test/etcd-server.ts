/** A server on an etcd, with an informer: what a person does to etcd must not disturb either for long. */

import { randomUUID } from 'node:crypto';
import { type ApiObject, type Resource, systemClock } from '@listwatch/api';
import { assemble, type Cluster, createCluster, createLoopbackTransport } from '@listwatch/client';
import { type ApiServer, createApiServer } from '@listwatch/server';
import type { StorageEngine } from '@listwatch/storage';
import { createEtcdEngine, type EtcdEngineOptions } from '@listwatch/storage-etcd';
import { expect, vi } from 'vitest';
import { type Informer, informer } from '../src/index.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const ADMIN = { user: { name: 'admin', groups: ['system:masters'] } };
export const maps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

/** It can be stopped and started again on the same etcd; its informer goes on. */
export class EtcdServer implements AsyncDisposable {
  readonly #options: EtcdEngineOptions;
  #life: { readonly engine: StorageEngine; readonly server: ApiServer } | undefined;
  readonly cluster: Cluster;
  readonly cache: Informer;
  readonly errors: unknown[] = [];
  #count = 0;

  constructor(options: EtcdEngineOptions) {
    this.#options = { root: `/${randomUUID()}/`, compaction: 'off', ...options };
    this.#life = this.#open();
    const wire = createLoopbackTransport({ handle: async (request) => this.#current().server.handle(request, ADMIN) });
    this.cluster = createCluster(assemble(wire, { clock: systemClock }), { server: 'loopback:' });
    this.cache = informer(this.cluster, maps, { namespace: 'default' });
  }

  static async start(options: EtcdEngineOptions): Promise<EtcdServer> {
    const running = new EtcdServer(options);
    await running.#current().server.start();
    await running.cache.synced;
    return running;
  }

  async stop(): Promise<void> {
    const { server, engine } = this.#current();
    this.#life = undefined;
    await Promise.all([server.close(), server.close()]);
    await engine.close();
  }

  async restart(): Promise<void> {
    const life = this.#open();
    await life.server.start();
    this.#life = life;
  }

  write(): Promise<ApiObject> {
    this.#count += 1;
    return this.cluster.create(maps, { metadata: { name: `n${this.#count}`, namespace: 'default' } });
  }

  /** A write works, and the informer hears of it. */
  async works(): Promise<void> {
    const { metadata } = await vi.waitFor(() => this.write(), WAIT);
    await vi.waitFor(() => expect(this.cache.store.get(`default/${metadata.name}`)).toBeDefined(), WAIT);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cache.close();
    await this.cluster.close();
    if (this.#life !== undefined) await this.stop();
  }

  #open(): { readonly engine: StorageEngine; readonly server: ApiServer } {
    const engine = createEtcdEngine(this.#options);
    return { engine, server: createApiServer({ engine, onError: (error) => this.errors.push(error) }) };
  }

  #current(): { readonly engine: StorageEngine; readonly server: ApiServer } {
    if (this.#life === undefined) throw new Error('the server is stopped');
    return this.#life;
  }
}
