/** The ranges that Services get their addresses from: the default one and those of ServiceCIDRs. */

import { DEFAULT_SERVICE_RANGE, parseServiceRange, type ServiceRange } from '@listwatch/rules/internal';
import { CacheFollower } from '../cache/cache-follower.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { DEFAULT_CIDR_NAME, readServiceCidr, type ServiceCidr } from './service-cidr-view.ts';

/** Follows the ServiceCIDRs of the cache. */
export class ServiceRanges {
  readonly #default: ServiceRange = parseServiceRange(DEFAULT_SERVICE_RANGE);
  readonly #known = new Map<string, ServiceCidr>();
  readonly #follower: CacheFollower;
  #ready: readonly ServiceRange[] | undefined;
  /** Told of each ServiceCIDR that was created, changed or deleted. */
  onChange: ((name: string) => void) | undefined;

  constructor(cache: ResourceCache) {
    this.#follower = new CacheFollower(cache, {
      set: (object) => {
        const cidr = readServiceCidr(object);
        this.#known.set(cidr.name, cidr);
        this.#changed(cidr.name);
      },
      remove: (_, name) => {
        this.#known.delete(name);
        this.#changed(name);
      },
    });
    cache.onGeneration = () => this.#follower.catchUp();
  }

  get all(): Iterable<ServiceCidr> {
    return this.#known.values();
  }

  get(name: string): ServiceCidr | undefined {
    return this.#known.get(name);
  }

  /** The default one first. Ranges of IPv6 and of fewer than two addresses give out none. */
  get ready(): readonly ServiceRange[] {
    this.#ready ??= [this.#default, ...[...this.#known.values()].flatMap(usableRanges)];
    return this.#ready;
  }

  #changed(name: string): void {
    this.#ready = undefined;
    this.onChange?.(name);
  }
}

function usableRanges({ name, cidrs, isReady, deletedAt }: ServiceCidr): readonly ServiceRange[] {
  if (name === DEFAULT_CIDR_NAME || !isReady || deletedAt !== undefined) return [];
  return cidrs.flatMap((cidr) => {
    try {
      return [parseServiceRange(cidr)];
    } catch {
      return [];
    }
  });
}
