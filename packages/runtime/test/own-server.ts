/** Our server for the runtime's suite: it can be restarted, made to forget, and cut off. */

import { systemClock } from '@listwatch/api';
import {
  assemble,
  type Cluster,
  connect,
  createCluster,
  createLoopbackTransport,
  type FeatureOptions,
} from '@listwatch/client';
import { startTcpProxy, TestAuthority } from '@listwatch/conformance/parts';
import type { RuntimeServer } from '@listwatch/conformance/runtime';
import { type ApiServer, createApiServer, firstAuthenticator, tokenAuthenticator } from '@listwatch/server';
import { isStorageError, type StorageEngine } from '@listwatch/storage';
import { createBreakableWay } from './breakable-way.ts';
import type { KeptStore } from './kept-store.ts';

const TOKEN = 'runtime-token';
const ADMIN = { name: 'runtime', groups: ['system:masters'] };

/** What is kept from one life of the server to the next. */
interface ServerPlan {
  readonly store: KeptStore;
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
  readonly maxConcurrentStreams?: number | undefined;
}

/** One server, in as many lives as it takes. */
class ServerLives {
  readonly #plan: ServerPlan;
  readonly #unforeseen: unknown[] = [];
  #life: { readonly server: ApiServer; readonly engine: StorageEngine } | undefined;
  #port = 0;

  constructor(plan: ServerPlan) {
    this.#plan = plan;
  }

  get port(): number {
    return this.#port;
  }

  get server(): ApiServer {
    return this.#current().server;
  }

  async start(): Promise<void> {
    const { store, certificate, maxConcurrentStreams } = this.#plan;
    const engine = await store.open();
    const server = createApiServer({
      engine,
      tls: certificate,
      port: this.#port,
      maxConcurrentStreams,
      authenticator: firstAuthenticator([tokenAuthenticator(new Map([[TOKEN, ADMIN]]))]),
      onError: (error) => this.#unforeseen.push(error),
    });
    await (certificate === undefined ? server.start() : server.listen());
    if (certificate !== undefined) this.#port = Number(new URL(server.url).port);
    this.#life = { server, engine };
  }

  async stop(): Promise<void> {
    const { server, engine } = this.#current();
    const ended = server.close();
    // A second time means at once: nobody here waits for the end of a watch.
    await server.close();
    await ended;
    await this.#plan.store.release(engine);
  }

  async forget(): Promise<void> {
    const { server, engine } = this.#current();
    try {
      await engine.compact(await engine.revision());
    } catch (error) {
      // Nothing has changed since the last time: its past is gone already.
      if (!isStorageError(error, 'COMPACTED')) throw error;
    }
    await server.forgetChanges();
  }

  /** Ends it for good. Throws what went wrong in it and was nobody's fault but its own. */
  async end(): Promise<void> {
    await this.stop();
    await this.#plan.store[Symbol.asyncDispose]();
    if (this.#unforeseen.length > 0)
      throw new AggregateError(this.#unforeseen, 'the server met what it did not foresee');
  }

  #current(): { readonly server: ApiServer; readonly engine: StorageEngine } {
    if (this.#life === undefined) throw new TypeError('the server has not been started');
    return this.#life;
  }
}

/** In the process, without a socket. */
export async function startLoopbackServer(store: KeptStore): Promise<RuntimeServer> {
  const lives = new ServerLives({ store });
  await lives.start();
  const way = createBreakableWay();
  const wire = (): ReturnType<typeof createLoopbackTransport> =>
    createLoopbackTransport({ handle: (request) => lives.server.handle(request, { user: ADMIN }) });
  const admin = createCluster(assemble(wire(), { clock: systemClock }), { server: 'loopback:' });
  return {
    connect: async (features) =>
      createCluster(assemble(way.decorate(wire()), { ...features, clock: systemClock }), { server: 'loopback:' }),
    admin,
    network: way.network,
    power: lives,
    forget: () => lives.forget(),
    [Symbol.asyncDispose]: async () => {
      await admin.close();
      await lives.end();
    },
  };
}

export interface SocketServerOptions {
  readonly store: KeptStore;
  readonly protocol: 'http/1.1' | 'http/2';
  readonly maxConcurrentStreams?: number | undefined;
}

/** On a port, with TLS, behind a network that can be broken. */
export async function startSocketServer(options: SocketServerOptions): Promise<RuntimeServer> {
  const { store, protocol, maxConcurrentStreams = 100 } = options;
  using authority = new TestAuthority();
  const caData = authority.ca;
  const lives = new ServerLives({ store, maxConcurrentStreams, certificate: authority.server() });
  await lives.start();
  const proxy = await startTcpProxy(lives.port);
  const to = (port: number, features: FeatureOptions = {}): Promise<Cluster> =>
    connect({ ...features, server: `https://127.0.0.1:${port}`, token: TOKEN, caData, protocol });
  const admin = await to(lives.port);
  return {
    connect: (features) => to(proxy.port, features),
    admin,
    network: proxy,
    power: lives,
    connections: {
      get open() {
        return proxy.connections;
      },
      watchesEach: maxConcurrentStreams,
    },
    forget: () => lives.forget(),
    [Symbol.asyncDispose]: async () => {
      await admin.close();
      await proxy.close();
      await lives.end();
    },
  };
}
