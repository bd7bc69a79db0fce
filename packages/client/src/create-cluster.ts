/** A cluster on top of a transport. `connect` finds the transport by itself. */

import {
  type ApiList,
  type ApiObject,
  type Clock,
  isStatus,
  printListOptions,
  type Resource,
  type ResourceTarget,
  resourcePath,
  type Status,
  systemClock,
} from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type {
  ApplyOptions,
  Cluster,
  DeleteOptions,
  GetOptions,
  ListPage,
  ListQuery,
  NewObject,
  ObjectTarget,
  PatchOptions,
  WatchQuery,
  WatchStream,
  WriteOptions,
} from './cluster.ts';
import { chosenDecoder } from './json/object-decoder.ts';
import { objectShaper } from './json/object-shaper.ts';
import { ListDecoder } from './list/list-decoder.ts';
import { pages } from './list/pages.ts';
import { StreamedPage } from './list/streamed-page.ts';
import type { AppliedObject, Patch } from './object-part.ts';
import { type RawAnswer, TransportRawAnswer } from './raw/raw-answer.ts';
import { type RawRequest, rawRequest } from './raw/raw-request.ts';
import { acceptHeader } from './request/accepted-types.ts';
import { deleteBody } from './request/delete-body.ts';
import { DEFAULT_USER_AGENT, type JsonRequest, transportRequest } from './request/json-request.ts';
import { listPath, withQuery } from './request/list-path.ts';
import { namedFailure, type RequestSubject, subjectText } from './request/named-failure.ts';
import { checkOptionNames } from './request/option-names.ts';
import { PATCH_TYPE } from './request/patch-type.ts';
import { readJsonBody, readOver } from './request/read-body.ts';
import {
  APPLY_NAMES,
  COLLECTION_NAMES,
  DELETE_NAMES,
  GET_NAMES,
  LIST_NAMES,
  PATCH_NAMES,
  TARGET_NAMES,
  WATCH_NAMES,
  WRITE_NAMES,
} from './request/request-options.ts';
import { exchange } from './request/send-request.ts';
import { answeredObject, checkedAnswer, objectWithType } from './request/typed-object.ts';
import { DEFAULT_FIELD_MANAGER, writeQuery } from './request/write-query.ts';
import { transportClosedError } from './transport/exchange/pending-requests.ts';
import type { ServerReport } from './transport/failover/server-report.ts';
import type { Transport, TransportDecorator, TransportResponse } from './transport/transport.ts';
import { isTransportError, TransportError } from './transport/transport-error.ts';
import { resolveLiveness } from './watch/resolve-liveness.ts';
import { watchDecoder } from './watch/watch-decoder.ts';
import { TransportWatchStream } from './watch/watch-stream.ts';

/** Options of `createCluster`. */
export interface ClusterOptions {
  /** The address of the server, to be shown. */
  readonly server: string;
  /** The servers as they are now, where there are several; `createFailoverTransport` knows them. */
  readonly servers?: (() => readonly ServerReport[]) | undefined;
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Default: `listwatch`. Browsers send their own. */
  readonly userAgent?: string | undefined;
  /** The largest object that is read: an answer, an item of a list or a frame of a watch. Default: 64 MiB. */
  readonly maxObjectBytes?: number | undefined;
}

/** etcd takes 1.5 MiB, and no aggregated server is known to go far beyond. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** Makes a cluster that sends everything through `transport`, and closes it when it is closed. */
export function createCluster(transport: Transport, options: ClusterOptions): Cluster {
  return new TransportCluster(transport, options);
}

/**
 * A second cluster over the transport of another, with one more layer around it. Closing it closes the transport of both.
 *
 * @example
 * const logged = decorateCluster(cluster, logging((record) => console.log(record), cluster.clock));
 */
export function decorateCluster(cluster: Cluster, decorator: TransportDecorator): Cluster {
  const { server, namespace, clock, transport } = cluster;
  const options = cluster instanceof TransportCluster ? cluster.options : { server, namespace, clock };
  return new TransportCluster(decorator(transport), options);
}

class TransportCluster implements Cluster {
  readonly options: ClusterOptions;
  readonly server: string;
  readonly namespace: string;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly userAgent: string;
  readonly #maxObjectBytes: number;
  #isClosed = false;

  constructor(transport: Transport, options: ClusterOptions) {
    const { server, namespace, clock, userAgent, maxObjectBytes = MAX_OBJECT_BYTES } = options;
    if (!(maxObjectBytes > 0)) throw new RangeError(`maxObjectBytes must be above 0, not ${maxObjectBytes}`);
    this.options = options;
    this.transport = transport;
    this.server = server;
    this.namespace = namespace ?? 'default';
    this.clock = clock ?? systemClock;
    this.userAgent = userAgent ?? DEFAULT_USER_AGENT;
    this.#maxObjectBytes = maxObjectBytes;
  }

