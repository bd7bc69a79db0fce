/** A server in the process for tests of reviews, tokens and subresources. */

import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import { firstAuthenticator, tokenAuthenticator } from '../access/authenticator.ts';
import type { UserInfo } from '../contract/api-request.ts';
import type { ApiServer, ApiServerOptions } from './api-server-options.ts';
import { createApiServer } from './create-api-server.ts';

/** Decoded JSON of which a test asks for members by their paths. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface AskOptions {
  /** Default: a user in system:masters. */
  readonly user?: UserInfo;
  /** Authenticates by this token instead. */
  readonly token?: string;
  readonly type?: string;
  readonly accept?: string;
  /** The User-Agent. */
  readonly agent?: string;
}

export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

const MASTER: UserInfo = { name: 'ada', groups: ['system:masters'] };

export class InProcessServer implements AsyncDisposable {
  readonly clock: FakeClock = new FakeClock();
  readonly server: ApiServer;

  constructor(options: Partial<ApiServerOptions> = {}) {
    const tokens = new Map([['bob-token', { name: 'bob', uid: 'b', groups: ['devs'] }]]);
    const authenticator = firstAuthenticator([tokenAuthenticator(tokens)]);
    const { clock } = this;
    this.server = createApiServer({ engine: createMemoryEngine({ clock }), clock, authenticator, ...options });
  }

  static async start(options: Partial<ApiServerOptions> = {}): Promise<InProcessServer> {
    const made = new InProcessServer(options);
    await made.server.start();
    return made;
  }

  /** Sends a request and reads the whole answer; objects are sent as JSON. */
  async ask(method: string, path: string, body?: unknown, options: AskOptions = {}): Promise<Asked> {
    const { user = MASTER, token, type = 'application/json', accept, agent } = options;
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      'content-type': type,
      ...(accept === undefined ? {} : { accept }),
      ...(agent === undefined ? {} : { 'user-agent': agent }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const bytes = text === undefined ? undefined : Buffer.from(text);
    const how = token === undefined ? { user } : {};
    const response = await this.server.handle({ method, path, headers, body: bytes }, how);
    const parts: Uint8Array[] = [];
    for await (const part of response.body) parts.push(Buffer.from(part));
    const answer = Buffer.concat(parts).toString();
    const isJson = response.headers['content-type']?.includes('json') === true && answer !== '';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(answer) : answer };
  }

  /** The object in the answer of a request that must succeed. */
  async ok(method: string, path: string, body?: unknown, options: AskOptions = {}): Promise<Json> {
    const asked = await this.ask(method, path, body, options);
    if (asked.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(asked.body)}`);
    return asked.body;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.close();
  }
}
