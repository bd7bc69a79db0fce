/** The addresses and node ports of all Services in a cache, kept up to date by its changes. */

import { type ServiceAddresses, serviceAddresses } from '@listwatch/rules/internal';
import type { CacheGeneration, GenerationListener } from '../../cache/cache-generation.ts';
import { parseObject } from '../../cache/cached-object.ts';
import type { ObjectChange } from '../../cache/object-tree.ts';

/** Parses each Service once; a look-up costs nothing. Belongs to one generation of the cache. */
export class ServiceAddressIndex implements GenerationListener {
  readonly generation: CacheGeneration;
  readonly #byKey = new Map<string, ServiceAddresses>();
  /** How many Services have an address: a change may bring the new owner before the old one is gone. */
  readonly #ips = new Map<string, number>();
  readonly #nodePorts = new Map<number, number>();

  constructor(generation: CacheGeneration) {
    this.generation = generation;
    for (const { key, bytes } of generation.snapshot().walk()) this.#set(key, serviceAddresses(parseObject(bytes)));
    generation.listen(this);
  }

  hasIp(ip: string): boolean {
    return this.#ips.has(ip);
  }

  hasNodePort(port: number): boolean {
    return this.#nodePorts.has(port);
  }

  changed({ key, object }: ObjectChange): void {
    this.#set(key, object && serviceAddresses(parseObject(object.bytes)));
  }

  settled(): void {
    // The changes have been applied one by one.
  }

  ended(): void {
    // The next generation gets an index of its own.
  }

  #set(key: string, addresses: ServiceAddresses | undefined): void {
    const old = this.#byKey.get(key);
    if (addresses === undefined) this.#byKey.delete(key);
    else this.#byKey.set(key, addresses);
    for (const ip of addresses?.ips ?? []) count(this.#ips, ip, 1);
    for (const port of addresses?.nodePorts ?? []) count(this.#nodePorts, port, 1);
    for (const ip of old?.ips ?? []) count(this.#ips, ip, -1);
    for (const port of old?.nodePorts ?? []) count(this.#nodePorts, port, -1);
  }
}

function count<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
