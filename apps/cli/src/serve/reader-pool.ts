/** The readers of a primary: started, watched, started again, ended. */

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { backgroundClock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { ReaderTicket } from '@listwatch/relay/internal';
import type { HttpServerAddress } from '@listwatch/server/internal';
import type { Logger } from 'pino';
import { type FromReader, seatShare, type ToReader } from './reader-messages.ts';
import type { ServeSettings } from './serve-options.ts';

/** A reader that dies again and again is started ever later. */
const FIRST_RESTART_MS = 100;
const LAST_RESTART_MS = 10_000;
/** One that has served for this long is a new story. */
const STEADY_MS = 60_000;
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

/** Hands connections out in turn: `node:cluster` listens in this process and answers nothing itself. */
export class ReaderPool {
  readonly #options: ReaderPoolOptions;
  readonly #places: readonly Place[];
  readonly #texts = new Map<number, (text: string | undefined) => void>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #address: HttpServerAddress | undefined;
  #port = 0;
  #lastId = 0;
  #restarts = 0;
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
    return [
      '# HELP listwatch_readers Reader processes that run.',
      '# TYPE listwatch_readers gauge',
      `listwatch_readers ${serving}`,
      '',
      '# HELP listwatch_reader_restarts_total Readers that ended unasked and were started again.',
      '# TYPE listwatch_reader_restarts_total counter',
      `listwatch_reader_restarts_total ${this.#restarts}`,
      '',
    ].join('\n');
  }

  /** Resolves when all readers serve. Rejects with the failure of the first one that does not. */
  async start(): Promise<void> {
    const { settings } = this.#options;
    // All readers must ask for the same port, and so must those that are started later.
    this.#port = settings.port === 0 ? await freePort(settings.bindAddress) : settings.port;
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const addresses = await Promise.all(this.#places.map((place) => this.#fork(place)));
    this.#address = addresses[0];
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
  }

  /** Resolves with the address when the reader serves. */
  #fork(place: Place): Promise<HttpServerAddress> {
    const { settings, log, ticket } = this.#options;
    const { maxRequestsInflight, maxMutatingRequestsInflight, readers } = settings;
    const worker = cluster.fork();
    place.worker = worker;
    const begun = monotonicMs(backgroundClock);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromReader) => {
        switch (message.type) {
          case 'ready': {
            const seats = seatShare(maxRequestsInflight, maxMutatingRequestsInflight, readers);
            tell(worker, { type: 'begin', ticket: ticket(), port: this.#port, seats });
            return;
          }
          case 'serving':
            return resolve(message.address);
          case 'failed': {
            const { message: text, code, syscall, port } = message;
            return reject(Object.assign(new Error(text), { code, syscall, port }));
          }
          case 'metrics':
            return this.#texts.get(message.id)?.(message.text);
        }
      });
      worker.on('error', (error) => log.warn({ err: error, reader: place.name }, 'a reader cannot be told something'));
      worker.once('exit', (code, signal) => {
        reject(new Error(`reader ${place.name} ended before it served (${signal ?? code})`));
        place.worker = undefined;
        if (this.#isEnding || this.#address === undefined) return;
        log.warn({ reader: place.name, code, signal }, 'a reader has ended; its clients resume at the others');
        if (monotonicMs(backgroundClock) - begun > STEADY_MS) place.failures = 0;
        this.#forkLater(place);
      });
    });
  }

  #forkLater(place: Place): void {
    const ms = Math.min(LAST_RESTART_MS, FIRST_RESTART_MS * 2 ** place.failures);
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

async function freePort(host: string): Promise<number> {
  const server = createServer();
  server.listen({ host, port: 0 });
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('a TCP port was expected');
  return address.port;
}
