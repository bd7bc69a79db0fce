/** A relay in front of our own server, with users, for tests. No test itself, and not shipped. */

import { type Cluster, connect } from '@listwatch/client';
import { TestAuthority } from '@listwatch/conformance/parts';
import {
  type ApiServer,
  createApiServer,
  firstAuthenticator,
  parseTokenFile,
  readAuditPolicy,
  tokenAuthenticator,
} from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { createUpstream, type UpstreamServer } from '../src/pass/upstream.ts';
import { assembleRelay, type RelayChanges } from '../src/start/create-relay.ts';
import type { Relay, RelayOptions } from '../src/start/relay-options.ts';

export const ADMIN = 'admin-token';
/** The login of the relay. It is no master: it has the rights that the guide gives it. */
export const RELAY = 'relay-token';
const TOKENS = [
  `${ADMIN},admin,1,"system:masters"`,
  `${RELAY},relay,2,""`,
  'ann-token,ann,3,"dev"',
  'bob-token,bob,4,""',
  'cat-token,cat,5,""',
].join('\n');

/** Reads ConfigMaps. */
const READER_ROLE = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'reader' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
};

const RELAY_ROLE = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'relay' },
  rules: [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ],
};

const EVERYTHING = readAuditPolicy({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
});

/** An answer with its head. */
export interface RawText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body of an answer of which text does not show everything. */
  readonly bytes?: Buffer | undefined;
}

export interface RelayWorldOptions {
  readonly kinds?: readonly string[];
  readonly engine?: StorageEngine;
  readonly changes?: RelayChanges;
  /** The upstream writes each request into this file. */
  readonly auditLog?: string | undefined;
  /** More options of the relay. */
  readonly options?: Partial<RelayOptions>;
}

/** Both listen on free ports of 127.0.0.1. */
export class RelayWorld implements AsyncDisposable {
  readonly errors: string[] = [];
  readonly ca: string;
  server: ApiServer;
  #relay: Relay | undefined;
  readonly #authority = new TestAuthority();
  readonly #clusters: Cluster[] = [];
  readonly #auditLog: string | undefined;
  #upstream: UpstreamServer | undefined;
  #port = 0;

  private constructor(engine: StorageEngine, auditLog: string | undefined) {
    this.#auditLog = auditLog;
    this.ca = this.#authority.ca;
    this.server = this.#serve(engine, 0);
  }

  static async start({
    kinds = ['configmaps'],
    engine,
    changes,
    auditLog,
    options,
  }: RelayWorldOptions = {}): Promise<RelayWorld> {
    const world = new RelayWorld(engine ?? createMemoryEngine(), auditLog);
    await world.server.listen();
    await world.grant();
    await world.startRelay(kinds, changes, options);
    return world;
  }

