/** Makes ServiceCIDRs ready, and lets deleted ones go when none of their addresses is in use. Every server runs one. */

import { recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { builtInKind, type KubeObject, wholeSeconds } from '@listwatch/rules/internal';
import type { Clock, StorageEngine } from '@listwatch/storage';
import { RetrySchedule } from '../crd/retry-schedule.ts';
import { serverOwners } from '../crd/server-owners.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import { layoutOf, storedObject } from '../stored/stored-object.ts';
import type { IpAddressKeeper } from './ip-address-keeper.ts';
import {
  CIDR_FINALIZER,
  containsAddress,
  containsRange,
  DEFAULT_CIDR_NAME,
  readServiceCidr,
} from './service-cidr-view.ts';
import type { ServiceRanges } from './service-ranges.ts';

/** So long after its deletion no server gives out addresses of it any more. As kube-controller-manager. */
const GRACE_MS = 10_000;
const TERMINATING = {
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

export interface ServiceCidrControllerParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  /** Of a ServiceCIDR `kubernetes` that is created. */
  readonly defaultCidrs: readonly string[];
  readonly ranges: ServiceRanges;
  readonly keeper: Pick<IpAddressKeeper, 'managed'>;
  readonly newUid: () => string;
  readonly onError: (error: unknown) => void;
}

export class ServiceCidrController {
  readonly #parts: ServiceCidrControllerParts;
  readonly #retries: RetrySchedule;
  readonly #timers = new Map<string, () => void>();
  readonly #queue = new Set<string>();
  #isStarted = false;
  #working: Promise<void> | undefined;

  constructor(parts: ServiceCidrControllerParts) {
    this.#parts = parts;
    this.#retries = new RetrySchedule(parts);
  }

  start(): void {
    this.#isStarted = true;
    for (const { name } of this.#parts.ranges.all) this.changed(name);
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#retries.stop();
    for (const cancel of this.#timers.values()) cancel();
    await this.#working;
  }

  changed(name: string): void {
    this.#queue.add(name);
    if (!this.#isStarted) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** An address is free again, or a range has come or gone: deletions may go on. */
  recheck(): void {
    for (const { name, deletedAt } of this.#parts.ranges.all) if (deletedAt !== undefined) this.changed(name);
  }

  async #work(): Promise<void> {
    // In another turn: this is called while the feed applies a change.
    await Promise.resolve();
    for (const name of this.#queue) {
      if (!this.#isStarted) return;
      this.#queue.delete(name);
      try {
        await this.#sync(name);
        this.#retries.succeeded(name);
      } catch (error) {
        this.#retries.failed(name, error, () => this.changed(name));
      }
    }
  }

  async #sync(name: string): Promise<void> {
    const { engine, clock } = this.#parts;
    const definition = builtInKind('networking/v1.ServiceCIDR');
    const key = storedObjectKey(definition, { namespace: '', name });
    for (;;) {
      const { entry } = await engine.get(key);
      if (entry === undefined) {
        if (name === DEFAULT_CIDR_NAME) await registerServiceCidr({ ...this.#parts, isAsked: false });
        return;
      }
      const object = storedObject(definition, entry);
      const expected = entry.modRevision;
      const { deletedAt } = readServiceCidr(object);
      const isInUse = deletedAt !== undefined && this.#isInUse(object);
      if (deletedAt !== undefined && !isInUse) {
        const wait = deletedAt + GRACE_MS - clock.now();
        if (wait > 0) return this.#later(name, wait);
      }
      const next = isInUse
        ? withReady(object, TERMINATING, clock.now())
        : deletedAt === undefined
          ? settled(object, clock.now())
          : withoutFinalizer(object);
      if (next === object) return;
      const isGone = deletedAt !== undefined && (next.metadata.finalizers ?? []).length === 0;
      const owned = await serverOwners({ clock, definition }, isInUse ? 'status' : '')(object, next);
      const value = layoutOf(definition).encode(owned);
      const { committed } = await engine.commit(
        isGone ? { type: 'delete', key, expected } : { type: 'put', key, value, expected },
      );
      if (committed) return;
    }
  }

  #later(name: string, ms: number): void {
    this.#timers.get(name)?.();
    this.#timers.set(
      name,
      this.#parts.clock.after(ms, () => this.changed(name)),
    );
  }

  /** Would an address be in no range any more? */
  #isInUse(object: KubeObject): boolean {
    const own = readServiceCidr(object);
    const others = [...this.#parts.ranges.all].filter(({ name }) => name !== own.name);
    if (own.cidrs.every((cidr) => others.some((other) => containsRange(other, cidr)))) return false;
    for (const ip of this.#parts.keeper.managed()) {
      if (containsAddress(own, ip) && !others.some((other) => containsAddress(other, ip))) return true;
    }
    return false;
  }
}

/**
 * Creates the ServiceCIDR `kubernetes`, ready. One that is there gets a second range when the first is the same; any other difference is
 * reported, and the stored one counts.
 */
export async function registerServiceCidr({
  engine,
  clock,
  defaultCidrs,
  newUid,
  onError,
  isAsked,
}: Pick<ServiceCidrControllerParts, 'clock' | 'defaultCidrs' | 'engine' | 'newUid' | 'onError'> & {
  /** Were the ranges given? A difference to the default is not reported. */
  readonly isAsked: boolean;
}): Promise<void> {
  const definition = builtInKind('networking/v1.ServiceCIDR');
  const key = storedObjectKey(definition, { namespace: '', name: DEFAULT_CIDR_NAME });
  const put = async (old: KubeObject | undefined, next: KubeObject, expected: bigint): Promise<void> => {
    const owned = await serverOwners({ clock, definition }, '')(old, next);
    await engine.commit({ type: 'put', key, value: layoutOf(definition).encode(owned), expected });
  };
  const { entry } = await engine.get(key);
  const now = clock.now();
  const spec = { cidrs: defaultCidrs };
  if (entry === undefined) {
    const metadata = { name: DEFAULT_CIDR_NAME, uid: newUid(), creationTimestamp: wholeSeconds(now), generation: 1 };
    return put(undefined, settled({ ...layoutOf(definition).type, metadata, spec }, now), 0n);
  }
  const stored = storedObject(definition, entry);
  const { cidrs } = readServiceCidr(stored);
  if (!isAsked || cidrs.join() === defaultCidrs.join()) return;
  const getsSecond = cidrs.length === 1 && defaultCidrs.length === 2 && cidrs[0] === defaultCidrs[0];
  if (getsSecond) {
    const metadata = { ...stored.metadata, generation: (stored.metadata.generation ?? 1) + 1 };
    return put(stored, { ...stored, metadata, spec }, entry.modRevision);
  }
  const text = `the ServiceCIDR ${DEFAULT_CIDR_NAME} has ${cidrs.join()}, not ${defaultCidrs.join()} as the server was told; it stays as it is`;
  onError(new Error(text));
}

/** With its finalizer, and ready. */
function settled(object: KubeObject, now: number): KubeObject {
  const { finalizers = [], name } = object.metadata;
  const held = finalizers.includes(CIDR_FINALIZER)
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, CIDR_FINALIZER] } };
  const known = readyOf(object);
  // The default one is ready from its creation on; whoever says otherwise has a reason.
  if (name === DEFAULT_CIDR_NAME && known !== undefined) return held;
  const message = `Kubernetes ${name === DEFAULT_CIDR_NAME ? 'default ' : ''}Service CIDR is ready`;
  return withReady(held, { status: 'True', reason: '', message }, now);
}

function withReady(
  object: KubeObject,
  { status, reason, message }: { readonly status: string; readonly reason: string; readonly message: string },
  now: number,
): KubeObject {
  const known = readyOf(object);
  if (known !== undefined && known['status'] === status && textOf(known['message']) === message) return object;
  const lastTransitionTime = known?.['status'] === status ? known['lastTransitionTime'] : wholeSeconds(now);
  const made = { type: 'Ready', status, lastTransitionTime, reason, message };
  const others = recordsOf(recordOf(object['status'])['conditions']).filter(({ type }) => type !== 'Ready');
  return { ...object, status: { ...recordOf(object['status']), conditions: [...others, made] } };
}

function readyOf(object: KubeObject): Readonly<Record<string, unknown>> | undefined {
  return recordsOf(recordOf(object['status'])['conditions']).find(({ type }) => type === 'Ready');
}

function withoutFinalizer(object: KubeObject): KubeObject {
  const { finalizers = [] } = object.metadata;
  if (!finalizers.includes(CIDR_FINALIZER)) return object;
  const { finalizers: _, ...metadata } = object.metadata;
  const left = finalizers.filter((one) => one !== CIDR_FINALIZER);
  return { ...object, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
}
