/** The aggregation layer: APIServices, their backends, and what is shown of them. Start here. */

import { setMaxListeners } from 'node:events';
import { MEDIA_TYPE } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { builtInKind } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { CancelTimer, Clock, StorageEngine } from '@listwatch/storage';
import { userHeaderTest } from '../access/authentication/front-proxy-authenticator.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { ApiResponse } from '../contract/api-response.ts';
import type { LiveDiscovery } from '../discovery/discovery.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import { type AggregationOptions, aggregationConfig } from './aggregation-options.ts';
import { ApiServiceTable } from './api-service-table.ts';
import { type ApiService, hasSameBackend, isRemote, isServedHere, type RemoteApiService } from './api-service-view.ts';
import { AvailabilityController } from './availability-controller.ts';
import { anyAddress } from './backend-address.ts';
import { type BackendDocument, type DocumentRequest, readDocument } from './backend-document.ts';
import { BackendError } from './backend-error.ts';
import { BackendFinder } from './backend-finder.ts';
import { BackendPool } from './backend-pool.ts';
import { proxyToBackend } from './backend-proxy.ts';
import { publishExtensionAuthentication } from './extension-authentication.ts';
import { registerLocalApiServices } from './local-api-services.ts';
import { MergedDiscovery } from './merged-discovery.ts';
import { RemoteDiscovery } from './remote-discovery.ts';
import { RemoteOpenApi } from './remote-openapi.ts';

/** Documents of backends are asked for again after this time. */
const REFRESH_MS = 60_000;

/** What it needs of the server. */
export interface AggregatorParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly cacheOf: (type: TypeName) => ResourceCache;
  readonly discovery: LiveDiscovery;
  /** Undefined: no backend is connected to. */
  readonly options: AggregationOptions | undefined;
  /** PEM of the authorities of client certificates. */
  readonly clientCa: string;
  readonly ownPorts: () => readonly number[];
  readonly newUid: () => string;
  readonly written?: Pick<WrittenObjects, 'add'> | undefined;
  readonly onError: (error: unknown) => void;
  /** An APIService is gone; the one of a custom kind is created again. */
  readonly onRemoved: (group: string, version: string) => void;
}

/** Numbers for metrics. */
export interface AggregatorCounts {
  readonly open: number;
  readonly refused: number;
}

export class Aggregator {
  readonly discovery: MergedDiscovery;
  readonly openApi: RemoteOpenApi;
  readonly availability: AvailabilityController;
  readonly #parts: AggregatorParts;
  readonly #config: ReturnType<typeof aggregationConfig> | undefined;
  readonly #table: ApiServiceTable;
  readonly #finder: BackendFinder;
  readonly #remote: RemoteDiscovery;
  readonly #pools = new Map<string, BackendPool>();
  readonly #refreshedAt = new Map<string, number>();
  readonly #closing = new AbortController();
  readonly #namesUser: (header: string) => boolean;
  #refused = 0;
  #publishing: CancelTimer | undefined;

