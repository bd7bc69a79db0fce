/** A client that hides nothing: every status, header and frame, over HTTP/1.1, HTTP/2 and WebSocket. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { WebSocket } from 'ws';
import { Answer } from './server-answer.ts';
import { type ServerTarget, tlsOptions } from './server-target.ts';
import { AcceptedWatch } from './watch-lines.ts';

/** How an ordinary request travels. */
export type Protocol = 'http/1.1' | 'http/2';
/** How a watch travels. */
export type WatchTransport = Protocol | 'websocket';

export const PROTOCOLS: readonly Protocol[] = ['http/1.1', 'http/2'];
export const WATCH_TRANSPORTS: readonly WatchTransport[] = ['http/1.1', 'http/2', 'websocket'];

/** Query parameters; undefined ones are left out. */
export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly query?: QueryValues | undefined;
  /** In place of the default headers where they have the same name; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** A string or bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Default: HTTP/1.1. */
  readonly protocol?: Protocol | undefined;
}

export interface WatchRequestOptions {
  readonly query?: QueryValues | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Default: HTTP/1.1. */
  readonly transport?: WatchTransport | undefined;
}

/** Talks to one server. Close it when done. */
export class ApiClient {
  readonly target: ServerTarget;
  readonly #agent: Agent;
  #session: ClientHttp2Session | undefined;

  constructor(target: ServerTarget, options: { readonly maxSockets?: number | undefined } = {}) {
    this.target = target;
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.maxSockets ?? 16, ...tlsOptions(target) });
  }

  get(path: string, query?: QueryValues, options: RequestOptions = {}): Promise<Answer> {
    return this.request('GET', path, { ...options, query });
  }

  /** One request and its whole answer, whatever the status. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { query, body, protocol = 'http/1.1' } = options;
    const payload = bodyOf(body);
    const type = payload === undefined ? {} : { 'content-type': 'application/json' };
    const headers = this.#headers({ ...type, ...options.headers });
    const full = pathWithQuery(path, query);
    return protocol === 'http/2'
      ? this.#requestHttp2(method, full, headers, payload)
      : this.#requestHttp1(method, full, headers, payload);
  }

  /** Opens a watch and waits until it is accepted. Rejects with the status and the body when it is refused. */
  async watch(path: string, options: WatchRequestOptions = {}): Promise<AcceptedWatch> {
    const { query = { watch: true }, transport = 'http/1.1' } = options;
    const headers = this.#headers(options.headers ?? {});
    const full = pathWithQuery(path, query);
    switch (transport) {
      case 'http/1.1':
        return this.#watchHttp1(full, headers);
      case 'http/2':
        return this.#watchHttp2(full, headers);
      case 'websocket':
        return openSocket(this.target, full, headers);
    }
  }

  /** Ends all connections, watches on HTTP/2 included. */
  close(): void {
    this.#agent.destroy();
    this.#session?.destroy();
  }

  #headers(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
    const all = { authorization: `Bearer ${this.target.token}`, 'user-agent': 'listwatch-conformance', ...given };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  async #requestHttp1(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
  ): Promise<Answer> {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const request = httpsRequest(this.target.url + path, {
      method,
      headers: { ...headers, ...length },
      agent: this.#agent,
    });
    request.end(body);
    const response = await responseOf(request);
    const bytes = await allBytes(response);
    return new Answer(response.statusCode ?? 0, response.headers, bytes);
  }

  async #requestHttp2(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
  ): Promise<Answer> {
    const stream = this.#openStream({ ':method': method, ':path': path, ...headers }, body === undefined);
    if (body !== undefined) stream.end(body);
    const { ':status': status = 0, ...rest } = await headOf(stream);
    return new Answer(status, rest, await allBytes(stream));
  }

  async #watchHttp1(path: string, headers: Record<string, string>): Promise<AcceptedWatch> {
    const request = httpsRequest(this.target.url + path, { headers, agent: false, ...tlsOptions(this.target) });
    request.end();
    const response = await responseOf(request);
    if (response.statusCode !== 200) throw await refusal(response.statusCode, response);
    const stream = new AcceptedWatch(response.headers, () => response.destroy());
    response.setEncoding('utf8');
    response.on('data', (text: string) => stream.push(text));
    response.on('error', () => stream.finish(false));
    response.on('close', () => stream.finish(response.complete));
    return stream;
  }

  async #watchHttp2(path: string, headers: Record<string, string>): Promise<AcceptedWatch> {
    const http2 = this.#openStream({ ':method': 'GET', ':path': path, ...headers }, true);
    const { ':status': status = 0, ...rest } = await headOf(http2);
    if (status !== 200) throw await refusal(status, http2);
    const stream = new AcceptedWatch(rest, () => http2.close());
    let ended = false;
    http2.setEncoding('utf8');
    http2.on('data', (text: string) => stream.push(text));
    http2.on('end', () => {
      ended = true;
    });
    http2.on('error', () => stream.finish(false));
    http2.on('close', () => stream.finish(ended && http2.rstCode === 0));
    return stream;
  }

  #openStream(headers: Record<string, string>, endStream: boolean): ClientHttp2Stream {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connectHttp2(this.target.url, tlsOptions(this.target));
      // Each stream reports the failure of its session; without a listener it would end the process.
      this.#session.on('error', () => undefined);
    }
    return this.#session.request(headers, { endStream });
  }
}

async function openSocket(
  { url, ...target }: ServerTarget,
  path: string,
  headers: Record<string, string>,
): Promise<AcceptedWatch> {
  const { 'sec-websocket-protocol': protocols, ...others } = headers;
  const socket = new WebSocket(
    url.replace(/^http/u, 'ws') + path,
    protocols?.split(',').map((name) => name.trim()),
    {
      headers: { origin: url, ...others },
      perMessageDeflate: false,
      ...tlsOptions({ url, ...target }),
    },
  );
  const stream = new AcceptedWatch({}, () => socket.terminate());
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) stream.finish(false);
    else stream.push(data.toString());
  });
  socket.on('close', (code: number) => stream.finish(code === 1000, code));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.on('error', reject);
    socket.once('unexpected-response', (request, response) => {
      refusal(response.statusCode, response)
        .then(reject, reject)
        .finally(() => request.destroy());
    });
  });
  return stream;
}

/** `/path?a=b` from the defined ones. */
export function pathWithQuery(path: string, query: QueryValues = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

async function responseOf(request: ReturnType<typeof httpsRequest>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
}

async function headOf(stream: ClientHttp2Stream): Promise<Record<string, string> & { ':status'?: number }> {
  // An error after the head must not end the process; whoever reads the body hears of it through the iterator.
  stream.on('error', () => undefined);
  const [headers] = await Promise.race([
    once(stream, 'response'),
    once(stream, 'close').then(() => [{ ':status': 0, 'x-closed-with': String(stream.rstCode) }]),
  ]);
  return headers;
}

async function allBytes(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function refusal(status: number | undefined, source: AsyncIterable<Buffer>): Promise<Error> {
  const body = await allBytes(source);
  return new Error(`the watch was refused: ${status} ${body.toString()}`);
}
