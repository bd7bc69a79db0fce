/** A server with real certificates on a free port, for the tests of this folder; no test itself, and not shipped. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { TestAuthority, type TestCertificatePair } from '@listwatch/conformance/parts';
import { firstAuthenticator, tokenAuthenticator } from '../access/authenticator.ts';
import { parseTokenFile } from '../access/static-tokens.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { ApiResponse, BytesResponse, WatchResponse } from '../contract/api-response.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import { createHttpServer, type HttpServer } from '../start/create-http-server.ts';
import type { HttpServerOptions } from '../start/http-server-options.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly raw: Buffer;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  readonly client?: TestCertificatePair;
  readonly agent?: Agent;
}

export const MASTER = { authorization: 'Bearer master-token' } as const;
const TOKENS = 'master-token,admin,1,"system:masters"\nplain-token,paul,2,"dev,ops"\n';

/** A server that listens, and ways to ask it. */
export class Fixture {
  readonly server: HttpServer;
  readonly #ca: string;

  constructor(server: HttpServer, ca: string) {
    this.server = server;
    this.#ca = ca;
  }

  get port(): number {
    return this.server.address?.port ?? 0;
  }

  /** One HTTP/1.1 request on a connection of its own. */
  ask(path: string, options: AskOptions = {}): Promise<Answer> {
    const { method = 'GET', headers = MASTER, body, client = {}, agent = false } = options;
    return new Promise((resolve, reject) => {
      const target = { host: '127.0.0.1', port: this.port, path, method, headers, ca: this.#ca, agent, ...client };
      const request = httpsRequest(target, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const raw = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: raw.toString(), raw });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  /** The same without TLS. */
  askInsecure(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      httpRequest(`${this.server.address?.insecureUrl}${path}`, { headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  }

  http2(client: Partial<TestCertificatePair> = {}): ClientHttp2Session {
    return connectHttp2(`https://localhost:${this.port}`, { ca: this.#ca, ...client });
  }

  /** One HTTP/2 request. */
  askHttp2(session: ClientHttp2Session, path: string, options: AskOptions = {}): Promise<Answer> {
    const { method = 'GET', headers = MASTER, body } = options;
    return new Promise((resolve, reject) => {
      const stream = session.request(
        { ':path': path, ':method': method, ...headers },
        { endStream: body === undefined },
      );
      let head: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
      const chunks: Buffer[] = [];
      stream.on('response', (got) => {
        head = got;
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        resolve({ status: head[':status'] ?? 0, headers: head, body: raw.toString(), raw });
      });
      if (body !== undefined) stream.end(body);
    });
  }

  agent(): Agent {
    return new Agent({ keepAlive: true, maxSockets: 1, ca: this.#ca });
  }

  get ca(): string {
    return this.#ca;
  }
}

/** Servers for one test file: started by tests, ended after each. */
export class Fixtures {
  readonly authority: TestAuthority = new TestAuthority();
  readonly #running: Fixture[] = [];

  async start(
    handler: (request: ApiRequest) => Promise<ApiResponse> | ApiResponse,
    options: Partial<HttpServerOptions> = {},
  ): Promise<Fixture> {
    const fixture = await startFixture(this.authority, { ...options, handler: async (asked) => handler(asked) });
    this.#running.push(fixture);
    return fixture;
  }

  async stop(): Promise<void> {
    for (const { server } of this.#running.splice(0)) {
      void server.close();
      await server.close();
    }
  }
}

/** Starts a server whose tokens are `master-token` (system:masters) and `plain-token` (paul of dev and ops). */
async function startFixture(
  authority: TestAuthority,
  options: Partial<HttpServerOptions> & Pick<HttpServerOptions, 'handler'>,
): Promise<Fixture> {
  const server = createHttpServer({
    tls: authority.server(),
    authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile(TOKENS))]),
    ...options,
  });
  await server.listen();
  return new Fixture(server, authority.ca);
}

export function jsonResponse(body: string | Buffer, status = 200): BytesResponse {
  return { type: 'bytes', status, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
}

/** A watch whose sink the test gets to hold. */
export function heldWatch(): { readonly response: WatchResponse; readonly sink: Promise<WatchSink> } {
  const { promise, resolve } = deferred<WatchSink>();
  return { response: { type: 'watch', contentType: 'application/json', start: resolve }, sink: promise };
}

export function eventFrame(name: string, size = 0): Buffer {
  return Buffer.from(`{"type":"ADDED","object":{"name":"${name}","pad":"${'x'.repeat(size)}"}}\n`);
}

/** A promise and what settles it. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle?.(value) };
}
