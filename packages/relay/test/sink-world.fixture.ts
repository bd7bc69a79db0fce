/** Many watches of many relays in one process, without sockets: each sink keeps a count and a rolling hash of the versions that it saw. */

import { setMaxListeners } from 'node:events';
import { type Cluster, connect, createLoopbackTransport } from '@listwatch/client';
import { type ApiServer, createApiServer, firstAuthenticator, tokenAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { assembleRelay } from '../src/start/create-relay.ts';
import type { Relay } from '../src/start/relay-options.ts';
import { flat, passingTo } from './leak-world.fixture.ts';

export interface SinkWorldSize {
  readonly relays: number;
  readonly sinksPerRelay: number;
}

/** What the sinks have seen. */
export interface SinkReport {
  /** How many sinks have seen so many changes with these versions in this order. */
  readonly stories: ReadonlyMap<string, number>;
  /** Versions that were not above the one before. */
  readonly repeated: number;
  /** Milliseconds from the answer to a write until each sink had it. */
  readonly latencies: readonly number[];
}

const TOKEN = 'sinks';
const PATH = '/api/v1/namespaces/default/configmaps';
const VERSION = Buffer.from('"resourceVersion":"');
const QUOTE = 34;
const ZERO = 48;
/** Below 2^31, so that a product is exact. */
const MODULUS = 1_000_003;

/** Adds a version to a story. */
export function told(hash: number, version: number): number {
  return (hash * 31 + (version % MODULUS)) % MODULUS;
}

class Sink {
  count = 0;
  hash = 0;
  repeated = 0;
  #version = 0;

  take(chunk: Buffer): number {
    let seen = 0;
    for (let at = chunk.indexOf(VERSION); at >= 0; at = chunk.indexOf(VERSION, at)) {
      at += VERSION.length;
      let version = 0;
      for (let digit = chunk[at] ?? QUOTE; digit !== QUOTE; digit = chunk[at] ?? QUOTE) {
        version = version * 10 + digit - ZERO;
        at += 1;
      }
      if (version <= this.#version) this.repeated += 1;
      this.#version = version;
      this.count += 1;
      this.hash = told(this.hash, version);
      seen += 1;
    }
    return seen;
  }
}

/** An API server, relays in front of it, and sinks that watch the relays. */
export class SinkWorld implements AsyncDisposable {
  readonly #upstream: ApiServer;
  readonly #cluster: Cluster;
  readonly #relays: readonly Relay[];
  readonly #sinks: Sink[] = [];
  readonly #end = new AbortController();
  readonly #latencies: number[] = [];
  #written = 0;
  #writtenAt = 0;
  #missing = 0;
  #done: () => void = () => {};

  private constructor(upstream: ApiServer, cluster: Cluster, relays: readonly Relay[]) {
    this.#upstream = upstream;
    this.#cluster = cluster;
    this.#relays = relays;
    setMaxListeners(0, this.#end.signal);
  }

  /** All watches have begun. */
  static async start({ relays, sinksPerRelay }: SinkWorldSize): Promise<SinkWorld> {
    const user = { name: TOKEN, groups: ['system:masters'] };
    const upstream = createApiServer({
      engine: createMemoryEngine(),
      authenticator: firstAuthenticator([tokenAuthenticator(new Map([[TOKEN, user]]))]),
      enablePriorityAndFairness: false,
    });
    await upstream.start();
    const transport = createLoopbackTransport({
      handle: ({ method, path, headers, body, signal }) =>
        upstream.handle({ method, path, headers: flat(headers), body, signal }),
    });
    const cluster = await connect({ transport, token: TOKEN });
    const made: Relay[] = [];
    for (let i = 0; i < relays; i += 1) {
      const relay = await assembleRelay({ cluster, kinds: ['configmaps'], upstream: passingTo(upstream) }, {});
      await relay.start();
      made.push(relay);
    }
    const world = new SinkWorld(upstream, cluster, made);
    const { status } = await world.#write('POST', PATH, 0);
    if (status !== 201) throw new Error(`the first write was answered with ${status}`);
    const from = await world.#version();
    for (const relay of made) await world.#watch(relay, from, sinksPerRelay);
    return world;
  }

  get sinks(): number {
    return this.#sinks.length;
  }

  /** A change that every sink must see; resolves when all have it, with its version and the milliseconds of the last one. */
  async change(): Promise<{ readonly version: number; readonly ms: number }> {
    this.#written += 1;
    this.#missing += this.#sinks.length;
    const delivered = new Promise<void>((resolve) => {
      this.#done = resolve;
    });
    this.#writtenAt = performance.now();
    const { status, version } = await this.#write('PUT', `${PATH}/told`, this.#written);
    if (status !== 200) throw new Error(`a write was answered with ${status}`);
    await delivered;
    return { version, ms: performance.now() - this.#writtenAt };
  }

  report(): SinkReport {
    const stories = new Map<string, number>();
    for (const { count, hash } of this.#sinks) {
      const story = `${count}:${hash}`;
      stories.set(story, (stories.get(story) ?? 0) + 1);
    }
    const repeated = this.#sinks.reduce((sum, sink) => sum + sink.repeated, 0);
    return { stories, repeated, latencies: this.#latencies };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    for (const relay of this.#relays) await relay.close();
    await this.#cluster.close();
    await this.#upstream.close();
  }

  async #watch(relay: Relay, from: number, count: number): Promise<void> {
    const path = `${PATH}?watch=true&resourceVersion=${from}`;
    const headers = { authorization: `Bearer ${TOKEN}` };
    for (let i = 0; i < count; i += 1) {
      const { status, body } = await relay.handle({ method: 'GET', path, headers, signal: this.#end.signal });
      if (status !== 200) throw new Error(`a watch was answered with ${status}`);
      const sink = new Sink();
      this.#sinks.push(sink);
      this.#follow(sink, body).catch((error: unknown) => {
        if (!this.#end.signal.aborted) throw error;
      });
    }
  }

  async #follow(sink: Sink, body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of body) {
      const seen = sink.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      this.#latencies.push(performance.now() - this.#writtenAt);
      this.#missing -= seen;
      if (this.#missing === 0) this.#done();
    }
  }

  async #version(): Promise<number> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { body } = await this.#upstream.handle({ method: 'GET', path: PATH, headers });
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    return versionIn(Buffer.concat(parts).toString());
  }

  async #write(
    method: 'POST' | 'PUT',
    path: string,
    version: number,
  ): Promise<{ readonly status: number; readonly version: number }> {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'told' },
      data: { version: String(version), payload: 'x'.repeat(1290) },
    };
    const answer = await this.#cluster.raw(path, { method, body: object });
    return { status: answer.status, version: versionIn(await answer.text()) };
  }
}

function versionIn(text: string): number {
  return Number(/"resourceVersion":"(\d+)"/u.exec(text)?.[1] ?? 0);
}
