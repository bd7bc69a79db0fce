/** What a server has of its store: the engine, its health, the kinds and their caches. */

import { groupResourceText } from '@listwatch/api';
import { BUILT_IN_KINDS, builtInKind } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { Clock, StorageEngine } from '@listwatch/storage';
import { writeProgressMarker } from '../cache/progress-marker.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { withEventTtl } from '../kinds/event-ttl.ts';
import { createRegistry, type ResourceRegistry } from '../kinds/resource-registry.ts';
import { withTlsPairWarnings } from '../kinds/tls-pair-warnings.ts';
import type { HealthCheck } from '../route/health.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { CountedEngine } from './counted-engine.ts';
import { StorageHealth } from './storage-health.ts';
import { StorageReach } from './storage-reach.ts';

/** Options of a {@link ServerStore}. */
export interface ServerStoreOptions
  extends Pick<ApiServerOptions, 'cacheLimits' | 'defaultWatchCacheSize' | 'eventTtlMs' | 'watchCacheSizes'> {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** Told of failures, and where they happened. */
  readonly report: (error: unknown, target: string) => void;
}

/** The store of one server. */
export class ServerStore {
  /** Counts and times what is asked of the store. */
  readonly engine: CountedEngine;
  readonly clock: Clock;
  readonly health: StorageHealth;
  /** Only `/readyz` fails when a shared store cannot be reached: clients use another server. A restart would not help. */
  readonly reach: readonly HealthCheck[];
  readonly registry: ResourceRegistry;
  readonly caches: StorageCaches;
  readonly report: ServerStoreOptions['report'];

  constructor(options: ServerStoreOptions) {
    const { clock, watchCacheSizes = {}, defaultWatchCacheSize, report } = options;
    const engine = new CountedEngine(options.engine);
    this.engine = engine;
    this.clock = clock;
    this.report = report;
    this.health = new StorageHealth({
      clock,
      probe: () => writeProgressMarker(engine),
      onFull: (error) => report(error, 'storage'),
    });
    engine.observer = this.health;
    this.reach = engine.capabilities.shared ? [reachCheck(new StorageReach(engine, clock))] : [];
    this.registry = createRegistry(withTlsPairWarnings(withEventTtl(BUILT_IN_KINDS, options.eventTtlMs)));
    this.caches = storageCaches({
      engine,
      definitions: this.registry,
      clock,
      window: ({ resource }) => ({
        minCapacity: watchCacheSizes[groupResourceText(resource)] ?? defaultWatchCacheSize,
      }),
      limits: options.cacheLimits,
      onError: (error) => report(error, 'storage feed'),
    });
  }

  /** The cache of a built-in kind. */
  readonly cacheOf = (type: TypeName): ResourceCache => this.caches.kind(builtInKind(type)).cache;

  /** Not by `builtInKind`: the registry adds warnings to Secrets. */
  get secretCache(): ResourceCache {
    const definition = this.registry.find('', 'v1', 'secrets');
    if (definition === undefined) throw new TypeError('there are no Secrets');
    return this.caches.kind(definition).cache;
  }
}

function reachCheck(reach: StorageReach): HealthCheck {
  return { name: 'etcd-readiness', check: () => reach.check(), isPublic: true, endpoints: ['readyz'] };
}
