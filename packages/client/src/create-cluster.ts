/** A cluster behind a transport. Start here; `connect` finds the transport by itself. */

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
import type {
  Cluster,
  DeleteOptions,
  GetOptions,
  ListPage,
  ListQuery,
  NewObject,
  ObjectTarget,
  Patch,
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
import { acceptHeader } from './request/accepted-types.ts';
import { deleteBody } from './request/delete-body.ts';
import { type JsonRequest, transportRequest } from './request/json-request.ts';
import { listPath, withQuery } from './request/list-path.ts';
import { PATCH_TYPE } from './request/patch-type.ts';
import { readObject, readOver } from './request/read-body.ts';
import { exchange, type RequestSubject } from './request/send-request.ts';
import { answeredObject, typedObject } from './request/typed-object.ts';
import { writeQuery } from './request/write-query.ts';
import type { Transport, TransportResponse } from './transport/transport.ts';
import { TransportError } from './transport/transport-error.ts';
import { resolveLiveness } from './watch/resolve-liveness.ts';
import { watchDecoder } from './watch/watch-decoder.ts';
import { TransportWatchStream } from './watch/watch-stream.ts';

/** Options of `createCluster`. */
export interface ClusterOptions {
  /** The address of the server, to be shown. */
  readonly server: string;
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Default: `listwatch`. Browsers send their own. */
  readonly userAgent?: string | undefined;
}

/** Makes a cluster that sends everything through `transport`, and closes it when it is closed. */
export function createCluster(transport: Transport, options: ClusterOptions): Cluster {
  return new TransportCluster(transport, options);
}

class TransportCluster implements Cluster {
  readonly server: string;
  readonly namespace: string;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly #userAgent: string;

  constructor(transport: Transport, { server, namespace, clock, userAgent }: ClusterOptions) {
    this.transport = transport;
    this.server = server;
    this.namespace = namespace ?? 'default';
    this.clock = clock ?? systemClock;
    this.#userAgent = userAgent ?? 'listwatch';
  }

  async get<T extends ApiObject>(resource: Resource<T>, target: ObjectTarget, options: GetOptions = {}): Promise<T> {
    const { subresource, resourceVersion, projection, signal } = options;
    const path = withQuery(resourcePath(resource, { ...target, subresource }), printListOptions({ resourceVersion }));
    const accept = acceptHeader(options, 'object');
    const { body } = await this.#send({ method: 'GET', path, accept, signal }, { resource, name: target.name });
    const object = await readObject(body);
    if (projection !== 'metadata') return answeredObject(resource, object);
    try {
      return objectShaper(resource, options).one(object);
    } catch (cause) {
      throw new TransportError('PROTOCOL', `the answer is no object: ${String(cause)}`, { cause });
    }
  }

  async list<T extends ApiObject>(resource: Resource<T>, listQuery: ListQuery<T> = {}): Promise<ApiList<T>> {
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
    listPath(resource, listQuery);
    return pages(listQuery, (asked, number) => this.#page(resource, asked, number));
  }

  watch<T extends ApiObject>(resource: Resource<T>, watchQuery: WatchQuery<T> = {}): WatchStream<T> {
    const path = listPath(resource, { ...watchQuery, watch: true });
    const accept = acceptHeader(watchQuery, 'object');
    return new TransportWatchStream({
      open: (signal) => this.#send({ method: 'GET', path, accept, signal, isWatch: true }, { resource }),
      decoder: watchDecoder(resource, watchQuery),
      liveness: resolveLiveness(watchQuery),
      clock: this.clock,
      signal: watchQuery.signal,
    });
  }

  async create<T extends ApiObject>(
    resource: Resource<T>,
    object: NewObject<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const { subresource, signal } = options;
    const { name } = object.metadata;
    // A new object is posted to its collection, a new binding or token to the object that it is for.
    const target = { namespace: this.#namespaceOf(resource, object), name: subresource && name, subresource };
    const path = withQuery(resourcePath(resource, target), writeQuery(options));
    const body = typedObject(resource, object, subresource);
    return this.#ask(resource, { method: 'POST', path, body, signal }, { resource, name });
  }

  async update<T extends ApiObject>(resource: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { subresource, signal } = options;
    const { name } = object.metadata;
    const target = { namespace: this.#namespaceOf(resource, object), name, subresource };
    const path = withQuery(resourcePath(resource, target), writeQuery(options));
    const body = typedObject(resource, object, subresource);
    return this.#ask(resource, { method: 'PUT', path, body, signal }, { resource, name });
  }

  async patch<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    patch: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    const { subresource, fieldManager, signal } = options;
    if (patch.type === 'apply' && !fieldManager) throw new TypeError('to apply, say who you are: fieldManager');
    const path = withQuery(resourcePath(resource, { ...target, subresource }), writeQuery(options));
    const { type, body } = patch;
    const request: JsonRequest = { method: 'PATCH', path, body, contentType: PATCH_TYPE[type], signal };
    return this.#ask(resource, request, { resource, name: target.name });
  }

  async delete<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    options: DeleteOptions = {},
  ): Promise<Status | T> {
    const path = resourcePath(resource, target);
    const request: JsonRequest = { method: 'DELETE', path, body: deleteBody(options), signal: options.signal };
    const { body } = await this.#send(request, { resource, name: target.name });
    const object = await readObject(body);
    return isStatus(object) ? object : answeredObject(resource, object);
  }

  async deleteCollection<T extends ApiObject>(
    resource: Resource<T>,
    { namespace, labelSelector, fieldSelector }: Pick<ListQuery, 'fieldSelector' | 'labelSelector' | 'namespace'>,
    options: DeleteOptions = {},
  ): Promise<void> {
    const path = listPath(resource, { namespace, labelSelector, fieldSelector });
    const request: JsonRequest = { method: 'DELETE', path, body: deleteBody(options), signal: options.signal };
    const { body } = await this.#send(request, { resource });
    await readOver(body);
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #send(request: JsonRequest, subject: RequestSubject): Promise<TransportResponse> {
    return exchange(this.transport, transportRequest(request, this.#userAgent), subject);
  }

  async #ask<T extends ApiObject>(resource: Resource<T>, request: JsonRequest, subject: RequestSubject): Promise<T> {
    const { body } = await this.#send(request, subject);
    return answeredObject(resource, await readObject(body));
  }

  async #page<T extends ApiObject>(
    resource: Resource<T>,
    listQuery: ListQuery<T>,
    number: number,
  ): Promise<StreamedPage<T>> {
    const { signal } = listQuery;
    const path = listPath(resource, listQuery);
    const accept = acceptHeader(listQuery, 'list');
    const { body } = await this.#send({ method: 'GET', path, accept, signal }, { resource });
    return new StreamedPage(number, new ListDecoder(chosenDecoder(resource, listQuery)), body);
  }

  #namespaceOf(resource: Resource, { metadata }: { readonly metadata: ResourceTarget }): string | undefined {
    return resource.namespaced ? (metadata.namespace ?? this.namespace) : undefined;
  }
}
