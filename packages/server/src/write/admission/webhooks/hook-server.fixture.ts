/** A webhook over TLS, and a server that calls it, for tests. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { issueCertificate } from '../../../pki/certificate.ts';
import { InProcessServer, type Json } from '../../../start/in-process-server.fixture.ts';

/** What a path of the webhook answers: the response of the review, or anything else by hand. */
export type HookAnswer =
  | { readonly [field: string]: unknown }
  | ((review: Json, response: ServerResponse, request: IncomingMessage) => Json);

/** A call that the webhook has got. */
export interface HookCall {
  readonly path: string;
  readonly query: string;
  readonly version: string;
  readonly headers: IncomingMessage['headers'];
  readonly request: Json;
  readonly apiVersion: string;
}

const PEM = { type: 'pkcs8', format: 'pem' } as const;

interface Pair {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const NAMED = { type: 'server', dnsNames: ['hook.default.svc', 'localhost'], ipAddresses: ['127.0.0.1'] } as const;
/** As old certificates are: the host is only in the Common Name. */
const NAMELESS = { type: 'server', dnsNames: [], ipAddresses: [] } as const;
const [authorityKey, ownKey] = [newKey(), newKey()];
let made: Pair | undefined;

/** One authority and certificate for all tests of a file. */
function certificate(): Pair {
  made ??= certified(NAMED);
  return made;
}

/** The certificate and key of every webhook, for a server that is one itself. */
export function hookTls(): Pick<Pair, 'cert' | 'key'> {
  const { cert, key } = certificate();
  return { cert, key };
}

function certified(use: typeof NAMED | typeof NAMELESS): Pair {
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const issuer = { subject: { commonName: 'ca' }, key: authorityKey };
  const ca = issueCertificate({
    ...life,
    subject: issuer.subject,
    use: { type: 'authority' },
    key: authorityKey,
    issuer,
  });
  const cert = issueCertificate({ ...life, subject: { commonName: 'localhost' }, use, key: ownKey, issuer });
  return { ca, cert, key: ownKey.export(PEM).toString() };
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** The webhook. */
export class HookServer implements AsyncDisposable {
  readonly calls: HookCall[] = [];
  /** By path; others allow. */
  answers: Record<string, HookAnswer> = {};
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(options: { readonly http2?: boolean; readonly isNameless?: boolean } = {}): Promise<HookServer> {
    const { cert, key } = options.isNameless === true ? certified(NAMELESS) : certificate();
    const tls = { cert, key };
    const server = options.http2 === true ? createSecureServer({ ...tls, allowHTTP1: true }) : createServer(tls);
    const hook = new HookServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void hook.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return hook;
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size;
  }

  get port(): number {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    return (this.#server.address() as AddressInfo).port;
  }

  /** What a configuration says of it. */
  at(path: string): { readonly url: string; readonly caBundle: string } {
    return { url: `https://127.0.0.1:${this.port}/${path}`, caBundle: this.caBundle };
  }

  get caBundle(): string {
    return Buffer.from(certificate().ca).toString('base64');
  }

  /** The paths of the calls, in their order. */
  get paths(): readonly string[] {
    return this.calls.map(({ path }) => path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const { pathname, search } = new URL(request.url ?? '', 'https://x');
    const review: Json = JSON.parse(Buffer.concat(parts).toString());
    const path = pathname.slice(1);
    const { headers, httpVersion: version } = request;
    const { apiVersion } = review;
    this.calls.push({ path, query: search, version, headers, request: review.request, apiVersion });
    const answer = this.answers[path] ?? { allowed: true };
    const own = typeof answer === 'function' ? await answer(review, response, request) : answer;
    if (own === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reviewOf(review, own)));
  }
}

/** The review that answers another one. */
export function reviewOf(review: Json, response: object): Json {
  return { apiVersion: review.apiVersion, kind: 'AdmissionReview', response: { uid: review.request.uid, ...response } };
}

/** The response of a hook that changes the object. */
export function patchOf(...operations: readonly object[]): { readonly [field: string]: unknown } {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

const GROUP = '/apis/admissionregistration.k8s.io/v1';

/** A server with webhooks. */
export class HookedServer implements AsyncDisposable {
  readonly server: InProcessServer;
  readonly hook: HookServer;
  #count = 0;

  constructor(server: InProcessServer, hook: HookServer) {
    this.server = server;
    this.hook = hook;
  }

  static async start(options: ConstructorParameters<typeof InProcessServer>[0] = {}): Promise<HookedServer> {
    return new HookedServer(await InProcessServer.start(options), await HookServer.start());
  }

  /** A namespace of its own for a test. */
  async namespace(labels: Readonly<Record<string, string>> = {}): Promise<string> {
    this.#count += 1;
    const name = `ns-${this.#count}`;
    await this.server.ok('POST', '/api/v1/namespaces', { metadata: { name, labels } });
    await this.server.ok('GET', '/api/v1/namespaces');
    this.hook.calls.length = 0;
    this.hook.answers = {};
    return name;
  }

  /** A hook for the ConfigMaps of a namespace; its name is that of its path. */
  hookOf(namespace: string, path: string, more: object = {}): object {
    return {
      name: `${path}.hook.example.com`,
      clientConfig: this.hook.at(path),
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    };
  }

  /** Writes a configuration that is in effect when it resolves. Its name comes behind those before it. */
  async configure(type: 'Mutating' | 'Validating', ...webhooks: readonly object[]): Promise<string> {
    this.#count += 1;
    const name = `c-${String(this.#count).padStart(4, '0')}`;
    const path = `${GROUP}/${type.toLowerCase()}webhookconfigurations`;
    await this.server.ok('POST', path, { metadata: { name }, webhooks });
    // A list is answered when the cache, and with it admission, has what was written.
    await this.server.ok('GET', path);
    return `${path}/${name}`;
  }

  create(namespace: string, name: string, more: object = {}): ReturnType<InProcessServer['ask']> {
    const body = { metadata: { name }, data: { k: 'v' }, ...more };
    return this.server.ask('POST', `/api/v1/namespaces/${namespace}/configmaps`, body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.hook[Symbol.asyncDispose]();
  }
}