  get servers(): readonly ServerReport[] | undefined {
    return this.options.servers?.();
  }

  async get<T extends ApiObject>(resource: Resource<T>, target: ObjectTarget, options: GetOptions = {}): Promise<T> {
    checkOptionNames('get', options, GET_NAMES);
    const { subresource, resourceVersion, projection, signal } = options;
    const { path, subject } = this.#object('get', resource, target, subresource);
    const query = printListOptions({ resourceVersion });
    const accept = acceptHeader(options, 'object');
    const object = await this.#ask({ method: 'GET', path: withQuery(path, query), accept, signal }, subject);
    if (projection !== 'metadata') return answeredObject(resource, object);
    try {
      return objectShaper(resource, options).one(object);
    } catch (cause) {
      throw new TransportError('PROTOCOL', `${subjectText(subject)}: not an object: ${String(cause)}`, { cause });
    }
  }

  async list<T extends ApiObject>(resource: Resource<T>, listQuery: ListQuery<T> = {}): Promise<ApiList<T>> {
    checkOptionNames('list', listQuery, LIST_NAMES);
    const page = await this.#page(resource, listQuery, 1);
    try {
      const items = await page.items();
      const { kind, apiVersion, metadata } = page;
      return {
        ...(kind === undefined ? {} : { kind }),
        ...(apiVersion === undefined ? {} : { apiVersion }),
        metadata,
        items,
      };
    } finally {
      await page.close();
    }
  }

