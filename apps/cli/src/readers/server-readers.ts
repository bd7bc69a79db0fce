/** The readers of `listwatch serve --readers`: the primary without a port of its own, and the processes that listen for it. */

import { backgroundClock } from '@listwatch/api';
import { openPrimaryHost, type PrimaryHost, type ReaderTicket } from '@listwatch/relay/internal';
import type { ApiServerOptions } from '@listwatch/server';
import { createProcessServer, type ProcessServer } from '@listwatch/server/internal';
import type { StorageEngine } from '@listwatch/storage';
import type { Logger } from 'pino';
import type { ServeSettings } from '../serve/serve-options.ts';
import { StartError } from '../start-error.ts';
import { ReaderPool } from './reader-pool.ts';

export class ServerReaders {
  readonly #engine: StorageEngine;
  readonly #pool: ReaderPool;
  #server: ProcessServer | undefined;
  #host: PrimaryHost | undefined;

  /** Throws a `StartError` where readers cannot be. */
  constructor(settings: ServeSettings, log: Logger, engine: StorageEngine) {
    if (process.platform === 'win32') throw new StartError('--readers needs Unix sockets with modes: not on Windows');
    if (!engine.capabilities.progressRequests) {
      throw new StartError('--readers needs an etcd that answers progress requests in order, and this one is too old');
    }
    this.#engine = engine;
    this.#pool = new ReaderPool({ settings, log, ticket: () => this.#ticket() });
  }

  /** The primary: it answers what its readers pass on, and the requests of its own process. */
  createServer(options: ApiServerOptions): ProcessServer {
    this.#server = createProcessServer({
      ...options,
      // The readers have waited already.
      shutdownDelayMs: 0,
      primary: { address: () => this.#pool.address, metrics: () => this.#pool.metrics() },
    });
    return this.#server;
  }

  /** Resolves when the readers serve. Rejects with the failure of the first one that does not. */
  async listen(): Promise<void> {
    const server = this.#server;
    if (server === undefined) throw new TypeError('the server is made first');
    await server.start();
    this.#host = await openPrimaryHost({ engine: this.#engine, server, clock: backgroundClock });
    await this.#pool.start();
  }

  metricsText(): string {
    return this.#pool.metricsText;
  }

  /** Lets the readers finish. */
  end(): Promise<void> {
    return this.#pool.close();
  }

  /** Closes their sockets. */
  close(): void {
    this.#host?.close();
  }

  #ticket(): ReaderTicket {
    if (this.#host === undefined) throw new TypeError('the sockets are opened first');
    return this.#host.ticket;
  }
}
