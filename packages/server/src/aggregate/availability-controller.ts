/** Keeps the condition `Available` of APIServices up to date. Every server runs one, as every kube-apiserver does. */

import type { CancelTimer, Clock, StorageEngine } from '@listwatch/storage';
import { type ServerOwners, serverOwners } from '../crd/server-owners.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { storedObject, writtenObject } from '../stored/stored-object.ts';
import type { WrittenObjects } from '../stored/written-objects.ts';
import type { ApiServiceTable } from './api-service-table.ts';
import { isRemote, isServedHere, type RemoteApiService, readApiService } from './api-service-view.ts';
import {
  type Availability,
  discoveryPath,
  discoveryUrl,
  failedDiscovery,
  localAvailability,
  PASSED,
  unavailable,
  withAvailability,
} from './availability.ts';
import { type BackendAddress, checkedAddresses } from './backend-address.ts';
import { readDocument } from './backend-document.ts';
import type { BackendFinder } from './backend-finder.ts';
import type { BackendPool } from './backend-pool.ts';

const RECHECK_MS = 30_000;
const FIRST_RETRY_MS = 5;
/** Names and reasons that are counted; those of APIServices that come and go make room. */
const FAILURES_MAX = 1000;

export interface AvailabilityControllerParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly definition: ResourceDefinition;
  readonly table: ApiServiceTable;
  readonly finder: BackendFinder;
  readonly poolOf: (service: RemoteApiService) => BackendPool | undefined;
  readonly written?: Pick<WrittenObjects, 'add'> | undefined;
  readonly onError: (error: unknown) => void;
  /** Does this server itself serve the version? */
  readonly isServed: (group: string, version: string) => boolean;
  /** A backend has passed its check. */
  readonly onPassed: (name: string) => void;
}

interface Watched {
  failures: number;
  isRunning: boolean;
  isDirty: boolean;
  last?: Availability;
  cancel?: CancelTimer | undefined;
}

/** Checks each APIService after a change, every 30 s, and after a failed discovery with a backoff from 5 ms. */
export class AvailabilityController {
  readonly #parts: AvailabilityControllerParts;
  readonly #watched = new Map<string, Watched>();
  readonly #withOwners: ServerOwners;
  /** Changes to unavailable, by name and reason. */
  readonly failures: Map<string, { readonly name: string; readonly reason: string; count: number }> = new Map();
  #isRunning = false;

  constructor(parts: AvailabilityControllerParts) {
    this.#parts = parts;
    this.#withOwners = serverOwners(parts, 'status');
  }

