/** A server with an audit log, for tests: requests from within the process, and the events that they leave. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import type { AuditLogOptions } from '../src/access/audit/audit-options.ts';
import { readAuditPolicy } from '../src/access/audit/audit-policy.ts';
import { firstAuthenticator, tokenAuthenticator } from '../src/access/authenticator.ts';
import type { Authorizer } from '../src/contract/authorization.ts';
import type { ApiServer, ApiServerOptions } from '../src/start/api-server-options.ts';
import { createApiServer } from '../src/start/create-api-server.ts';

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

const MASTER = { name: 'ada', uid: 'a1', groups: ['system:masters'] };

export interface AuditedOptions {
  readonly rules: readonly object[];
  readonly authorizer?: Authorizer;
  readonly log?: Partial<AuditLogOptions>;
  readonly server?: Partial<ApiServerOptions>;
}

export interface AuditedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export class AuditedServer implements AsyncDisposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'listwatch-audit-'));
  readonly clock: FakeClock = new FakeClock();
  readonly path: string;
  readonly server: ApiServer;
  readonly errors: string[] = [];

  constructor({ rules, authorizer, log = {}, server = {} }: AuditedOptions) {
    const { clock } = this;
    this.path = log.path ?? join(this.folder, 'audit.log');
    const tokens = new Map([['bob-token', { name: 'bob', groups: ['devs'] }]]);
    this.server = createApiServer({
      engine: createMemoryEngine({ clock }),
      clock,
      authenticator: firstAuthenticator([tokenAuthenticator(tokens)]),
      ...(authorizer === undefined ? {} : { authorizer }),
      audit: {
        policy: readAuditPolicy({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }),
        log: { ...log, path: this.path },
      },
      onError: (error) => this.errors.push(error instanceof Error ? error.message : String(error)),
      ...server,
    });
  }

  static async start(options: AuditedOptions): Promise<AuditedServer> {
    const made = new AuditedServer(options);
    await made.server.start();
    return made;
  }

  /** Sends a request as a master, or with the headers' own credentials. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<AuditedAnswer> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const all = { 'content-type': 'application/json', ...headers };
    const request = { method, path, headers: all, body: text === undefined ? undefined : Buffer.from(text) };
    const how = 'authorization' in headers ? {} : { user: MASTER };
    const response = await this.server.handle(request, how);
    const parts: Uint8Array[] = [];
    for await (const part of response.body) parts.push(Buffer.from(part));
    return { status: response.status, headers: response.headers, text: Buffer.concat(parts).toString() };
  }

  /** The events of a request, after the server has ended. */
  async events(auditId?: string): Promise<readonly Json[]> {
    await this.server.close();
    const lines = readFileSync(this.path, 'utf8').split('\n').slice(0, -1);
    const events = lines.map((line) => JSON.parse(line));
    return auditId === undefined ? events : events.filter((event) => event.auditID === auditId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
