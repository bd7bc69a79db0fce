/** A server in the process behind faults, and ways to ask it byte by byte; no test itself, and not shipped. */

import { FakeClock } from '@listwatch/api/fake-clock';
import { isTransportError, type Transport, type TransportRequest, type TransportResponse } from '@listwatch/client';
import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { expect } from 'vitest';
import { createFaults } from './create-faults.ts';
import type { Faults } from './faults.ts';

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const USER = { name: 'test', groups: ['system:masters'] };

/** One event, as far as these tests look. */
export interface Event {
  readonly type: string;
  readonly object: {
    readonly code?: number;
    readonly metadata: { readonly name?: string; readonly resourceVersion: string };
  };
}

/** What a list or an object answers, as far as these tests look. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: {
    readonly code?: number;
    readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly name?: string };
    readonly items?: readonly unknown[];
  };
}

/** A watch, read frame by frame. */
export class WatchReader {
  readonly #body: AsyncIterator<Uint8Array, unknown>;
  #text = '';

  constructor(response: TransportResponse) {
    expect(response.status).toBe(200);
    this.#body = response.body[Symbol.asyncIterator]();
  }

  /** The next event; undefined when the body ended after a whole one. */
  async event(): Promise<Event | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const event: Event = JSON.parse(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 1);
        return event;
      }
      const next = await this.#body.next();
      if (next.done === true) {
        expect(this.#text).toBe('');
        return undefined;
      }
      this.#text += Buffer.from(next.value).toString();
    }
  }

  /** The next event as `ADDED a`. */
  async told(): Promise<string | undefined> {
    const event = await this.event();
    return event === undefined
      ? undefined
      : `${event.type} ${event.object.metadata?.name ?? event.object.code ?? ''}`.trim();
  }

  /** The rest of the body as it comes, and how it ends. */
  async rest(): Promise<{ readonly text: string; readonly end: string }> {
    let text = this.#text;
    try {
      for (let next = await this.#body.next(); next.done !== true; next = await this.#body.next()) {
        text += Buffer.from(next.value).toString();
      }
      return { text, end: 'clean' };
    } catch (error) {
      return { text, end: isTransportError(error) ? error.code : String(error) };
    }
  }

  async leave(): Promise<void> {
    await this.#body.return?.();
  }
}

/** Everything on one fake clock. */
export class FaultyLoopback implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly engine: StorageEngine = createMemoryEngine({ clock: this.clock });
  readonly server: ApiServer = createApiServer({ engine: this.engine, clock: this.clock });
  readonly faults: Faults = createFaults({ clock: this.clock });
  readonly transport: Transport = this.faults.decorate({
    name: 'loopback',
    send: (request) => this.server.handle(request, { user: USER }),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  });

  async start(): Promise<this> {
    await this.server.start();
    return this;
  }

  send(path: string, request: Partial<TransportRequest> = {}): Promise<TransportResponse> {
    return this.transport.send({ method: 'GET', path, headers: {}, ...request });
  }

  async ask(path: string, request: Partial<TransportRequest> = {}): Promise<Answer> {
    const { status, headers, body } = await this.send(path, request);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(Uint8Array.from(chunk));
    return { status, headers, json: JSON.parse(Buffer.concat(chunks).toString()) };
  }

  /** Straight to the server, past the faults. Resolves to the version. */
  async create(name: string): Promise<string> {
    const body = Buffer.from(JSON.stringify({ metadata: { name } }));
    const headers = { 'content-type': 'application/json' };
    const { status, body: answer } = await this.server.handle(
      { method: 'POST', path: CONFIG_MAPS, headers, body },
      { user: USER },
    );
    expect(status).toBe(201);
    let text = '';
    for await (const chunk of answer) text += Buffer.from(chunk).toString();
    const created: Answer['json'] = JSON.parse(text);
    return created.metadata.resourceVersion;
  }

  /** A watch of ConfigMaps; `query` begins with `&`. */
  async watch(query = '', request: Partial<TransportRequest> = {}): Promise<WatchReader> {
    return new WatchReader(await this.send(`${CONFIG_MAPS}?watch=true${query}`, request));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport.close();
    void this.server.close();
    await this.server.close();
    await this.engine.close();
  }
}
