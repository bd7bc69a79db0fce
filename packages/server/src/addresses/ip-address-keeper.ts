/** Keeps an IPAddress for each cluster IP of a Service. Every server runs one; what another has done already is left alone. */

import { recordOf, textOf } from '@listwatch/api/values';
import { builtInKind, type KubeObject, serviceAddresses, wholeSeconds } from '@listwatch/rules/internal';
import type { Clock, StorageEngine } from '@listwatch/storage';
import type { CacheGeneration, GenerationListener } from '../cache/cache-generation.ts';
import { parseObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { serverOwners } from '../crd/server-owners.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { layoutOf, storedObject, writtenObject } from '../stored/stored-object.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import type { ServicePlace } from '../write/admission/service-admission.ts';

const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
const FAMILY = 'ipaddress.kubernetes.io/ip-family';
const ALLOCATOR = 'ipallocator.k8s.io';
const RETRY_MS = 1000;

export interface IpAddressKeeperParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly services: ResourceCache;
  readonly addresses: ResourceCache;
  readonly newUid: () => string;
  readonly written?: Pick<WrittenObjects, 'add'> | undefined;
  readonly onError: (error: unknown) => void;
  /** An IPAddress is gone. */
  readonly onRemoved: () => void;
}

/** Works off one address after the other; requests have theirs worked on before they are answered. */
export class IpAddressKeeper {
  readonly #parts: IpAddressKeeperParts;
  /** Addresses to look at. */
  readonly #queue = new Set<string>();
  /** By address: the Services that have it. Two may, for the moment in which one follows the other. */
  readonly #users = new Map<string, Set<string>>();
  /** By key of a Service: its addresses. */
  readonly #used = new Map<string, readonly string[]>();
  /** Being created now, by address. */
  readonly #creating = new Map<string, Promise<void>>();
  #isStarted = false;
  #working: Promise<void> | undefined;

