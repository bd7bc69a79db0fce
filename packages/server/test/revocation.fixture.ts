/** A server on a socket that ends watches on revocation, and the ways to have and to lose a right to watch. */

import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { systemClock } from '@listwatch/api';
import { TestAuthority, type TestCertificatePair } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { WebSocket } from 'ws';
import { signUserToken, USER_RECORD, userRecordName } from '../src/access/authentication/user-token.ts';
import type { ApiServerOptions } from '../src/start/api-server-options.ts';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const API_GROUP = 'rbac.authorization.k8s.io';
const RECORDS = `/api/v1/namespaces/${USER_RECORD.namespace}/secrets`;
export const USER_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** What a client shows. */
export interface ShownCredential {
  readonly headers?: Readonly<Record<string, string>>;
  readonly client?: TestCertificatePair;
}

/** Somebody who watches, and how the right to do so is taken away. */
export interface Watching extends ShownCredential {
  /** Default: all ConfigMaps of a namespace. */
  readonly query?: string;
  readonly revoke: () => Promise<unknown>;
}

/** A watch as its client sees it. */
export interface SeenWatch {
  readonly status: number;
  /** All that has come. */
  readonly text: () => string;
  readonly isEnded: () => boolean;
  readonly close: () => void;
}

export class RevocationServer implements AsyncDisposable {
  readonly #authority = new TestAuthority();
  readonly inside: InProcessServer;
  #names = 0;

