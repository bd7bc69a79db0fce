/** One connection that is used again and again. */

import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import type { Door } from './server-process.ts';

/** Sends requests over HTTP/1.1, one after the other. */
export class KeptConnection implements Disposable {
  readonly #door: Door;
  readonly #agent: HttpAgent;
  readonly #send: typeof request;
  /** The requests that were cut, each with its place and the error. */
  readonly cut: string[] = [];
  #sent = 0;
  #connections = 0;

  constructor(door: Door, ca: string) {
    this.#door = door;
    const isTls = door.url.startsWith('https:');
    this.#send = isTls ? tlsRequest : request;
    const options = { keepAlive: true, maxSockets: 1, ca };
    this.#agent = isTls ? new Agent(options) : new HttpAgent(options);
  }

  /** How many connections were needed. */
  get connections(): number {
    return this.#connections;
  }

  /** The length of the answer; 0 when it was cut. */
  async ask(method: string, path: string, body?: string): Promise<number> {
    this.#sent++;
    try {
      return await this.#ask(method, path, body);
    } catch (error) {
      this.cut.push(`request ${this.#sent}, ${method} of ${body?.length ?? 0} bytes: ${String(error)}`);
      return 0;
    }
  }

  async #ask(method: string, path: string, body?: string): Promise<number> {
    const headers = {
      ...this.#door.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
    };
    const sent = this.#send(new URL(path, this.#door.url), { method, headers, agent: this.#agent });
    sent.once('socket', () => {
      if (!sent.reusedSocket) this.#connections++;
    });
    sent.end(body);
    const [response]: IncomingMessage[] = await once(sent, 'response');
    let length = 0;
    for await (const chunk of response ?? []) length += Buffer.byteLength(chunk);
    if (response === undefined || (response.statusCode ?? 0) >= 300) throw new Error(`status ${response?.statusCode}`);
    return length;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
