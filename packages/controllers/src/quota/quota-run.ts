/** One run of the quota controller: from its start to its stop. */

import { isConflict, isNotFound, type Resource, resource } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { recordOf } from '@listwatch/api/values';
import { amountMap } from '@listwatch/rules/usage';
import { type Informer, workQueue } from '@listwatch/runtime';
import type { ControllerSurroundings } from '../built-in-controller.ts';
import { type CountedApiObject, CountedKinds, DISCOVERY_MS, type QuotaKind } from './counted-kinds.ts';
import { QuotaMonitors } from './quota-monitors.ts';
import { concernedKinds, countedStatus, type QuotaStatus, statusDifference } from './quota-usage.ts';

/** Every quota is counted again this often (kube-controller-manager): a change may have been missed. */
const RESYNC_MS = 300_000;
/** A server charges a quota before it writes the object: a count in between would give back what is about to be used. */
const CHARGE_MS = 1000;
/** Where objects are created all the time, what became free is given back after this long at the latest. */
const MAX_WAIT_MS = 10_000;

const quotas: Resource<CountedApiObject> = resource({
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
});

/** What is known of a quota beside the object. */
interface QuotaTimes {
  /** As it was when it was last looked at. */
  seen?: CountedApiObject;
  /** When somebody else raised its usage. */
  raisedAt?: number;
  /** Since when less is used than it says. */
  lowerSince?: number | undefined;
}

interface FoundKinds {
  readonly from: readonly QuotaKind[];
  readonly kinds: readonly QuotaKind[];
}

/** Counts one quota after the other. */
export class QuotaRun {
  readonly #surroundings: ControllerSurroundings;
  readonly #kinds: CountedKinds;
  readonly #monitors: QuotaMonitors;
  readonly #queue;
  readonly #informer: Informer<CountedApiObject>;
  readonly #times = new Map<string, QuotaTimes>();
  readonly #found = new WeakMap<CountedApiObject, FoundKinds>();

  constructor(surroundings: ControllerSurroundings) {
    const { cluster, informers, logger } = surroundings;
    this.#surroundings = surroundings;
    this.#kinds = new CountedKinds(cluster);
    this.#monitors = new QuotaMonitors(cluster, logger, (kind, namespace) => this.#used(kind, namespace));
    this.#queue = workQueue({ clock: cluster.clock, backoff: { initialMs: 5, maxMs: 60_000 } });
    this.#informer = informers.informer(quotas, { syncTimeoutMs: 0 });
  }

  /** The kinds that are watched. */
  get watchedKinds(): readonly string[] {
    return this.#monitors.names;
  }

