/** A server without a network for tests of verbs: requests in, answers out. */

import { isStatusError, parseRequestPath } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { type Clock, createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { answerPlain } from '../answer/answer-object.ts';
import { warningHeader } from '../answer/warning-header.ts';
import type { Admission, AdmissionReads } from '../contract/admission.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { ApiResponse, TunnelResponse, WatchResponse } from '../contract/api-response.ts';
import { NO_LARGE_WORK } from '../contract/large-work.ts';
import type { ObjectStore, ResourceCall, ServedKinds, Verb, VerbContext } from '../contract/verb.ts';

import { BUILT_IN_KINDS } from '../kinds/built-in-definitions.fixture.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { createRegistry } from '../kinds/resource-registry.ts';
import { getVerb } from '../read/get.ts';
import { StorageOrigin } from '../read/storage-origin.ts';
import { parseRoute } from '../route/parse-route.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import { Lifecycle } from './admission/lifecycle.ts';
import { deleteVerb } from './deletion/delete.ts';
import { deleteCollection } from './deletion/delete-collection.ts';
import { kindOwnership } from './owners/kind-ownership.ts';
import { create, patch, update } from './pipeline.ts';

export const JSON_FORM: AnswerForm = {
  mediaType: 'application/json',
  as: 'object',
  metaVersion: 'v1',
  pretty: false,
};

/** What decoded JSON is to a test that asks for a member by its path. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: Body;
}

export interface CallOptions {
  /** Objects are sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
  readonly type?: string;
  readonly form?: Partial<AnswerForm>;
  readonly signal?: AbortSignal;
  /** Hears that the request asks for a turn of the event loop. */
  readonly onTurn?: () => void;
}

/** The time that the clock of a test starts at. */
export const NOW = '2023-11-14T22:13:20Z';

/** What a test replaces. */
export interface ContextParts {
  readonly store?: Partial<ObjectStore>;
  readonly admission?: Partial<Admission>;
  readonly kinds?: Partial<ServedKinds>;
}

const NO_READS: AdmissionReads = {
  cached: () => Buffer.from('{}'),
  namespace: async () => undefined,
  pods: () => ({ found: Buffer.from('[]'), next: undefined }),
  authorize: () => ({ allowed: true }),
  granting: async () => ({ type: 'held' }),
  hasQuotas: () => false,
};

/** A context that serves no kind and admits everything, but for what a test replaces. */
export function verbContext(engine: StorageEngine, clock: Clock, parts: ContextParts = {}): VerbContext {
  const store: ObjectStore = {
    engine,
    clock,
    newUid: () => '',
    cached: () => undefined,
    announce: () => undefined,
    served: async (object, revision) => object.served(revision),
    ...parts.store,
  };
  const find: ServedKinds['find'] = parts.kinds?.find ?? (() => undefined);
  const lifecycle = new Lifecycle({ store, definitionGuard: () => undefined });
  return {
    store,
    kinds: {
      find,
      storeOf: () => store,
      ownershipOf: kindOwnership({ clock, find }),
      answer: answerPlain,
      large: NO_LARGE_WORK,
      ...parts.kinds,
    },
    admission: {
      requirePlace: (call, object, dryRun) => lifecycle.requirePlace(call, object, dryRun),
      mutate: async ({ object }) => object,
      validate: async () => undefined,
      admit: async () => undefined,
      concerns: () => false,
      mutateRound: async (_write, { object }) => object,
      validateSteps: async () => undefined,
      allocate: async () => undefined,
      removed: async () => undefined,
      charge: async () => undefined,
      requireCreate: async () => undefined,
      reads: NO_READS,
      ...parts.admission,
    },
  };
}

export class VerbFixture {
  readonly clock: FakeClock = new FakeClock();
  readonly context: VerbContext;
  /** Never filled, so that everything is read from the storage. */
  readonly #caches: StorageCaches;
  #uids = 0;

