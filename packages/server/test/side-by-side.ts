/** Two servers with the same objects, asked the same things. */

import { type Answer, ApiClient, type ServerTarget } from '@listwatch/conformance/server';

/** A request; values of its query that are functions differ between the servers: their versions, their tokens. */
export interface SameRequest {
  readonly method?: string | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | ((side: Side) => string)>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

const NAMESPACE = 'side-by-side';
export const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const OBJECTS = 4;

/** One of the two. */
export class Side {
  readonly #client: ApiClient;
  /** The version of the list of all objects. */
  #version = '';
  /** Of a list of two. */
  #token = '';

  constructor(target: ServerTarget) {
    this.#client = new ApiClient(target);
  }

  get version(): string {
    return this.#version;
  }

  get token(): string {
    return this.#token;
  }

  /** Makes the objects. */
  async fill(): Promise<void> {
    const post = (path: string, body: object): Promise<Answer> => this.#client.request('POST', path, { body });
    await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    for (let i = 0; i < OBJECTS; i += 1) {
      const metadata = { name: `c${i}`, labels: { app: i % 2 === 0 ? 'a' : 'b', n: String(i) } };
      await post(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { k: String(i) } });
    }
    this.#version = (await this.#client.get(CONFIG_MAPS)).version;
    this.#token = (await this.#client.get(CONFIG_MAPS, { limit: 2 })).document.metadata.continue ?? '';
  }

  /** The answer, without what no two servers have in common. */
  async answer({ method = 'GET', path, query = {}, headers, body }: SameRequest): Promise<string> {
    const values = Object.entries(query).map(([key, value]) => [key, typeof value === 'string' ? value : value(this)]);
    const answer = await this.#client.request(method, path, { query: Object.fromEntries(values), headers, body });
    return `${answer.status} ${answer.headers['content-type']} ${comparable(answer.text)}`;
  }

  close(): void {
    this.#client.close();
  }
}

/** As one document, or, as a watch has many, line by line. */
function comparable(text: string): string {
  return (
    parsed(text) ??
    text
      .trimEnd()
      .split('\n')
      .map((line) => parsed(line) ?? line)
      .join('\n')
  );
}

function parsed(json: string): string | undefined {
  try {
    return JSON.stringify(canonical(JSON.parse(json)));
  } catch {
    return undefined;
  }
}

const OWN: ReadonlySet<string> = new Set(['continue', 'creationTimestamp', 'resourceVersion', 'uid', 'username']);

/** Members in one order; those that are a server's own are only said to be there; managedFields are left out: ours has none. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value === 'string') return value.replaceAll(/\b\d{2,}\b/gu, 'N');
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== 'managedFields');
  const named = members.map(([key, member]) => [key, OWN.has(key) && member !== '' ? key : canonical(member)] as const);
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
