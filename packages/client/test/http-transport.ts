/** The least transport over node:http that keeps the contract, so that tests of what is above need no other. */

import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Transport, TransportRequest, TransportResponse } from '../src/transport/transport.ts';
import { TransportError } from '../src/transport/transport-error.ts';

/** Everything goes to `url`, with `token`. */
export class HttpTransport implements Transport {
  readonly name = 'http/1.1';
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  async send({ method, path, headers, body, signal }: TransportRequest): Promise<TransportResponse> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      // Node sends the body of a DELETE without its length, and the server takes it for another request.
      const length = body === undefined ? {} : { 'content-length': body.length };
      const all = { ...headers, ...length, authorization: `Bearer ${this.#token}` };
      const options = { method, agent: this.#agent, headers: all, signal };
      const request = httpRequest(this.#url + path, options, resolve);
      request.on('error', (cause) => reject(signal?.reason ?? new TransportError('CONNECT', cause.message, { cause })));
      request.end(body);
    });
    const names = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return { status: response.statusCode ?? 0, headers: Object.fromEntries(names), body: chunks(response, signal) };
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function* chunks(response: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) {
      if (chunk instanceof Uint8Array) yield chunk;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new TransportError('CLOSED', String(cause), { cause });
  }
}