  constructor(more: Partial<ApiServerOptions> = {}) {
    const options = {
      engine: createMemoryEngine(),
      clock: systemClock,
      tls: { ...this.#authority.server(), clientCa: this.#authority.ca },
      authentication: { certificates: true, userTokenKey: USER_KEY, bootstrapTokens: true },
      authorization: ['Node', 'RBAC'] as const,
      endWatchesOnRevocation: true,
      ...more,
    };
    this.inside = new InProcessServer(options);
  }

  get ca(): string {
    return this.#authority.ca;
  }

  get port(): number {
    return Number(new URL(this.inside.server.url).port);
  }

  name(): string {
    this.#names += 1;
    return `eve${this.#names}`;
  }

  /** Lets a subject watch ConfigMaps. The names of the role and its binding are that of the subject. */
  async bind(name: string, subject: object, rule: object = {}): Promise<void> {
    const rules = [{ verbs: ['list', 'watch'], apiGroups: [''], resources: ['configmaps'], ...rule }];
    await this.inside.ok('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules });
    const roleRef = { apiGroup: API_GROUP, kind: 'ClusterRole', name };
    await this.inside.ok('POST', `${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects: [subject] });
  }

  certificate(subject: string): { readonly client: TestCertificatePair; readonly serial: string } {
    const client = this.#authority.client(subject);
    return { client, serial: new X509Certificate(client.cert).serialNumber.toLowerCase() };
  }

  /** A user of `listwatch user`, whose token counts while its record exists. */
  async userToken(name: string): Promise<{ readonly token: string; readonly record: string }> {
    const record = userRecordName(name);
    await this.inside.ok('POST', RECORDS, { metadata: { name: record }, type: USER_RECORD.type });
    const issued = Date.now();
    const token = signUserToken({ id: name, name, groups: [], issued, expires: issued + 3_600_000 }, USER_KEY);
    return { token, record: `${RECORDS}/${record}` };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#authority[Symbol.dispose]();
    return this.inside[Symbol.asyncDispose]();
  }
}

/** The subject of a binding. */
export const user = (name: string): object => ({ kind: 'User', apiGroup: API_GROUP, name });

/** Shows a token. */
export const bearer = (token: string): ShownCredential => ({ headers: { authorization: `Bearer ${token}` } });

/** Every way in which a right to watch is taken away. */
export const REVOCATIONS: Readonly<Record<string, (server: RevocationServer) => Promise<Watching>>> = {
  async 'a binding is deleted'(server) {
    const name = server.name();
    await server.bind(name, user(name));
    const { token } = await server.userToken(name);
    return { ...bearer(token), revoke: () => server.inside.ok('DELETE', `${RBAC}/clusterrolebindings/${name}`) };
  },
  async 'a binding loses its subject'(server) {
    const name = server.name();
    await server.bind(name, { ...user(`group-of-${name}`), kind: 'Group' });
    const { client } = server.certificate(`/O=group-of-${name}/CN=${name}`);
    const patch = { subjects: null };
    const how = { type: 'application/merge-patch+json' };
    return { client, revoke: () => server.inside.ok('PATCH', `${RBAC}/clusterrolebindings/${name}`, patch, how) };
  },
  async 'a role loses its rule'(server) {
    const name = server.name();
    await server.bind(name, user(name));
    const { token } = await server.userToken(name);
    const how = { type: 'application/merge-patch+json' };
    return {
      ...bearer(token),
      revoke: () => server.inside.ok('PATCH', `${RBAC}/clusterroles/${name}`, { rules: [] }, how),
    };
  },
  async 'the record of a token is deleted'(server) {
    const name = server.name();
    await server.bind(name, user(name));
    const { token, record } = await server.userToken(name);
    return { ...bearer(token), revoke: () => server.inside.ok('DELETE', record) };
  },
  async 'a certificate is revoked'(server) {
    const name = server.name();
    await server.bind(name, user(name));
    const { client, serial } = server.certificate(`/CN=${name}`);
    const record = { metadata: { name: userRecordName(serial) }, type: USER_RECORD.type };
    const stringData = { [USER_RECORD.revoked]: new Date().toISOString() };
    return { client, revoke: () => server.inside.ok('POST', RECORDS, { ...record, stringData }) };
  },
  async 'a bootstrap token is deleted'(server) {
    const id = server.name().padStart(6, '0');
    await server.bind(id, user(`system:bootstrap:${id}`));
    const secret = '0123456789abcdef';
    const stringData = { 'token-id': id, 'token-secret': secret, 'usage-bootstrap-authentication': 'true' };
    const metadata = { name: `bootstrap-token-${id}` };
    await server.inside.ok('POST', RECORDS, { metadata, type: 'bootstrap.kubernetes.io/token', stringData });
    return {
      ...bearer(`${id}.${secret}`),
      revoke: () => server.inside.ok('DELETE', `${RECORDS}/bootstrap-token-${id}`),
    };
  },
  async 'a service account is deleted'(server) {
    const name = server.name();
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.inside.ok('POST', accounts, { metadata: { name } });
    await server.bind(name, { kind: 'ServiceAccount', namespace: 'default', name });
    const { status } = await server.inside.ok('POST', `${accounts}/${name}/token`, { spec: {} });
    return { ...bearer(status.token), revoke: () => server.inside.ok('DELETE', `${accounts}/${name}`) };
  },
  async 'the Secret that a token is bound to is deleted'(server) {
    const name = server.name();
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    const secrets = '/api/v1/namespaces/default/secrets';
    await server.inside.ok('POST', accounts, { metadata: { name } });
    await server.inside.ok('POST', secrets, { metadata: { name } });
    await server.bind(name, { kind: 'ServiceAccount', namespace: 'default', name });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name };
    const { status } = await server.inside.ok('POST', `${accounts}/${name}/token`, { spec: { boundObjectRef } });
    return { ...bearer(status.token), revoke: () => server.inside.ok('DELETE', `${secrets}/${name}`) };
  },
  async 'the Pod of a node is deleted'(server) {
    const node = server.name();
    const pods = '/api/v1/namespaces/default/pods';
    const volumes = [{ name: 'v', configMap: { name: node } }];
    const spec = { nodeName: node, volumes, containers: [{ name: 'c', image: 'i' }] };
    await server.inside.ok('POST', pods, { metadata: { name: node }, spec });
    const { client } = server.certificate(`/O=system:nodes/CN=system:node:${node}`);
    const gone = `${pods}/${node}?gracePeriodSeconds=0`;
    return {
      client,
      query: `&fieldSelector=metadata.name%3D${node}`,
      revoke: () => server.inside.ok('DELETE', gone),
    };
  },
  async 'the right to impersonate is taken away'(server) {
    const [name, other] = [server.name(), server.name()];
    await server.bind(other, user(other));
    await server.bind(name, user(name), { verbs: ['impersonate'], resources: ['users'] });
    const { token } = await server.userToken(name);
    return {
      headers: { ...bearer(token).headers, 'impersonate-user': other },
      revoke: () => server.inside.ok('DELETE', `${RBAC}/clusterrolebindings/${name}`),
    };
  },
  async 'an impersonated user loses a binding'(server) {
    const [name, other] = [server.name(), server.name()];
    await server.bind(other, user(other));
    await server.bind(name, user(name), { verbs: ['impersonate'], resources: ['users'] });
    const { token } = await server.userToken(name);
    return {
      headers: { ...bearer(token).headers, 'impersonate-user': other },
      revoke: () => server.inside.ok('DELETE', `${RBAC}/clusterrolebindings/${other}`),
    };
  },
};

/** Opens a watch by each protocol. Resolves with the head of the answer. */
export const PROTOCOLS: Readonly<
  Record<string, (server: RevocationServer, path: string, shown: ShownCredential) => Promise<SeenWatch>>
> = {
  'HTTP/1.1': ({ ca, port }, path, { headers = {}, client }) =>
    new Promise((resolve, reject) => {
      const request = httpsRequest(
        { host: '127.0.0.1', port, path, headers, ca, agent: false, ...client },
        (answer) => {
          const seen = new Seen(() => request.destroy());
          answer.on('data', (chunk: Buffer) => seen.add(chunk));
          answer.on('end', () => seen.end());
          resolve(seen.as(answer.statusCode ?? 0));
        },
      );
      request.on('error', reject);
      request.end();
    }),
  'HTTP/2': ({ ca, port }, path, { headers = {}, client }) =>
    new Promise((resolve, reject) => {
      const session = connectHttp2(`https://127.0.0.1:${port}`, { ca, ...client });
      session.on('error', reject);
      const stream = session.request({ ':path': path, ...headers });
      const seen = new Seen(() => session.destroy());
      stream.on('response', (head) => resolve(seen.as(head[':status'] ?? 0)));
      stream.on('data', (chunk: Buffer) => seen.add(chunk));
      stream.on('end', () => seen.end());
      stream.on('error', reject);
    }),
  WebSocket: ({ ca, port }, path, { headers = {}, client }) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, {
        headers: { origin: 'https://page', ...headers },
        ca,
        ...client,
      });
      const seen = new Seen(() => socket.terminate());
      socket.on('open', () => resolve(seen.as(200)));
      socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(seen.as(statusCode)));
      socket.on('message', (data: Buffer) => seen.add(data));
      socket.on('close', () => seen.end());
      socket.on('error', reject);
    }),
};

class Seen {
  readonly #close: () => void;
  #text = '';
  #isEnded = false;

  constructor(close: () => void) {
    this.#close = close;
  }

  add(chunk: Buffer): void {
    this.#text += chunk.toString();
  }

  end(): void {
    this.#isEnded = true;
  }

  as(status: number): SeenWatch {
    return { status, text: () => this.#text, isEnded: () => this.#isEnded, close: this.#close };
  }
}
