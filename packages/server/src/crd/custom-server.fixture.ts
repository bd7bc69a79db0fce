/** A server with custom kinds, for tests. */

import { vi } from 'vitest';
import type { ApiServerOptions } from '../start/api-server-options.ts';
import { type Asked, InProcessServer, type Json } from '../start/in-process-server.fixture.ts';

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const MERGE = { type: 'application/merge-patch+json' };
export const LIMIT = 20_000;

/** An event of a watch. */
export interface SeenEvent {
  readonly type: string;
  readonly object: Json;
}

/** A watch that runs. */
export interface RunningWatch {
  readonly events: SeenEvent[];
  /** Has the server ended it? */
  isEnded: boolean;
  readonly stop: () => void;
}

/** A schema with these fields in its spec. */
export function specSchema(properties: object, more: object = {}): object {
  return { type: 'object', properties: { spec: { type: 'object', properties, ...more }, status: OPEN } };
}

const OPEN = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A definition of widgets in a group. */
export function widgets(group: string, version: object = {}, spec: object = {}): Json {
  const schema = { openAPIV3Schema: specSchema({ a: { type: 'string' }, n: { type: 'integer' } }) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
      ...spec,
    },
  };
}

/** A widget. */
export function widget(group: string, name: string, fields: object = {}, version = 'v1'): Json {
  return { apiVersion: `${group}/${version}`, kind: 'Widget', metadata: { name }, ...fields };
}

/** The path of widgets in the namespace `default`. */
export function pathOf(group: string, below = '', version = 'v1'): string {
  return `/apis/${group}/${version}/namespaces/default/widgets${below}`;
}

export class CustomServer extends InProcessServer {
  static override async start(options: Partial<ApiServerOptions> = {}): Promise<CustomServer> {
    const made = new CustomServer(options);
    await made.server.start();
    return made;
  }

  /** Creates a definition and waits until it is served. */
  async install(definition: Json): Promise<Json> {
    await this.ok('POST', CRDS, definition);
    return this.established(definition.metadata.name);
  }

  /** The definition once it is established. */
  async established(name: string): Promise<Json> {
    return vi.waitFor(async () => {
      const read = await this.ok('GET', `${CRDS}/${name}`);
      if (condition(read, 'Established')?.status !== 'True') throw new Error(JSON.stringify(read.status));
      return read;
    }, LIMIT);
  }

  /** Deletes a definition and waits until it is gone. */
  async uninstall(name: string): Promise<void> {
    await this.ok('DELETE', `${CRDS}/${name}`);
    await this.gone(name);
  }

  async gone(name: string): Promise<void> {
    await vi.waitFor(async () => {
      if ((await this.ask('GET', `${CRDS}/${name}`)).status !== 404) throw new Error('the definition is still there');
    }, LIMIT);
  }

  /** Asks until the answer has a status. */
  async until(status: number, method: string, path: string, body?: unknown): Promise<Asked> {
    return vi.waitFor(async () => {
      const asked = await this.ask(method, path, body);
      if (asked.status !== status) throw new Error(`${method} ${path}: ${asked.status}`);
      return asked;
    }, LIMIT);
  }

  /** Watches a path and collects its events. */
  async watch(path: string, accept = 'application/json'): Promise<RunningWatch> {
    const abort = new AbortController();
    const { signal } = abort;
    const headers = { accept };
    const request = { method: 'GET', path: `${path}${path.includes('?') ? '&' : '?'}watch=1`, headers, signal };
    const user = { name: 'ada', groups: ['system:masters'] };
    const response = await this.server.handle(request, { user });
    const running: RunningWatch = { events: [], isEnded: false, stop: () => abort.abort() };
    void collect(response.body, running);
    return running;
  }
}

/** A condition of a definition. */
export function condition(definition: Json, type: string): Json {
  return definition.status?.conditions?.find((one: Json) => one.type === type);
}

async function collect(body: AsyncIterable<Uint8Array>, running: RunningWatch): Promise<void> {
  let text = '';
  try {
    for await (const part of body) {
      text += Buffer.from(part).toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) running.events.push(JSON.parse(line));
    }
    running.isEnded = true;
  } catch {
    running.isEnded = true;
  }
}
