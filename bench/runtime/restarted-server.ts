/** Our server as a process that ends and comes back, on the same port and the same store. */

import { type OwnServer, startOwnServer } from '../server/own-server.ts';

export class RestartedServer {
  readonly #folder: string;
  #running: OwnServer | undefined;
  #port = 0;
  #starts = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get port(): number {
    return this.#port;
  }

  get token(): string {
    return this.#server().token;
  }

  /** How often it was started. */
  get starts(): number {
    return this.#starts;
  }

  async start(): Promise<void> {
    const options = { folder: this.#folder, storage: 'lmdb', fromSource: true, port: this.#port } as const;
    this.#running = await startOwnServer(options);
    this.#port = Number(new URL(this.#running.url).port);
    this.#starts += 1;
  }

  /** Politely. */
  async stop(): Promise<void> {
    await this.#server().stop();
  }

  /** As a crash would. */
  async kill(): Promise<void> {
    await this.#server().kill();
  }

  /** Every version before the present is 410 from now on. */
  async forget(): Promise<void> {
    await this.#server().forget();
  }

  #server(): OwnServer {
    if (this.#running === undefined) throw new TypeError('the server has not been started');
    return this.#running;
  }
}