  constructor(parts: IpAddressKeeperParts) {
    this.#parts = parts;
    follow(parts.services, (generation) => this.#readServices(generation), {
      changed: ({ key, object }) => this.#setService(key, object && serviceAddresses(parseObject(object.bytes)).ips),
      settled: () => this.#run(),
      ended: () => undefined,
    });
    follow(parts.addresses, (generation) => this.#readAddresses(generation), {
      changed: ({ key, object, previous }) => {
        if (object === undefined) parts.onRemoved();
        if (object === undefined || previous === undefined) this.#queue.add(key);
      },
      settled: () => this.#run(),
      ended: () => undefined,
    });
  }

  /** Is it taken by an IPAddress that no server made for a Service? */
  isForeign(ip: string): boolean {
    const found = this.#parts.addresses.generation?.get(ip);
    return found !== undefined && found.labels?.[MANAGED_BY] !== ALLOCATOR;
  }

  /** The addresses that servers have made, for the deletion of a ServiceCIDR. */
  *managed(): Generator<string> {
    for (const { name, labels } of this.#parts.addresses.generation?.snapshot().walk() ?? []) {
      if (labels?.[MANAGED_BY] === ALLOCATOR) yield name;
    }
  }

  /** Creates the IPAddress of a Service that was just committed. Never rejects: what fails is tried again later. */
  async create(ip: string, service: ServicePlace): Promise<void> {
    try {
      await this.#create(ip, service);
    } catch (error) {
      this.#failed(ip, error);
    }
  }

  /** Deletes the IPAddress of a Service that was just deleted. Never rejects: what fails is tried again later. */
  async remove(ip: string): Promise<void> {
    try {
      await this.#remove(ip);
    } catch (error) {
      this.#failed(ip, error);
    }
  }

  start(): void {
    this.#isStarted = true;
    this.#run();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    await this.#working;
  }

  #readServices(generation: CacheGeneration): void {
    const gone = new Set(this.#used.keys());
    for (const { key, bytes } of generation.snapshot().walk()) {
      gone.delete(key);
      this.#setService(key, serviceAddresses(parseObject(bytes)).ips);
    }
    for (const key of gone) this.#setService(key, undefined);
    this.#run();
  }

  #readAddresses(generation: CacheGeneration): void {
    for (const { name, labels } of generation.snapshot().walk()) {
      if (labels?.[MANAGED_BY] === ALLOCATOR && !this.#users.has(name)) this.#queue.add(name);
    }
    for (const ip of this.#users.keys()) if (generation.get(ip) === undefined) this.#queue.add(ip);
    this.#run();
  }

  #setService(key: string, ips: readonly string[] = []): void {
    const before = this.#used.get(key) ?? [];
    if (ips.length === 0) this.#used.delete(key);
    else this.#used.set(key, ips);
    for (const ip of before.filter((one) => !ips.includes(one))) {
      const users = this.#users.get(ip);
      users?.delete(key);
      if (users?.size === 0) this.#users.delete(ip);
      this.#queue.add(ip);
    }
    for (const ip of ips.filter((one) => !before.includes(one))) {
      this.#users.set(ip, (this.#users.get(ip) ?? new Set<string>()).add(key));
      if (this.#parts.addresses.generation?.get(ip) === undefined) this.#queue.add(ip);
    }
  }

  #run(): void {
    if (!this.#isStarted || this.#queue.size === 0) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  async #work(): Promise<void> {
    // In another turn: this is called while the feed applies a change.
    await Promise.resolve();
    for (const ip of this.#queue) {
      if (!this.#isStarted) return;
      this.#queue.delete(ip);
      const [service] = this.#users.get(ip) ?? [];
      const [namespace = '', name = ''] = service?.split('/') ?? [];
      await (service === undefined ? this.remove(ip) : this.create(ip, { namespace, name }));
    }
  }

  #failed(ip: string, error: unknown): void {
    this.#parts.onError(error);
    this.#parts.clock.after(RETRY_MS, () => {
      this.#queue.add(ip);
      this.#run();
    });
  }

  /** Once at a time for each address: the request that made the Service and the feed that shows it come together. */
  #create(ip: string, service: ServicePlace): Promise<void> {
    const known = this.#creating.get(ip);
    if (known !== undefined) return known;
    const creating = this.#commit(ip, service).finally(() => this.#creating.delete(ip));
    this.#creating.set(ip, creating);
    return creating;
  }

  async #commit(ip: string, service: ServicePlace): Promise<void> {
    const { written, addresses } = this.#parts;
    const known = addresses.generation?.get(ip);
    if (known !== undefined) {
      // That of a Service which had the address before may not stay for the next one.
      if (known.labels?.[MANAGED_BY] !== ALLOCATOR || isOf(parseObject(known.bytes), service)) return;
      await this.#remove(ip);
    }
    const { key, made } = await ipAddressOf(this.#parts, ip, service);
    written?.add(key, made);
    await this.#parts.engine.commit({ type: 'put', key, value: made.value, expected: 0n });
  }

  /** Only one that a server made, and only when its Service has the address no more. */
  async #remove(ip: string): Promise<void> {
    const { engine } = this.#parts;
    const definition = builtInKind('networking/v1.IPAddress');
    const key = storedObjectKey(definition, { namespace: '', name: ip });
    const { entry } = await engine.get(key);
    if (entry === undefined) return;
    const object = storedObject(definition, entry);
    if (object.metadata.labels?.[MANAGED_BY] !== ALLOCATOR || object.metadata.deletionTimestamp !== undefined) return;
    const services = builtInKind('core/v1.Service');
    const service = (await engine.get(storedObjectKey(services, parentOf(object)))).entry;
    if (service !== undefined && serviceAddresses(storedObject(services, service)).ips.includes(ip)) return;
    await engine.commit({ type: 'delete', key, expected: entry.modRevision });
  }
}

function parentOf(object: KubeObject): ServicePlace {
  const { namespace, name } = recordOf(recordOf(object['spec'])['parentRef']);
  return { namespace: textOf(namespace), name: textOf(name) };
}

function isOf(object: KubeObject, service: ServicePlace): boolean {
  const { namespace, name } = parentOf(object);
  return namespace === service.namespace && name === service.name;
}

/** The IPAddress of a Service, and its key. */
export async function ipAddressOf(
  { clock, newUid }: Pick<IpAddressKeeperParts, 'clock' | 'newUid'>,
  ip: string,
  service: ServicePlace,
): Promise<{ readonly key: string; readonly made: ReturnType<typeof writtenObject> }> {
  const definition = builtInKind('networking/v1.IPAddress');
  const object: KubeObject = {
    ...layoutOf(definition).type,
    metadata: {
      name: ip,
      uid: newUid(),
      creationTimestamp: wholeSeconds(clock.now()),
      labels: { [FAMILY]: ip.includes(':') ? 'IPv6' : 'IPv4', [MANAGED_BY]: ALLOCATOR },
      generation: 1,
    },
    spec: { parentRef: { group: '', resource: 'services', namespace: service.namespace, name: service.name } },
  };
  const owned = await serverOwners({ clock, definition }, '')(undefined, object);
  return { key: storedObjectKey(definition, { namespace: '', name: ip }), made: writtenObject(definition, owned) };
}

function follow(
  cache: ResourceCache,
  begun: (generation: CacheGeneration) => void,
  listener: GenerationListener,
): void {
  const before = cache.onGeneration;
  cache.onGeneration = (generation) => {
    before?.(generation);
    begun(generation);
    generation.listen(listener);
  };
}
