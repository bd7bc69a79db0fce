/** What a case gets: a client, a namespace of its own, and short words for what nearly every case does. */

import { randomUUID } from 'node:crypto';
import type { ApiClient, QueryValues, RequestOptions, WatchRequestOptions } from './api-client.ts';
import type { Answer, WireDocument } from './server-answer.ts';
import type { PastState } from './server-suite.ts';
import type { AcceptedWatch } from './watch-lines.ts';

/** What a stored thing of a test looks like. */
export interface StoredContent {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The one value that it holds. Default: `1`. */
  readonly value?: string | undefined;
  readonly finalizers?: readonly string[] | undefined;
}

/** A resource version far beyond what any server reaches. */
export const FUTURE_VERSION = '9000000000000000';
/** A resource version that every server with a past has forgotten. */
export const FORGOTTEN_VERSION = '1';

/** One run of a case. */
export class ServerTest {
  readonly client: ApiClient;
  readonly namespace: string = `lw-${randomUUID().slice(0, 13)}`;
  readonly #past: PastState | undefined;
  readonly #streams: AcceptedWatch[] = [];
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  #created: Promise<void> | undefined;

  constructor(client: ApiClient, past: PastState | undefined) {
    this.client = client;
    this.#past = past;
  }

  /** Secrets: nobody else writes any into a new namespace, so that lists and counts are exact on a real cluster. */
  get secrets(): string {
    return `/api/v1/namespaces/${this.namespace}/secrets`;
  }

  get configMaps(): string {
    return `/api/v1/namespaces/${this.namespace}/configmaps`;
  }

  /** A state that is only in the storage. */
  requirePast(): PastState {
    if (this.#past === undefined) throw new Error('a server with the trait servesHistory must come with a past');
    return this.#past;
  }

  /** Creates the namespace, once. Creating objects does it too. */
  async open(): Promise<void> {
    this.#created ??= this.#createNamespace();
    await this.#created;
  }

  /** Creates a Secret; gives its resourceVersion. */
  async add(name: string, content: StoredContent = {}): Promise<string> {
    await this.open();
    return expectStatus(await this.client.request('POST', this.secrets, { body: secret(name, content) }), 201).version;
  }

  /** Replaces a Secret, whatever it was; gives its resourceVersion. */
  async set(name: string, content: StoredContent): Promise<string> {
    const body = secret(name, content);
    return expectStatus(await this.client.request('PUT', `${this.secrets}/${name}`, { body }), 200).version;
  }

  /** Deletes a Secret. */
  async remove(name: string): Promise<void> {
    expectStatus(await this.client.request('DELETE', `${this.secrets}/${name}`), 200);
  }

  /** Creates Secrets one after another; gives the version of each, in the order of the names. */
  async addAll(names: readonly string[]): Promise<readonly string[]> {
    const versions: string[] = [];
    for (const name of names) versions.push(await this.add(name));
    return versions;
  }

  /** Creates a ConfigMap. */
  async create(name: string, more: Partial<WireDocument> = {}, options: RequestOptions = {}): Promise<Answer> {
    await this.open();
    return this.client.request('POST', this.configMaps, { ...options, body: configMap(name, more) });
  }

  /** Lists the Secrets of the namespace. */
  async list(query?: QueryValues, options?: RequestOptions): Promise<Answer> {
    return expectStatus(await this.client.get(this.secrets, query, options), 200);
  }

  /** Watches the Secrets of the namespace, or another path; ends with the case. */
  async watch(
    query: QueryValues = {},
    options: WatchRequestOptions & { readonly path?: string } = {},
  ): Promise<AcceptedWatch> {
    const { path = this.secrets, ...more } = options;
    const stream = await this.client.watch(path, { ...more, query: { watch: true, ...query } });
    this.#streams.push(stream);
    return stream;
  }

  /** Runs after the case, whether it passed or not. */
  onEnd(cleanup: () => Promise<unknown>): void {
    this.#cleanups.push(cleanup);
  }

  async end(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    for (const cleanup of this.#cleanups.toReversed()) await cleanup();
  }

  async #createNamespace(): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace } };
    expectStatus(await this.client.request('POST', '/api/v1/namespaces', { body }), 201);
    this.onEnd(() => this.client.request('DELETE', `/api/v1/namespaces/${this.namespace}`));
  }
}

/** The answer, if it has the status; throws with its body otherwise. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.text.slice(0, 500)}`);
}

/** The name and value of a Secret that `add` or `set` wrote. */
export function valueOf({ data = {} }: WireDocument): string {
  return Buffer.from(data['value'] ?? '', 'base64').toString();
}

/** A ConfigMap for a request. */
export function configMap(name: string, more: Partial<WireDocument> = {}): WireDocument {
  return { apiVersion: 'v1', kind: 'ConfigMap', ...more, metadata: { name, ...more.metadata } };
}

function secret(name: string, { labels = {}, value = '1', finalizers = [] }: StoredContent): WireDocument {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels, finalizers },
    data: { value: Buffer.from(value).toString('base64') },
  };
}
