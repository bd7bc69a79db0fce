/** Keeps the number of managers of updates within its limit. */

import { compareByteOrder } from '../fields/byte-order.ts';
import { FieldSet } from '../fields/field-set.ts';
import { type ManagedEntry, type ManagerInfo, type Managers, managerIdentity, secondsOf } from './managed-entry.ts';

const MAX_UPDATE_MANAGERS = 10;
const ANCIENT_CHANGES = 'ancient-changes';

/** Unites the oldest updates of each version in one entry, until there are no more than ten. Applies are not counted. */
export function capUpdateManagers(managers: Managers): Managers {
  const updates = [...managers].filter(([, { operation }]) => operation === 'Update');
  let count = updates.length;
  if (count <= MAX_UPDATE_MANAGERS) return managers;
  const capped = new Map(managers);
  const buckets = new Map<string, Bucket>();
  for (const [identity, entry] of updates.toSorted(byAge)) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const { apiVersion } = entry;
    const bucket = buckets.get(apiVersion);
    if (bucket === undefined) {
      buckets.set(apiVersion, new Bucket(identity, apiVersion));
      continue;
    }
    bucket.take(capped, identity, entry);
    count -= 1;
  }
  for (const bucket of buckets.values()) bucket.close(capped);
  return capped;
}

function byAge([one, { time: oneTime }]: [string, ManagedEntry], [other, { time }]: [string, ManagedEntry]): number {
  return secondsOf(oneTime) - secondsOf(time) || compareByteOrder(one, other);
}

/** The ancient changes of one version. */
class Bucket {
  readonly #first: string;
  readonly #info: ManagerInfo;
  readonly #identity: string;
  readonly #sets: FieldSet[] = [];
  #time: string | undefined;

  /** `first` is the oldest update of the version. */
  constructor(first: string, apiVersion: string) {
    this.#first = first;
    this.#info = { manager: ANCIENT_CHANGES, operation: 'Update', apiVersion, subresource: '' };
    this.#identity = managerIdentity(this.#info);
  }

  /** Moves an entry in. The bucket begins with the entry of ancient changes that is there, or else with the first one. */
  take(managers: Map<string, ManagedEntry>, identity: string, entry: ManagedEntry): void {
    if (this.#sets.length === 0) {
      const base = managers.has(this.#identity) ? this.#identity : this.#first;
      this.#sets.push(managers.get(base)?.fields ?? FieldSet.EMPTY);
      managers.delete(base);
    }
    this.#sets.push(entry.fields);
    this.#time = entry.time;
    managers.delete(identity);
    // Kubernetes drops a bucket that is itself among the entries to move.
    if (identity === this.#identity) this.#sets.length = 0;
  }

  /** Puts the entry of all that was taken. */
  close(managers: Map<string, ManagedEntry>): void {
    if (this.#sets.length === 0) return;
    managers.set(this.#identity, { ...this.#info, fields: FieldSet.union(this.#sets), time: this.#time });
  }
}
