/** ServiceCIDRs and IPAddresses, put together. Start here. */

import { DEFAULT_SERVICE_RANGE, firstServiceIp, parseServiceRange, type ServiceRange } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { Clock, StorageEngine } from '@listwatch/storage';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import { IpAddressKeeper, ipAddressOf } from './ip-address-keeper.ts';
import { registerServiceCidr, ServiceCidrController } from './service-cidr-controller.ts';
import { ServiceRanges } from './service-ranges.ts';

export interface ServiceNetworksParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly cacheOf: (type: TypeName) => ResourceCache;
  readonly newUid: () => string;
  readonly written?: Pick<WrittenObjects, 'add'> | undefined;
  readonly onError: (error: unknown) => void;
}

export class ServiceNetworks {
  readonly #parts: ServiceNetworksParts;
  readonly #ranges: ServiceRanges;
  readonly #keeper: IpAddressKeeper;
  readonly #controller: ServiceCidrController;

  constructor(parts: ServiceNetworksParts) {
    const { cacheOf } = parts;
    this.#parts = parts;
    this.#ranges = new ServiceRanges(cacheOf('networking/v1.ServiceCIDR'));
    this.#keeper = new IpAddressKeeper({
      ...parts,
      services: cacheOf('core/v1.Service'),
      addresses: cacheOf('networking/v1.IPAddress'),
      onRemoved: () => this.#controller.recheck(),
    });
    this.#controller = new ServiceCidrController({ ...parts, ranges: this.#ranges, keeper: this.#keeper });
    this.#ranges.onChange = (name) => {
      this.#controller.changed(name);
      this.#controller.recheck();
    };
  }

  /** Ranges that may give out addresses, the default one first. */
  get ranges(): readonly ServiceRange[] {
    return this.#ranges.ready;
  }

  /** Has somebody taken the address by an IPAddress of their own? */
  isForeign(ip: string): boolean {
    return this.#keeper.isForeign(ip);
  }

  /** Creates what every server has. Before the caches are filled. What is missing later is created by the controllers. */
  async register(isFirst: boolean): Promise<void> {
    if (!isFirst) return registerServiceCidr(this.#parts);
    const { engine, written } = this.#parts;
    const ip = firstServiceIp(parseServiceRange(DEFAULT_SERVICE_RANGE));
    const { key, made } = await ipAddressOf(this.#parts, ip, { namespace: 'default', name: 'kubernetes' });
    written?.add(key, made);
    await Promise.all([
      registerServiceCidr(this.#parts),
      engine.commit({ type: 'put', key, value: made.value, expected: 0n }),
    ]);
  }

  /** Once the caches are filled. */
  start(): void {
    this.#keeper.start();
    this.#controller.start();
  }

  async stop(): Promise<void> {
    await this.#controller.stop();
    await this.#keeper.stop();
  }
}
