/** The ranges that Services get their addresses from: those of the ServiceCIDR `kubernetes`, and of the others. */

import { DEFAULT_SERVICE_RANGE, type IpFamily, parseServiceRange, type ServiceRange } from '@listwatch/rules/internal';
import { CacheFollower } from '../cache/cache-follower.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { DEFAULT_CIDR_NAME, readServiceCidr, type ServiceCidr } from './service-cidr-view.ts';

/** Reads the option: one range, or one of each family, the primary one first. Throws a TypeError for anything else. */
export function configuredRanges(cidrs: readonly string[] = [DEFAULT_SERVICE_RANGE]): readonly ServiceRange[] {
  const ranges = cidrs.map(parseServiceRange);
  if (ranges.length < 1 || ranges.length > 2 || familiesOf(ranges).length !== ranges.length) {
    throw new TypeError('serviceClusterIpRanges: one range, or one of IPv4 and one of IPv6');
  }
  return ranges;
}

/** Follows the ServiceCIDRs of the cache. */
export class ServiceRanges {
  readonly #configured: readonly ServiceRange[];
  readonly #known = new Map<string, ServiceCidr>();
  readonly #follower: CacheFollower;
  #ready: readonly ServiceRange[] | undefined;
  /** Told of each ServiceCIDR that was created, changed or deleted. */
  onChange: ((name: string) => void) | undefined;

  constructor(cache: ResourceCache, configured: readonly ServiceRange[]) {
    this.#configured = configured;
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

  /** The ranges of `kubernetes` first. Ranges without usable addresses give out none. */
  get ready(): readonly ServiceRange[] {
    this.#ready ??= [...this.#defaults, ...[...this.#known.values()].flatMap(addedRanges)];
    return this.#ready;
  }

  /** The ranges of `kubernetes`, the primary one first: a range of another family gives out nothing. */
  get families(): readonly IpFamily[] {
    return familiesOf(this.#defaults);
  }

  /** The object decides: servers that were started with another range would else give out addresses of two. */
  get #defaults(): readonly ServiceRange[] {
    const stored = this.#known.get(DEFAULT_CIDR_NAME);
    const ranges = stored === undefined ? [] : rangesOf(stored);
    return ranges.length === 0 ? this.#configured : ranges;
  }

  #changed(name: string): void {
    this.#ready = undefined;
    this.onChange?.(name);
  }
}

/** The ranges of a ServiceCIDR that have usable addresses. */
export function rangesOf({ cidrs }: Pick<ServiceCidr, 'cidrs'>): readonly ServiceRange[] {
  return cidrs.flatMap((cidr) => {
    try {
      return [parseServiceRange(cidr)];
    } catch {
      return [];
    }
  });
}

function addedRanges(cidr: ServiceCidr): readonly ServiceRange[] {
  return cidr.name === DEFAULT_CIDR_NAME || !cidr.isReady || cidr.deletedAt !== undefined ? [] : rangesOf(cidr);
}

function familiesOf(ranges: readonly ServiceRange[]): readonly IpFamily[] {
  return [...new Set(ranges.map(({ family }) => family))];
}
