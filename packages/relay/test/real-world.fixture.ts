/** A relay in front of a real kube-apiserver, for tests. No test itself, and not shipped. */

import { type Cluster, connect } from '@listwatch/client';
import { type KubeApiserverProcess, startKubeApiserver, TestAuthority } from '@listwatch/conformance/parts';
import { createUpstream, type UpstreamServer } from '../src/pass/upstream.ts';
import { createRelay } from '../src/start/create-relay.ts';
import type { Relay, RelayOptions } from '../src/start/relay-options.ts';
import type { RawText } from './relay-world.fixture.ts';

const RELAY_TOKEN = 'relay-token';

export class RealWorld implements AsyncDisposable {
  /** What the relay has reported, from its start on. */
  readonly errors: readonly string[];
  readonly server: KubeApiserverProcess;
  readonly relay: Relay;
  readonly #authority: TestAuthority;
  readonly #upstream: UpstreamServer;
  readonly #feeds: Cluster;
  readonly #direct: Cluster;
  readonly #through: Cluster;

  private constructor(
    server: KubeApiserverProcess,
    relay: Relay,
    authority: TestAuthority,
    upstream: UpstreamServer,
    clusters: readonly [feeds: Cluster, direct: Cluster, through: Cluster],
    errors: readonly string[],
  ) {
    this.errors = errors;
    this.server = server;
    this.relay = relay;
    this.#authority = authority;
    this.#upstream = upstream;
    [this.#feeds, this.#direct, this.#through] = clusters;
  }

  static async start(options: Pick<RelayOptions, 'kinds'>): Promise<RealWorld> {
    const server = await startKubeApiserver({ tokens: [`${RELAY_TOKEN},relay,relay,system:masters`] });
    try {
      return await RealWorld.#before(server, options);
    } catch (error) {
      // Nobody else knows of it yet: it would outlive the tests.
      await server.stop();
      throw error;
    }
  }

  static async #before(server: KubeApiserverProcess, options: Pick<RelayOptions, 'kinds'>): Promise<RealWorld> {
    const authority = new TestAuthority();
    const caData = server.ca;
    const feeds = await connect({ server: server.url, caData, token: RELAY_TOKEN });
    const upstream = createUpstream({ server: server.url, tls: async () => ({ ca: caData }) });
    const errors: string[] = [];
    const relay = await createRelay({
      ...options,
      cluster: feeds,
      upstream,
      tls: authority.server(),
      onError: (error, where) => errors.push(`${where}: ${String(error)}`),
    });
    await relay.start();
    await relay.listen();
    const direct = await connect({ server: server.url, caData, token: server.token, maxRetries: 0 });
    const through = await connect({ server: relay.url, caData: authority.ca, token: server.token, maxRetries: 0 });
    return new RealWorld(server, relay, authority, upstream, [feeds, direct, through], errors);
  }

  /** A request through the relay. */
  async ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawText> {
    return textOf(await this.#through.raw(path, { headers }));
  }

  /** A request to kube-apiserver itself. */
  async direct(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawText> {
    return textOf(await this.#direct.raw(path, { headers }));
  }

  /** A write to kube-apiserver itself; gives what it answers. */
  async write(method: 'DELETE' | 'PATCH' | 'POST' | 'PUT', path: string, body: object): Promise<string> {
    const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    const answer = await textOf(await this.#direct.raw(path, { method, body, headers }));
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#through.close();
    await this.#direct.close();
    const closed = this.relay.close();
    await this.relay.close();
    await closed;
    this.#upstream.close();
    await this.#feeds.close();
    await this.server.stop();
    this.#authority[Symbol.dispose]();
  }
}

async function textOf(answer: Awaited<ReturnType<Cluster['raw']>>): Promise<RawText> {
  const bytes = Buffer.from(await answer.bytes());
  return { status: answer.status, headers: answer.headers, text: bytes.toString('utf8'), bytes };
}