  constructor(engine: StorageEngine = createMemoryEngine({ firstRevision: 1n }), parts: ContextParts = {}) {
    const registry = createRegistry(BUILT_IN_KINDS);
    this.#caches = storageCaches({ engine, definitions: registry, clock: this.clock });
    const store = { newUid: () => `uid-${++this.#uids}`, ...parts.store };
    this.context = verbContext(engine, this.clock, { ...parts, store, kinds: { find: registry.find, ...parts.kinds } });
  }

  /** Makes a namespace. */
  async namespace(name = 'x'): Promise<this> {
    await this.ok('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
    return this;
  }

  /** Sends a request and gives the answer, a failure as its Status. */
  async call(method: string, url: string, options: CallOptions = {}): Promise<Answer> {
    const [path = '', query = ''] = url.split('?');
    const parsed = parseRequestPath(path);
    if (parsed.type !== 'resource') throw new Error(`${path} is no path of a resource`);
    const definition = this.context.kinds.find(parsed.group, parsed.version, parsed.resource);
    if (definition === undefined) throw new Error(`${path} is no path of a known kind`);
    const request = fakeRequest(method, path, query, options);
    const warnings: string[] = [];
    const warn = (text: string): number => warnings.push(text);
    const call: ResourceCall = { request, path: parsed, definition, form: { ...JSON_FORM, ...options.form }, warn };
    try {
      const response = await this.#verbOf(method, parsed.name)(this.context, call);
      if (response.type === 'watch' || response.type === 'tunnel') throw new Error(`the answer is a ${response.type}`);
      const text = (await bodyOf(response)).toString();
      const headers = { ...response.headers, ...warningHeader(warnings) };
      return { status: response.status, headers, text, body: JSON.parse(text) };
    } catch (error) {
      if (!isStatusError(error)) throw error;
      return { status: error.httpCode, headers: warningHeader(warnings), text: '', body: error.status };
    }
  }

  /** Sends a request that must succeed and gives the object in the answer. */
  async ok(method: string, url: string, options: CallOptions = {}): Promise<Body> {
    const { status, body } = await this.call(method, url, options);
    if (status >= 300) throw new Error(`${method} ${url}: ${JSON.stringify(body)}`);
    return body;
  }

  #verbOf(method: string, name: string): Verb {
    switch (method) {
      case 'GET':
        return getVerb(this.#caches, new StorageOrigin((definition) => this.context.kinds.storeOf(definition)));
      case 'POST':
        return create;
      case 'PUT':
        return update;
      case 'PATCH':
        return patch;
      case 'DELETE':
        return name === '' ? deleteCollection : deleteVerb;
      default:
        throw new Error(`no verb for ${method}`);
    }
  }

  /** The newest revision of the store. */
  async revision(): Promise<string> {
    return String(await this.context.store.engine.revision());
  }
}

/** A request of `path` with `query` for a verb that is called by itself. */
export function callOf(
  definition: ResourceDefinition,
  path: string,
  query: string,
  form: AnswerForm = JSON_FORM,
): ResourceCall {
  const parsed = parseRequestPath(path);
  if (parsed.type !== 'resource') throw new Error(`${path} is no path of a resource`);
  return { request: fakeRequest('GET', path, query), path: parsed, definition, form, warn: () => undefined };
}

function fakeRequest(
  method: string,
  path: string,
  query: string,
  { body, type, signal = new AbortController().signal, onTurn }: CallOptions = {},
): ApiRequest {
  const content = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    route: parseRoute(method, { path, query }),
    method,
    path,
    query,
    user: { name: 'test', groups: [] },
    protocol: 'http/1.1',
    signal,
    throwIfAborted: () => signal.throwIfAborted(),
    turn: () => {
      onTurn?.();
      return undefined;
    },
    header: (name) => (name === 'content-type' ? type : undefined),
    rawHeaders: [],
    upgrade: undefined,
    liftLimits: () => {},
    body: async () => (Buffer.isBuffer(body) ? body : Buffer.from(content)),
  };
}

async function bodyOf(response: Exclude<ApiResponse, TunnelResponse | WatchResponse>): Promise<Buffer> {
  if (response.type === 'bytes') return response.body;
  const chunks: Buffer[] = [];
  for await (const chunk of response.chunks) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
