/** Sends what the fuzzer made, exactly as it is. */

import type { IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { type ServerTarget, tlsOptions } from '../server/server-target.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { FuzzOutcome } from './fuzz-verdict.ts';

/** An answer that goes on for longer than this after its head is a watch, and is hung up on. */
const WATCH_MS = 25;

/** Keeps its connections. Close it when done. */
export class FuzzClient {
  readonly #target: ServerTarget;
  readonly #host: string;
  readonly #port: string;
  readonly #agent: Agent;
  #session: ClientHttp2Session | undefined;

  constructor(target: ServerTarget) {
    const { hostname, port } = new URL(target.url);
    this.#target = target;
    this.#host = hostname;
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32, ...tlsOptions(target) });
  }

  /** The outcome. Rejects when the connection broke before there was one. */
  send(request: FuzzRequest): Promise<FuzzOutcome> {
    switch (request.transport) {
      case 'http/1.1':
        return this.#sendHttp1(request);
      case 'http/2':
        return this.#sendHttp2(request);
      case 'websocket':
        return this.#sendSocket(request);
    }
  }

  close(): void {
    this.#agent.destroy();
    this.#session?.destroy();
  }

  #sendHttp1(fuzzed: FuzzRequest, isAgain = false): Promise<FuzzOutcome> {
    const { method, target, headers, body } = fuzzed;
    return new Promise((resolve, reject) => {
      // Not by URL: that would tidy the path up.
      const request = httpsRequest(
        {
          host: this.#host,
          port: this.#port,
          method,
          path: asciiTarget(target),
          // Node frames no body of a DELETE by itself, and what it sent would be taken for the next request.
          headers: { ...asciiHeaders(headers), ...(body === undefined ? {} : { 'content-length': body.length }) },
          agent: isAgain ? false : this.#agent,
          ...tlsOptions(this.#target),
        },
        (response) => {
          const { statusCode = 0, headers: answered } = response;
          read(response, statusCode, answered, method).then(resolve, reject);
        },
      );
      request.on('error', (error) => {
        // The server may have let go of an idle connection just when it was to be used again; on a new one it must not.
        if (isAgain || !request.reusedSocket || !isReset(error)) reject(error);
        else this.#sendHttp1(fuzzed, true).then(resolve, reject);
      });
      request.end(body);
    });
  }

  #sendHttp2({ method, target, headers, body }: FuzzRequest): Promise<FuzzOutcome> {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connectHttp2(this.#target.url, tlsOptions(this.#target));
      this.#session.on('error', () => undefined);
    }
    const path = asciiTarget(target);
    const stream = this.#session.request(
      { ':method': method, ':path': path, ...asciiHeaders(headers) },
      { endStream: body === undefined },
    );
    return new Promise((resolve, reject) => {
      const unanswered = (): void => reject(new Error(`the stream was closed with ${stream.rstCode} and no answer`));
      stream.on('error', reject);
      stream.once('close', unanswered);
      stream.once('response', ({ ':status': status = 0, ...answered }) => {
        stream.off('close', unanswered);
        read(stream, status, answered, method).then(resolve, reject);
      });
      if (body !== undefined) stream.end(body);
    });
  }

  #sendSocket({ target, headers, frames }: FuzzRequest): Promise<FuzzOutcome> {
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        {
          host: this.#host,
          port: this.#port,
          path: asciiTarget(target),
          headers: { ...upgrade, ...asciiHeaders(headers) },
          agent: false,
          ...tlsOptions(this.#target),
        },
        (response) => {
          read(response, response.statusCode ?? 0, response.headers, 'GET').then(resolve, reject);
        },
      );
      request.on('upgrade', (_response, socket) => {
        // A server may hang up on nonsense; that is no failure.
        socket.on('error', () => undefined);
        socket.on('close', () => resolve({ status: 101, contentType: '', body: '', cut: true }));
        socket.resume();
        socket.write(frames);
        setTimeout(() => socket.destroy(), WATCH_MS);
      });
      request.on('error', reject);
      request.end();
    });
  }
}

function read(source: Readable, status: number, headers: IncomingHttpHeaders, method: string): Promise<FuzzOutcome> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let cut = false;
    const done = (): void => {
      clearTimeout(impatience);
      const contentType = headers['content-type'] ?? '';
      resolve({ status, contentType, body: Buffer.concat(chunks).toString(), cut });
    };
    const impatience = setTimeout(
      () => {
        cut = true;
        source.destroy();
      },
      isStream(headers, status, method) ? WATCH_MS : 20_000,
    );
    source.on('data', (chunk: Buffer) => chunks.push(chunk));
    source.once('end', done);
    source.once('close', () => {
      if (cut) done();
      else if (!source.readableEnded) reject(new Error(`the answer broke off after ${status}`));
    });
    source.on('error', (error) => {
      if (!cut) reject(error);
    });
  });
}

/** An answer of unknown length may be a watch; a list that is cut is no loss. */
function isStream(headers: IncomingHttpHeaders, status: number, method: string): boolean {
  return status === 200 && method !== 'HEAD' && headers['content-length'] === undefined;
}

/** What HTTP cannot carry is percent-encoded, and nothing else is. */
function asciiTarget(target: string): string {
  return target.replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));
}

function asciiHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, '?')]),
  );
}

function isReset(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}