  constructor(parts: AggregatorParts) {
    const { engine, clock, cacheOf, discovery, options, written, onError } = parts;
    this.#parts = parts;
    this.#config = options && aggregationConfig(options);
    this.#namesUser = userHeaderTest(options?.requestHeader ?? {});
    const definition = builtInKind('apiregistration/v1.APIService');
    this.#table = new ApiServiceTable(cacheOf(definition.data.type));
    this.#finder = new BackendFinder(cacheOf('core/v1.Service'), cacheOf('discovery/v1.EndpointSlice'));
    const read = (service: RemoteApiService, request: DocumentRequest): Promise<BackendDocument> =>
      this.#read(service, request);
    this.#remote = new RemoteDiscovery(read);
    this.openApi = new RemoteOpenApi({ clock, read, available: () => this.#available() });
    this.discovery = new MergedDiscovery(discovery, this.#table, this.#remote);
    const poolOf = (service: RemoteApiService): BackendPool | undefined => this.#poolOf(service);
    this.availability = new AvailabilityController({
      engine,
      clock,
      definition,
      table: this.#table,
      finder: this.#finder,
      poolOf,
      written,
      onError,
      isServed: (group, version) => discovery.resources(group, version) !== undefined,
      onPassed: (name) => this.#passed(name),
    });
    // One listener for each watch.
    setMaxListeners(0, this.#closing.signal);
    this.#table.onChange = (name, next, old) => this.#changed(name, next, old);
    this.#finder.onChange = (namespace, name) => this.availability.serviceChanged(namespace, name);
  }

  get counts(): AggregatorCounts {
    const pools = [...this.#pools.values()];
    return {
      open: pools.reduce((sum, { open }) => sum + open, 0),
      refused: pools.reduce((sum, { refused }) => sum + refused, this.#refused),
    };
  }

  /** Creates what every server has. Before the caches are filled. */
  async register(): Promise<void> {
    const { engine, clock, newUid, written } = this.#parts;
    const definition = builtInKind('apiregistration/v1.APIService');
    await registerLocalApiServices({ engine, clock, newUid, definition, written });
    await this.#publish();
  }

  /** Once the caches are filled. */
  start(): void {
    this.availability.start();
    this.#publishLater();
  }

  /** Ends what lasts: watches and changed protocols. */
  drain(): void {
    this.#closing.abort(new DOMException('the server ends', 'AbortError'));
  }

  stop(): void {
    this.#publishing?.();
    this.availability.stop();
    for (const pool of this.#pools.values()) pool.retire();
  }

  /** Throws while an APIService of the start is missing or not available. */
  requireRegistered(): void {
    if (!this.#table.isReady) throw new Error('missing APIService: the cache is not filled yet');
  }

  /** The answer of a backend; undefined when this server itself answers. */
  answer(request: ApiRequest): Promise<ApiResponse> | undefined {
    if (this.#table.remoteCount === 0) return undefined;
    const { path } = request.route;
    if (path.type !== 'resource' && path.type !== 'discovery') return undefined;
    const service =
      path.type === 'discovery' && path.scope !== 'version'
        ? path.scope === 'core' && this.#table.remote('', 'v1')
        : this.#table.remote(path.group, path.version);
    return service ? this.#proxy(service, request) : undefined;
  }

  /** Does a backend serve this version? */
  isRemote(group: string, version: string): boolean {
    return this.#table.remote(group, version) !== undefined;
  }

  /** The OpenAPI document `apis/GROUP/VERSION` of a backend; undefined: no backend has it. */
  answerOpenApi(name: string, request: ApiRequest): Promise<ApiResponse> | undefined {
    const [, group = '', version = ''] = name.split('/');
    const service = this.openApi.has(name) ? this.#table.remote(group, version) : undefined;
    if (service === undefined) return undefined;
    const made = this.openApi.converted(service.name);
    if (made === undefined) return this.#proxy(service, request);
    const headers = { 'content-type': MEDIA_TYPE.json };
    return Promise.resolve({ type: 'bytes', status: 200, headers, body: made });
  }

  #proxy(service: RemoteApiService, request: ApiRequest): Promise<ApiResponse> {
    const { clock } = this.#parts;
    const closing = this.#closing.signal;
    const poolOf = (one: RemoteApiService): BackendPool | undefined => this.#poolOf(one);
    return proxyToBackend(
      { clock, finder: this.#finder, poolOf, closing, namesUser: this.#namesUser },
      service,
      request,
    );
  }

  #changed(name: string, next: ApiService | undefined, old: ApiService | undefined): void {
    this.discovery.changed();
    const isSame =
      next !== undefined &&
      old !== undefined &&
      (isRemote(next) ? isRemote(old) && hasSameBackend(next, old) : !isRemote(old));
    if (isSame) return;
    const pool = this.#pools.get(name);
    this.#refused += pool?.refused ?? 0;
    pool?.retire();
    this.#pools.delete(name);
    this.#refreshedAt.delete(name);
    if (old !== undefined) {
      this.#remote.forget(name);
      this.openApi.forget(name);
    }
    if (next !== undefined) this.availability.check(name);
    else {
      this.availability.forget(name);
      if (old !== undefined) this.#parts.onRemoved(old.group, old.version);
    }
  }

  #poolOf(service: RemoteApiService): BackendPool | undefined {
    const config = this.#config;
    if (config === undefined) return undefined;
    const known = this.#pools.get(service.name);
    if (known !== undefined) return known;
    const pool = new BackendPool(service, { config, ownPorts: this.#parts.ownPorts });
    this.#pools.set(service.name, pool);
    return pool;
  }

  /** Highest priority first. */
  #available(): readonly RemoteApiService[] {
    return this.#table.groups
      .flatMap(({ versions }) => versions.filter(isRemote))
      .filter((one) => one.isAvailable && !isServedHere(one.service));
  }

  async #read(service: RemoteApiService, request: DocumentRequest): Promise<BackendDocument> {
    const place = this.#finder.find(service.service);
    const pool = this.#poolOf(service);
    const address = place.type === 'problem' ? undefined : anyAddress(place.addresses);
    if (address === undefined || pool === undefined) throw new BackendError('unreachable', 'service unavailable');
    return readDocument(pool, address, this.#parts.clock, request);
  }

  #passed(name: string): void {
    const service = this.#table.get(name);
    if (service === undefined || !isRemote(service) || isServedHere(service.service)) return;
    const now = monotonicMs(this.#parts.clock);
    if (now - (this.#refreshedAt.get(name) ?? 0) < REFRESH_MS && this.#remote.resources(name) !== undefined) return;
    this.#refreshedAt.set(name, now);
    // What cannot be read now is read after the next check.
    const again = (): void => void this.#refreshedAt.delete(name);
    const isCurrent = (): boolean => {
      const current = this.#table.get(name);
      return current !== undefined && isRemote(current) && hasSameBackend(current, service);
    };
    this.#remote.refresh(service, isCurrent).catch(again);
    this.openApi.refresh(service, isCurrent).catch(again);
  }

  async #publish(): Promise<void> {
    const { engine, clock, newUid, clientCa } = this.#parts;
    const config = this.#config;
    if (config === undefined) return;
    await publishExtensionAuthentication({
      engine,
      clock,
      newUid,
      definition: builtInKind('core/v1.ConfigMap'),
      clientCa,
      proxyClientCa: config.proxyClientCa ?? '',
      requestHeader: config.requestHeader ?? {},
    });
  }

  /** Somebody may have deleted it. */
  #publishLater(): void {
    if (this.#config === undefined) return;
    this.#publishing = this.#parts.clock.after(REFRESH_MS, () => {
      this.#publish()
        .catch(this.#parts.onError)
        .finally(() => this.#publishLater());
    });
  }
}
