/** A server in the process for tests of admission. */

import { expect } from 'vitest';
import { InProcessServer, type Json } from '../../start/in-process-server.fixture.ts';

export const PODS = '/api/v1/namespaces/default/pods';

/** The body of a pod. */
export function podOf(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { containers: [{ name: 'a', image: 'a' }], ...spec } };
}

export class AdmissionServer implements AsyncDisposable {
  readonly #server: InProcessServer;

  constructor(server: InProcessServer) {
    this.#server = server;
  }

  static async start(): Promise<AdmissionServer> {
    return new AdmissionServer(await InProcessServer.start());
  }

  /** Creates an object and waits until the cache, and with it every plugin, has it. */
  async create(path: string, body: object): Promise<Json> {
    const made = await this.#server.ask('POST', path, body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await this.#server.ask('GET', path);
    return made.body;
  }

  /** The message of a refusal with 403. */
  async refusal(path: string, body: object, method = 'POST'): Promise<string> {
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const { status, body: answer } = await this.#server.ask(method, path, body, { type });
    expect(status, JSON.stringify(answer)).toBe(403);
    expect(answer.reason).toBe('Forbidden');
    return answer.message;
  }

  async ask(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Json> {
    const { status, body: answer } = await this.#server.ask(method, path, body, { type });
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}
