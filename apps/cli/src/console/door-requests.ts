/** Answers the requests that come to the door. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { genericFailure, isStatusError } from '@listwatch/api';
import type { ConsoleSession } from '@listwatch/api/console';
import { admittedRoute } from './admitted-route.ts';
import { FORWARDED_METHODS } from './console-upstream.ts';
import { DATA_HEADERS, sendBytes, sendFailure, sendLoginRefusal } from './door-answer.ts';
import { type DoorParts, requireSession } from './door-parts.ts';
import { refusalOf, refused } from './door-refusal.ts';
import { passBack, upstreamHeaders } from './forwarded-request.ts';
import { headerOf } from './header-of.ts';
import type { LoginSession } from './login-sessions.ts';

const NOTHING = Buffer.alloc(0);

export class DoorRequests {
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  /** Never rejects: a failure is answered. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#serve(request, response);
    } catch (error) {
      this.#fail(response, error);
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = admittedRoute(request, this.#parts.address, false);
    switch (route.type) {
      case 'asset':
        requireMethod(request, 'GET', 'HEAD');
        return this.#parts.files.send(request, response, route.path);
      case 'root':
        return sendBytes(response, {
          status: 303,
          headers: { ...DATA_HEADERS, location: '/console/' },
          body: NOTHING,
        });
      case 'login':
        return this.#login(request, response, route.code);
      case 'logout':
        return this.#logout(request, response);
      case 'session':
        return this.#sendSession(request, response);
      case 'forwarded':
        return this.#forward(request, response, route.path);
      case 'malformed':
      case 'unknown':
      case 'withheld':
        throw refusalOf(route);
    }
  }

  #login(request: IncomingMessage, response: ServerResponse, code: string): void {
    requireMethod(request, 'GET');
    // A browser that looks ahead must not use the code up.
    if (/prefetch|preview/iu.test(purposeOf(request))) throw genericFailure(405);
    this.#parts.files.requirePage();
    const verdict = this.#parts.codes.take(code, () => this.#parts.isOwnUser(request.socket) ?? true);
    if (verdict !== 'right') return sendLoginRefusal(response, verdict === 'limited');
    this.#parts.files.sendLogin(response, this.#parts.sessions.begin());
  }

  #logout(request: IncomingMessage, response: ServerResponse): void {
    requireMethod(request, 'POST');
    const cookie = this.#parts.sessions.end(this.#requireSession(request));
    sendBytes(response, { status: 200, headers: { ...DATA_HEADERS, 'set-cookie': cookie }, body: NOTHING });
  }

  async #sendSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireMethod(request, 'GET', 'HEAD');
    const { expiresAt } = this.#requireSession(request);
    const session: ConsoleSession = {
      ...(await this.#parts.facts.get()),
      write: this.#parts.access === 'write',
      // Plain HTTP: all tabs of a browser together have six connections.
      watchOver: 'websocket',
      expiresAt: new Date(expiresAt).toISOString(),
    };
    const headers = { ...DATA_HEADERS, 'content-type': 'application/json' };
    sendBytes(response, { status: 200, headers, body: Buffer.from(JSON.stringify(session)) });
  }

  async #forward(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const { exchanges, connections, bodies } = this.#parts;
    const session = this.#requireSession(request);
    const method = FORWARDED_METHODS.find((known) => known === request.method);
    if (method !== 'GET' && request.method !== 'HEAD' && this.#parts.access !== 'write')
      throw refused(403, 'the console was started for reading only');
    if (method === undefined) throw genericFailure(405);
    const { socket } = request;
    await exchanges.run(session, response, async (signal) => {
      connections.busy(socket);
      response.once('close', () => connections.idle(socket));
      const body = method === 'GET' ? undefined : await bodies.read(request);
      const headers = upstreamHeaders((name) => headerOf(request, name));
      await passBack(response, await exchanges.ask({ method, path, headers, body, signal }));
    });
  }

  /** Throws the 401. Another site cannot send this header without asking first, and nobody answers that. */
  #requireSession(request: IncomingMessage): LoginSession {
    const [, key] = /^Bearer ([\w-]{1,128})$/iu.exec(request.headers.authorization ?? '') ?? [];
    return requireSession(this.#parts.sessions, request, key);
  }

  #fail(response: ServerResponse, error: unknown): void {
    // A part of the answer is out: cut, it does not look complete.
    if (response.headersSent || response.destroyed) response.destroy();
    else if (isStatusError(error)) sendFailure(response, error);
    else {
      this.#parts.onError(error);
      sendFailure(response, genericFailure(500));
    }
  }
}

function requireMethod({ method = '' }: IncomingMessage, ...allowed: readonly string[]): void {
  if (!allowed.includes(method)) throw genericFailure(405);
}

function purposeOf(request: IncomingMessage): string {
  return `${headerOf(request, 'sec-purpose') ?? ''} ${headerOf(request, 'purpose') ?? ''}`;
}