  async run(): Promise<void> {
    const { cluster, signal, onReady } = this.#surroundings;
    const registration = this.#informer.on({
      add: ({ key }) => this.#queue.add(key),
      update: ({ key, object, old }) => this.#changed(key, object, old),
      delete: ({ key }) => this.#queue.add(key),
    });
    void this.#informer.synced.then(onReady, () => undefined);
    const resync = (): void => {
      for (const { metadata } of this.#informer.store.list()) this.#queue.add(keyOf(metadata));
      cancel = cluster.clock.after(RESYNC_MS, resync);
    };
    let cancel = cluster.clock.after(RESYNC_MS, resync);
    try {
      await this.#work(signal);
    } finally {
      cancel();
      this.#queue.close();
      await registration();
      await Promise.all([this.#monitors.close(), this.#informer.close()]);
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const item = await this.#queue.take(signal).catch(() => undefined);
      if (item === undefined) return;
      try {
        await this.#reconcile(item.key);
        this.#queue.forget(item.key);
      } catch (error) {
        if (signal.aborted) return;
        // The cache has the quota that won soon.
        if (!isConflict(error)) this.#surroundings.logger.warn({ quota: item.key, error }, 'cannot count a quota');
        this.#queue.retry(item.key);
      } finally {
        item.done();
      }
    }
  }

  async #reconcile(key: string): Promise<void> {
    const { cluster, signal } = this.#surroundings;
    const quota = this.#informer.store.get(key);
    await this.#follow();
    if (quota === undefined || quota.metadata.deletionTimestamp !== undefined) {
      this.#times.delete(key);
      return;
    }
    const status = await countedStatus(cluster, quota, this.#kinds, signal);
    // A kind of that name may be defined later.
    if (Object.keys(status.used).length < Object.keys(status.hard).length) this.#queue.addAfter(key, DISCOVERY_MS);
    const { isChanged, isLower } = statusDifference(quota, status);
    const times = this.#look(key, quota);
    times.lowerSince = isLower ? (times.lowerSince ?? monotonicMs(cluster.clock)) : undefined;
    if (!isChanged) return;
    if (isLower && this.#mustWait(times)) return this.#queue.addAfter(key, CHARGE_MS);
    await this.#write(quota, status);
    times.lowerSince = undefined;
  }

  /** Watches what some quota counts, before it is counted. */
  async #follow(): Promise<void> {
    const all = this.#informer.store.list();
    const kinds = all.length === 0 ? [] : await this.#kinds.read(this.#surroundings.signal);
    this.#monitors.follow([...new Set(all.flatMap((quota) => this.#concerned(quota, kinds)))]);
    await this.#monitors.ready();
  }

  /** The kinds of a quota, found once for each version of it. */
  #concerned(quota: CountedApiObject, kinds: readonly QuotaKind[]): readonly QuotaKind[] {
    const known = this.#found.get(quota);
    if (known?.from === kinds) return known.kinds;
    const found = { from: kinds, kinds: concernedKinds(quota, kinds) };
    this.#found.set(quota, found);
    return found.kinds;
  }

  #mustWait({ raisedAt = Number.NEGATIVE_INFINITY, lowerSince = 0 }: QuotaTimes): boolean {
    const now = monotonicMs(this.#surroundings.cluster.clock);
    return now - raisedAt < CHARGE_MS && now - lowerSince < MAX_WAIT_MS;
  }

  async #write(quota: CountedApiObject, status: QuotaStatus): Promise<void> {
    const { cluster, signal } = this.#surroundings;
    try {
      // With the version that was counted for: a charge that came meanwhile is a conflict.
      await cluster.update(quotas, { ...quota, status }, { subresource: 'status', signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #changed(key: string, object: CountedApiObject, old: CountedApiObject): void {
    this.#look(key, object);
    if (!sameHard(object, old)) this.#queue.add(key);
  }

  /** Notes when its usage was raised. The store may have a quota before the handlers hear of it. */
  #look(key: string, quota: CountedApiObject): QuotaTimes {
    const times = this.#times.get(key) ?? {};
    this.#times.set(key, times);
    const isRaised =
      times.seen !== undefined && statusDifference(quota, { hard: {}, used: textsOf(times.seen) }).isLower;
    if (isRaised) times.raisedAt = monotonicMs(this.#surroundings.cluster.clock);
    times.seen = quota;
    return times;
  }

  #used(kind: QuotaKind, namespace: string): void {
    for (const quota of this.#informer.store.list({ namespace })) {
      if (concernedKinds(quota, [kind]).length > 0) this.#queue.add(keyOf(quota.metadata));
    }
  }
}

function keyOf({ namespace = '', name }: CountedApiObject['metadata']): string {
  return `${namespace}/${name}`;
}

function textsOf({ status }: CountedApiObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(recordOf(recordOf(status)['used'])).map(([name, amount]) => [name, String(amount)]),
  );
}

function sameHard(left: CountedApiObject, right: CountedApiObject): boolean {
  const [one, other] = [left, right].map(({ spec }) => amountMap(recordOf(spec)['hard']));
  if (one === undefined || other === undefined || one.size !== other.size) return false;
  return [...one].every(([name, amount]) => other.get(name)?.compare(amount) === 0);
}