  pages<T extends ApiObject>(resource: Resource<T>, listQuery: ListQuery<T> = {}): AsyncIterable<ListPage<T>> {
    // Misuse fails here, and not where the first page is asked for.
    checkOptionNames('pages', listQuery, LIST_NAMES);
    listPath(resource, listQuery);
    return pages(listQuery, (asked, number) => this.#page(resource, asked, number));
  }

  watch<T extends ApiObject>(resource: Resource<T>, watchQuery: WatchQuery<T> = {}): WatchStream<T> {
    checkOptionNames('watch', watchQuery, WATCH_NAMES);
    const path = listPath(resource, { ...watchQuery, watch: true });
    const accept = acceptHeader(watchQuery, 'object');
    const subject: RequestSubject = { verb: 'watch', resource, server: this.server, namespace: watchQuery.namespace };
    return new TransportWatchStream({
      open: (signal) => this.#send({ method: 'GET', path, accept, signal, isWatch: true }, subject),
      named: (error) => namedFailure(error, subject),
      decoder: watchDecoder(resource, watchQuery),
      liveness: resolveLiveness(watchQuery),
      maxFrameBytes: this.#maxObjectBytes,
      clock: this.clock,
      signal: watchQuery.signal,
    });
  }

  async create<T extends ApiObject>(
    resource: Resource<T>,
    object: NewObject<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    checkOptionNames('create', options, WRITE_NAMES);
    const { subresource, signal } = options;
    const { name } = object.metadata;
    const namespace = this.#namespaceOf(resource, object.metadata);
    // A new object is posted to its collection, a new binding or token to the object that it is for.
    const target = { namespace, name: subresource && name, subresource };
    const path = withQuery(resourcePath(resource, target), writeQuery(options));
    const body = objectWithType(resource, object, subresource);
    const subject: RequestSubject = { verb: 'create', resource, server: this.server, namespace, name };
    return answeredObject(resource, await this.#ask({ method: 'POST', path, body, signal }, subject));
  }

  async update<T extends ApiObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    checkOptionNames('update', options, WRITE_NAMES);
    const { subresource, signal } = options;
    const { name, namespace } = object.metadata;
    const { path, subject } = this.#object('update', resource, { name, namespace }, subresource);
    const body = objectWithType(resource, object, subresource);
    const request: JsonRequest = { method: 'PUT', path: withQuery(path, writeQuery(options)), body, signal };
    return answeredObject(resource, await this.#ask(request, subject));
  }

  async patch<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    patch: Patch<T>,
    options: PatchOptions = {},
  ): Promise<T> {
    checkOptionNames('patch', options, PATCH_NAMES);
    const { subresource, fieldManager, signal } = options;
    const { type, body } = patch;
    const contentType = PATCH_TYPE[type];
    if (contentType === undefined) throw new TypeError(`unknown type of a patch: ${JSON.stringify(type)}`);
    if (type === 'apply' && !fieldManager) throw new TypeError('a patch of type apply needs the option fieldManager');
    const { path, subject } = this.#object('patch', resource, target, subresource);
    const query = writeQuery(options);
    const request: JsonRequest = { method: 'PATCH', path: withQuery(path, query), body, contentType, signal };
    return answeredObject(resource, await this.#ask(request, subject));
  }

  async apply<T extends ApiObject>(
    resource: Resource<T>,
    object: AppliedObject<T>,
    options: ApplyOptions = {},
  ): Promise<T> {
    checkOptionNames('apply', options, APPLY_NAMES);
    const { fieldManager = DEFAULT_FIELD_MANAGER, ...rest } = options;
    if (object?.metadata === undefined) throw new TypeError('apply needs an object with metadata');
    const { name, namespace } = object.metadata;
    if (typeof name !== 'string') throw new TypeError('apply needs the name of an object, in its metadata');
    const body = objectWithType(resource, object, options.subresource);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the object with its kind
    const patch = { type: 'apply', body } as unknown as Patch<T>;
    return this.patch(resource, { name, namespace }, patch, { ...rest, fieldManager });
  }

  async delete<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    options: DeleteOptions = {},
  ): Promise<Status | T> {
    checkOptionNames('delete', options, DELETE_NAMES);
    const { path, subject } = this.#object('delete', resource, target);
    const request: JsonRequest = { method: 'DELETE', path, body: deleteBody(options), signal: options.signal };
    const object = await this.#ask(request, subject);
    return isStatus(object) ? object : answeredObject(resource, object);
  }

  async deleteCollection<T extends ApiObject>(
    resource: Resource<T>,
    query: Pick<ListQuery, 'fieldSelector' | 'labelSelector' | 'namespace'>,
    options: DeleteOptions = {},
  ): Promise<void> {
    checkOptionNames('deleteCollection', query, COLLECTION_NAMES);
    checkOptionNames('deleteCollection', options, DELETE_NAMES);
    const path = listPath(resource, query);
    const { namespace } = query;
    const subject: RequestSubject = { verb: 'deletecollection', resource, server: this.server, namespace };
    const request: JsonRequest = { method: 'DELETE', path, body: deleteBody(options), signal: options.signal };
    const { body } = await this.#send(request, subject);
    await namedWork(subject, () => readOver(body));
  }

  async raw(path: string, options: RawRequest = {}): Promise<RawAnswer> {
    const request = rawRequest(path, options, this.userAgent);
    const { signal } = options;
    signal?.throwIfAborted();
    const named = (error: unknown): unknown =>
      isTransportError(error)
        ? new TransportError(error.code, `${request.method} ${path} at ${this.server}: ${error.message}`, {
            cause: error,
          })
        : error;
    try {
      if (this.#isClosed) throw transportClosedError();
      return new TransportRawAnswer(await this.transport.send(request), this.#maxObjectBytes, named);
    } catch (error) {
      throw named(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #send(request: JsonRequest, subject: RequestSubject): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    return namedWork(subject, async () => {
      // Asked here, so that no layer waits or tries again for a client that is closed.
      if (this.#isClosed) throw transportClosedError();
      return exchange(this.transport, transportRequest(request, this.userAgent), subject);
    });
  }

  /** Sends a request whose answer is one object. */
  async #ask(request: JsonRequest, subject: RequestSubject): Promise<JsonRecord> {
    const { body } = await this.#send(request, subject);
    return namedWork(subject, async () => checkedAnswer(await readJsonBody(body, this.#maxObjectBytes)));
  }

  async #page<T extends ApiObject>(
    resource: Resource<T>,
    listQuery: ListQuery<T>,
    number: number,
  ): Promise<StreamedPage<T>> {
    const { signal, namespace } = listQuery;
    const path = listPath(resource, listQuery);
    const accept = acceptHeader(listQuery, 'list');
    const subject: RequestSubject = { verb: 'list', resource, server: this.server, namespace };
    const { body } = await this.#send({ method: 'GET', path, accept, signal }, subject);
    return new StreamedPage(
      number,
      new ListDecoder(chosenDecoder(resource, listQuery), this.#maxObjectBytes),
      body,
      (error) => namedFailure(error, subject),
    );
  }

  /** The path of one object. */
  #object(
    verb: RequestSubject['verb'],
    resource: Resource,
    target: ObjectTarget,
    subresource?: string,
  ): { readonly path: string; readonly subject: RequestSubject } {
    checkOptionNames(verb, target, TARGET_NAMES);
    const { name } = target;
    if (typeof name !== 'string') throw new TypeError(`${verb} needs the name of an object: ${JSON.stringify(target)}`);
    const namespace = this.#namespaceOf(resource, target);
    const subject: RequestSubject = { verb, resource, server: this.server, namespace, name };
    return { path: resourcePath(resource, { namespace, name, subresource }), subject };
  }

  #namespaceOf(resource: Resource, { namespace }: ResourceTarget): string | undefined {
    return namespace ?? (resource.namespaced ? this.namespace : undefined);
  }
}

/** Runs a part of a request, and says in its error which request it was. */
async function namedWork<V>(subject: RequestSubject, work: () => Promise<V>): Promise<V> {
  try {
    return await work();
  } catch (error) {
    throw namedFailure(error, subject);
  }
}
