/** ServiceCIDRs and IPAddresses, put together. Start here. */

import { builtInKind, firstServiceIp, type IpFamily, type ServiceRange } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { Clock, StorageEngine } from '@listwatch/storage';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { storedObject } from '../stored/stored-object.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import type { ServicePlace } from '../write/admission/service-admission.ts';
import { IpAddressKeeper, ipAddressOf } from './ip-address-keeper.ts';
import { registerServiceCidr, ServiceCidrController } from './service-cidr-controller.ts';
import { DEFAULT_CIDR_NAME, readServiceCidr } from './service-cidr-view.ts';
import { configuredRanges, rangesOf, ServiceRanges } from './service-ranges.ts';

export interface ServiceNetworksParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly cacheOf: (type: TypeName) => ResourceCache;
  readonly newUid: () => string;
  readonly written?: Pick<WrittenObjects, 'add'> | undefined;
  /** Of the ServiceCIDR `kubernetes`, the primary one first. Default: 10.96.0.0/12. */
  readonly cidrs: readonly string[] | undefined;
  readonly onError: (error: unknown) => void;
}

export class ServiceNetworks {
  readonly #parts: ServiceNetworksParts;
  readonly #configured: readonly ServiceRange[];
  readonly #ranges: ServiceRanges;
  readonly #keeper: IpAddressKeeper;
  readonly #controller: ServiceCidrController;

  constructor(parts: ServiceNetworksParts) {
    const { cacheOf } = parts;
    this.#parts = parts;
    this.#configured = configuredRanges(parts.cidrs);
    this.#ranges = new ServiceRanges(cacheOf('networking/v1.ServiceCIDR'), this.#configured);
    this.#keeper = new IpAddressKeeper({
      ...parts,
      services: cacheOf('core/v1.Service'),
      addresses: cacheOf('networking/v1.IPAddress'),
      onRemoved: () => this.#controller.recheck(),
    });
    const { defaultCidrs } = this;
    this.#controller = new ServiceCidrController({
      ...parts,
      defaultCidrs,
      ranges: this.#ranges,
      keeper: this.#keeper,
    });
    this.#ranges.onChange = (name) => {
      this.#controller.changed(name);
      this.#controller.recheck();
    };
  }

  /** Ranges that may give out addresses, the default one first. */
  get ranges(): readonly ServiceRange[] {
    return this.#ranges.ready;
  }

  /** The families that Services may have, the primary one first. */
  get families(): readonly IpFamily[] {
    return this.#ranges.families;
  }

  get defaultCidrs(): readonly string[] {
    return this.#configured.map(({ cidr }) => cidr);
  }

  /** The range of the address of the Service `kubernetes`: that of the stored ServiceCIDR, before the caches are filled. */
  async primaryRange(isFirst: boolean): Promise<ServiceRange | undefined> {
    const [configured] = this.#configured;
    if (isFirst) return configured;
    const definition = builtInKind('networking/v1.ServiceCIDR');
    const key = storedObjectKey(definition, { namespace: '', name: DEFAULT_CIDR_NAME });
    const { entry } = await this.#parts.engine.get(key);
    const [stored] = entry === undefined ? [] : rangesOf(readServiceCidr(storedObject(definition, entry)));
    return stored ?? configured;
  }

  /** Has somebody taken the address by an IPAddress of their own? */
  isForeign(ip: string): boolean {
    return this.#keeper.isForeign(ip);
  }

  /** Creates the IPAddresses of a Service: who reads the answer finds them. What fails is tried again by the keeper. */
  async publish(service: ServicePlace, ips: readonly string[]): Promise<void> {
    await Promise.all(ips.map((ip) => this.#keeper.create(ip, service)));
  }

  /** Deletes the IPAddresses of a Service that is gone. */
  async withdraw(ips: readonly string[]): Promise<void> {
    await Promise.all(ips.map((ip) => this.#keeper.remove(ip)));
  }

  /** Creates what every server has. Before the caches are filled. What is missing later is created by the controllers. */
  async register(isFirst: boolean): Promise<void> {
    const { engine, written, cidrs } = this.#parts;
    const registered = { ...this.#parts, defaultCidrs: this.defaultCidrs, isAsked: cidrs !== undefined };
    const [primary] = this.#configured;
    if (!isFirst || primary === undefined) return registerServiceCidr(registered);
    const ip = firstServiceIp(primary);
    const { key, made } = await ipAddressOf(this.#parts, ip, { namespace: 'default', name: 'kubernetes' });
    written?.add(key, made);
    await Promise.all([
      registerServiceCidr(registered),
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