  start(): void {
    this.#isRunning = true;
    for (const { name } of this.#parts.table.all) this.check(name);
  }

  stop(): void {
    this.#isRunning = false;
    for (const { cancel } of this.#watched.values()) cancel?.();
    this.#watched.clear();
  }

  /** 1 for each APIService that is not available, 0 for the others. */
  get unavailable(): ReadonlyMap<string, 0 | 1> {
    return new Map([...this.#watched].map(([name, { last }]) => [name, last?.status === 'True' ? 0 : 1]));
  }

  /** The Service of these has changed. */
  serviceChanged(namespace: string, name: string): void {
    for (const { name: api, service } of this.#parts.table.remotes) {
      if (service.namespace === namespace && service.name === name) this.check(api);
    }
  }

  forget(name: string): void {
    this.#watched.get(name)?.cancel?.();
    this.#watched.delete(name);
  }

  /** Checks it now, or again when a check is under way. */
  check(name: string): void {
    if (!this.#isRunning) return;
    const watched = this.#watched.get(name) ?? { failures: 0, isRunning: false, isDirty: false };
    this.#watched.set(name, watched);
    if (watched.isRunning) {
      watched.isDirty = true;
      return;
    }
    watched.cancel?.();
    watched.isRunning = true;
    void this.#run(name, watched);
  }

  async #run(name: string, watched: Watched): Promise<void> {
    // In another turn: this is called while the feed applies a change.
    await Promise.resolve();
    let pause = RECHECK_MS;
    try {
      watched.isDirty = false;
      const outcome = await this.#outcome(name);
      if (outcome !== undefined) {
        await this.#write(name, outcome);
        this.#count(name, watched, outcome);
        if (outcome.reason === 'FailedDiscoveryCheck') pause = this.#backoff(watched);
        else watched.failures = 0;
        if (outcome === PASSED) this.#parts.onPassed(name);
      }
    } catch (error) {
      pause = this.#backoff(watched);
      if (this.#isRunning) this.#parts.onError(error);
    }
    watched.isRunning = false;
    if (!this.#isRunning || this.#watched.get(name) !== watched) return;
    if (watched.isDirty) return this.check(name);
    if (this.#parts.table.get(name)?.service === undefined) return;
    watched.cancel = this.#parts.clock.after(pause, () => this.check(name));
  }

  #backoff(watched: Watched): number {
    watched.failures += 1;
    return Math.min(RECHECK_MS, FIRST_RETRY_MS * 2 ** Math.min(watched.failures - 1, 20));
  }

  #count(name: string, watched: Watched, outcome: Availability): void {
    const before = watched.last;
    watched.last = outcome;
    if (outcome.status === 'True' || (before?.status === outcome.status && before.reason === outcome.reason)) return;
    const key = `${name} ${outcome.reason}`;
    const known = this.failures.get(key) ?? { name, reason: outcome.reason, count: 0 };
    known.count += 1;
    this.failures.set(key, known);
    const [oldest] = this.failures.keys();
    if (this.failures.size > FAILURES_MAX && oldest !== undefined) this.failures.delete(oldest);
  }

  async #outcome(name: string): Promise<Availability | undefined> {
    const { table, finder, poolOf, clock } = this.#parts;
    const service = table.get(name);
    if (service === undefined) return undefined;
    // At a start there is one for each group: the store need not be read for what the cache shows.
    if (!isRemote(service)) return service.isKnownLocal ? undefined : localAvailability(clock.now());
    if (isServedHere(service.service)) return this.#servedHere(service);
    const place = finder.find(service.service);
    if (place.type === 'problem') return unavailable(place.problem);
    const pool = poolOf(service);
    const addresses = checkedAddresses(place.addresses);
    const [first] = addresses;
    if (first === undefined) return undefined;
    if (pool === undefined) return failedDiscovery(discoveryUrl(service, first), 'aggregation is switched off');
    return this.#discovered(service, pool, addresses);
  }

  /** What this server says of itself when it is asked for the version. */
  #servedHere(service: RemoteApiService): Availability {
    if (this.#parts.isServed(service.group, service.version)) return PASSED;
    const url = discoveryUrl(service, { host: 'localhost', port: service.service.port, isExternal: false });
    return failedDiscovery(url, `bad status from ${url}: 404`);
  }

  /** One good answer is enough, else the last failure counts. */
  async #discovered(
    service: RemoteApiService,
    pool: BackendPool,
    addresses: readonly BackendAddress[],
  ): Promise<Availability> {
    let failure = PASSED;
    const asked = addresses.map(async (address) => {
      const url = discoveryUrl(service, address);
      try {
        const request = { path: discoveryPath(service), user: 'system:kube-aggregator', maxBytes: 0 } as const;
        const { status } = await readDocument(pool, address, this.#parts.clock, request);
        if (status >= 200 && status < 300) return PASSED;
        failure = failedDiscovery(url, `bad status from ${url}: ${status}`);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        failure = failedDiscovery(url, `Get "${url}": ${reason}`);
      }
      throw new Error(failure.message);
    });
    return Promise.any(asked).catch(() => failure);
  }

  async #write(name: string, outcome: Availability): Promise<void> {
    const { engine, clock, definition, written } = this.#parts;
    const key = storedObjectKey(definition, { namespace: '', name });
    for (;;) {
      const { entry } = await engine.get(key);
      if (entry === undefined) return;
      const object = storedObject(definition, entry);
      // Its backend has become another one since the check: the change of it brings the next.
      if (isRemote(readApiService(object)) !== (outcome.reason !== 'Local')) return;
      const next = withAvailability(object, outcome, clock.now());
      if (next === object) return;
      const made = writtenObject(definition, await this.#withOwners(object, next));
      written?.add(key, made);
      const { committed } = await engine.commit({ type: 'put', key, value: made.value, expected: entry.modRevision });
      if (committed) return;
    }
  }
}