  get relay(): Relay {
    if (this.#relay === undefined) throw new Error('there is no relay');
    return this.#relay;
  }

  /** Another one would be another process with the same kinds. */
  async startRelay(
    kinds: readonly string[],
    changes: RelayChanges = {},
    more: Partial<RelayOptions> = {},
  ): Promise<void> {
    const { ca } = this;
    const cluster = await connect({ server: this.server.url, caData: ca, token: RELAY });
    this.#clusters.push(cluster);
    this.#upstream = createUpstream({ server: this.server.url, tls: async () => ({ ca }) });
    const options = {
      cluster,
      upstream: this.#upstream,
      kinds,
      tls: this.#authority.server(),
      onError: (error: unknown, where: string) => this.errors.push(`${where}: ${String(error)}`),
      ...more,
    };
    this.#relay = await assembleRelay(options, changes);
    await this.relay.start();
    await this.relay.listen();
  }

  /** A client of the relay. */
  async through(token: string): Promise<Cluster> {
    const cluster = await connect({ server: this.relay.url, caData: this.ca, token });
    this.#clusters.push(cluster);
    return cluster;
  }

  /** A request to the upstream itself, as the administrator. */
  direct(method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, body?: object): Promise<RawText> {
    return this.#ask(this.server.url, ADMIN, method, path, body);
  }

  /** A request through the relay. */
  async ask(token: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawText> {
    return this.#ask(this.relay.url, token, 'GET', path, undefined, headers);
  }

  /** A write through the relay. */
  send(token: string, method: 'DELETE' | 'PATCH' | 'POST' | 'PUT', path: string, body?: object): Promise<RawText> {
    return this.#ask(this.relay.url, token, method, path, body);
  }

  /** The same request to the upstream itself. */
  askUpstream(token: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawText> {
    return this.#ask(this.server.url, token, 'GET', path, undefined, headers);
  }

  /** How many watches of a kind the upstream has. Throws where its metrics do not say. */
  async upstreamWatches(plural: string): Promise<number> {
    const { text } = await this.direct('GET', '/metrics');
    const line = text.split('\n').find((one) => one.startsWith('listwatch_watchers{') && one.includes(`"${plural}"`));
    const [, count] = / (\d+)$/u.exec(line ?? '') ?? [];
    if (count === undefined) throw new Error(`the upstream does not count its watches of ${plural}`);
    return Number(count);
  }

  /** A request through the relay without any login. */
  async anonymous(path: string, headers: Readonly<Record<string, string>>): Promise<RawText> {
    await using cluster = await connect({ server: this.relay.url, caData: this.ca, maxRetries: 0 });
    const answer = await cluster.raw(path, { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** What the relay needs, in an upstream that is new. */
  async grant(): Promise<void> {
    for (const role of [RELAY_ROLE, READER_ROLE]) {
      await this.direct('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', role);
    }
    await this.bind('relay', 'relay');
  }

  /** Binds a user to a ClusterRole. */
  async bind(user: string, role: string): Promise<void> {
    await this.direct('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: `${user}-${role}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
  }

  /** Writes a ConfigMap and gives its version. */
  async write(name: string, data: Readonly<Record<string, string>> = {}, namespace = 'default'): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: name } }, data };
    const made = await this.direct('POST', path, object);
    const { text } = made.status === 409 ? await this.direct('PUT', `${path}/${name}`, object) : made;
    return versionIn(text);
  }

  async #ask(
    server: string,
    token: string,
    method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawText> {
    await using cluster = await connect({ server, caData: this.ca, token, maxRetries: 0, onWarning: () => {} });
    const answer = await cluster.raw(path, { method, body, headers });
    const bytes = Buffer.from(await answer.bytes());
    return { status: answer.status, headers: answer.headers, text: bytes.toString('utf8'), bytes };
  }

  #serve(engine: StorageEngine, port: number, tokens = TOKENS): ApiServer {
    return createApiServer({
      engine,
      port,
      audit: this.#auditLog === undefined ? undefined : { policy: EVERYTHING, log: { path: this.#auditLog } },
      tls: this.#authority.server(),
      authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile(tokens))]),
      onError: (error) => this.errors.push(String(error)),
    });
  }

  /** At the same address, with what it had; `forgets`: a token that is nobody's any more. */
  async restartUpstream(engine: StorageEngine, { forgets }: { readonly forgets?: string } = {}): Promise<void> {
    const known = TOKENS.split('\n').filter((line) => forgets === undefined || !line.startsWith(`${forgets},`));
    this.server = this.#serve(engine, this.#port, known.join('\n'));
    await this.server.listen();
  }

  async stopUpstream(): Promise<void> {
    this.#port = Number(new URL(this.server.url).port);
    const closed = this.server.close();
    await this.server.close();
    await closed;
  }

  async stopRelay(): Promise<void> {
    const closed = this.relay.close();
    await this.relay.close();
    await closed;
    this.#upstream?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cluster of this.#clusters.splice(1)) await cluster.close();
    await this.stopRelay();
    for (const cluster of this.#clusters) await cluster.close();
    await this.stopUpstream();
    this.#authority[Symbol.dispose]();
  }
}

export function versionIn(text: string): string {
  return /"resourceVersion":"(\d+)"/u.exec(text)?.[1] ?? '';
}
