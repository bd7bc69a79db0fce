/** The readers of a primary: started, watched, started again, ended. */

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { backgroundClock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { ReaderTicket } from '@listwatch/relay/internal';
import type { HttpServerAddress } from '@listwatch/server/internal';
import type { Logger } from 'pino';
import type { ServeSettings } from '../serve/serve-options.ts';
import { ClientListener } from './client-listener.ts';
import { ConnectionDealer, type DealtReader } from './connection-dealer.ts';
import { type FromReader, seatShare, type ToReader } from './reader-messages.ts';
import { readerPoolMetrics } from './reader-pool-metrics.ts';
import { restartDelayMs, STEADY_MS } from './restart-delay.ts';

const METRICS_MS = 2000;
/** Beyond the drain of a server. */
const END_EXTRA_MS = 10_000;

export interface ReaderPoolOptions {
  readonly settings: ServeSettings;
  readonly log: Logger;
  readonly ticket: () => ReaderTicket;
}

/** One place for a reader, whoever has it. */
interface Place {
  readonly name: string;
  worker: Worker | undefined;
  failures: number;
}

/** Accepts the connections of clients, and answers nothing itself. */
export class ReaderPool {
  readonly #options: ReaderPoolOptions;
  readonly #places: readonly Place[];
  readonly #dealer = new ConnectionDealer(backgroundClock);
  readonly #listener = new ClientListener((socket, door) => this.#dealer.deal(socket, door));
  readonly #texts = new Map<number, (text: string | undefined) => void>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #address: HttpServerAddress | undefined;
  #lastId = 0;
  #restarts = 0;
  #isServing = false;
  #isEnding = false;

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.settings.readers }, (_, at) => ({
      name: String(at + 1),
      worker: undefined,
      failures: 0,
    }));
  }

  /** Undefined before `start` has resolved. */
  get address(): HttpServerAddress | undefined {
    return this.#address;
  }

  /** For `/metrics`, in the text format of Prometheus. */
  get metricsText(): string {
    const serving = this.#places.filter(({ worker }) => worker?.isConnected() === true).length;
    return readerPoolMetrics({
      serving,
      restarts: this.#restarts,
      dropped: this.#listener.dropped,
      ...this.#dealer.counts,
    });
  }

  /** Resolves when all readers serve. Rejects with the failure of the listener, or of the first reader that does not serve. */
  async start(): Promise<void> {
    const { bindAddress: host, port, insecurePort } = this.#options.settings;
    // Clients that come before the readers wait for them.
    this.#address = await this.#listener.listen({ host, port, insecurePort });
    await Promise.all(this.#places.map((place) => this.#fork(place)));
    this.#isServing = true;
  }

  /** The metrics of each reader; one that does not answer is left out. */
  async metrics(): Promise<ReadonlyMap<string, string>> {
    const texts = await Promise.all(
      this.#places.map(async ({ name, worker }) => [name, worker && (await this.#metricsOf(worker))] as const),
    );
    return new Map(texts.filter((one): one is [string, string] => one[1] !== undefined));
  }

  /** Lets every reader finish what it answers; kills those that take too long. */
  async close(): Promise<void> {
    this.#isEnding = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const { requestTimeout, shutdownDelayDuration } = this.#options.settings;
    // Until then connections are taken, as by a server that is alone.
    const refuse = (): void => {
      this.#listener.close();
      this.#dealer.close();
    };
    const delay = setTimeout(refuse, shutdownDelayDuration);
    await Promise.all(
      this.#places.map(async ({ worker }) => {
        if (worker === undefined || worker.isDead()) return;
        const ended = once(worker, 'exit');
        tell(worker, { type: 'end' });
        const late = setTimeout(
          () => worker.process.kill('SIGKILL'),
          requestTimeout + shutdownDelayDuration + END_EXTRA_MS,
        );
        await ended;
        clearTimeout(late);
      }),
    );
    clearTimeout(delay);
    refuse();
  }

  /** Resolves when the reader serves. */
  #fork(place: Place): Promise<void> {
    const { log } = this.#options;
    const worker = cluster.fork();
    place.worker = worker;
    const begun = monotonicMs(backgroundClock);
    const dealt: DealtReader = {
      send: (connection, socket) => {
        // One that has ended: `exit` deals the connection again.
        worker.send({ type: 'connection', ...connection }, socket, { keepOpen: true }, () => undefined);
      },
    };
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromReader) => {
        switch (message.type) {
          case 'ready':
            tell(worker, this.#begin());
            return;
          case 'serving':
            this.#dealer.add(dealt);
            return resolve();
          case 'failed':
            return reject(new Error(`reader ${place.name}: ${message.message}`));
          case 'taken':
            return this.#dealer.taken(dealt, message.id);
          case 'load':
            return this.#dealer.loaded(dealt, message.load);
          case 'metrics':
            return this.#texts.get(message.id)?.(message.text);
        }
      });
      worker.on('error', (error) => log.warn({ err: error, reader: place.name }, 'a reader cannot be told something'));
      let ending: { readonly code: number | null; readonly signal: string | null } | undefined;
      worker.once('exit', (code: number | null, signal: string | null) => {
        ending = { code, signal };
        place.worker = undefined;
      });
      // Behind its last message: a connection that it has taken must not be dealt again.
      worker.process.once('close', () => {
        this.#dealer.remove(dealt);
        const { code = null, signal = null } = ending ?? {};
        reject(new Error(`reader ${place.name} ended before it served (${signal ?? code})`));
        if (this.#isEnding || !this.#isServing) return;
        log.warn({ reader: place.name, code, signal }, 'a reader has ended; its clients resume at the others');
        if (monotonicMs(backgroundClock) - begun > STEADY_MS) place.failures = 0;
        this.#forkLater(place);
      });
    });
  }

  #begin(): ToReader {
    const { settings, ticket } = this.#options;
    const { maxRequestsInflight, maxMutatingRequestsInflight, readers } = settings;
    if (this.#address === undefined) throw new TypeError('readers begin when the port is known');
    const seats = seatShare(maxRequestsInflight, maxMutatingRequestsInflight, readers);
    return { type: 'begin', ticket: ticket(), address: this.#address, seats };
  }

  #forkLater(place: Place): void {
    const ms = restartDelayMs(place.failures);
    place.failures += 1;
    this.#restarts += 1;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#fork(place).catch((error: unknown) => this.#options.log.warn({ err: error }, 'a reader did not start'));
    }, ms);
    this.#timers.add(timer);
  }

  #metricsOf(worker: Worker): Promise<string | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => answer(undefined), METRICS_MS);
      const answer = (text: string | undefined): void => {
        clearTimeout(timer);
        this.#texts.delete(id);
        resolve(text);
      };
      this.#texts.set(id, answer);
      if (!tell(worker, { type: 'metrics', id })) answer(undefined);
    });
  }
}

/** False: it has ended. */
function tell(worker: Worker, message: ToReader): boolean {
  if (!worker.isConnected()) return false;
  worker.send(message);
  return true;
}
