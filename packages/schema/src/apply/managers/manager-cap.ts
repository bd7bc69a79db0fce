/** Keeps the number of managers of updates within its limit. */

import { compareBytes } from '../fields/byte-order.ts';
import { type ManagedEntry, type Managers, managerIdentity, secondsOf } from './managed-entry.ts';

const MAX_UPDATE_MANAGERS = 10;
const ANCIENT_CHANGES = 'ancient-changes';

/** Unites the oldest updates of each version in one entry, until there are no more than ten. Applies are not counted. */
export function capUpdateManagers(managers: Managers): Managers {
  const updates = [...managers].filter(([, { operation }]) => operation === 'Update');
  let count = updates.length;
  if (count <= MAX_UPDATE_MANAGERS) return managers;
  const capped = new Map(managers);
  const firsts = new Map<string, string>();
  for (const [identity, entry] of updates.toSorted(byAge)) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const { apiVersion } = entry;
    const first = firsts.get(apiVersion);
    if (first === undefined) {
      firsts.set(apiVersion, identity);
      continue;
    }
    unite(capped, first, identity, entry);
    count -= 1;
  }
  return capped;
}

function byAge([one, { time: oneTime }]: [string, ManagedEntry], [other, { time }]: [string, ManagedEntry]): number {
  return secondsOf(oneTime) - secondsOf(time) || compareBytes(one, other);
}

/** Moves an entry into the one of ancient changes, which begins with the first entry of the version. */
function unite(managers: Map<string, ManagedEntry>, first: string, identity: string, entry: ManagedEntry): void {
  const info = {
    manager: ANCIENT_CHANGES,
    operation: 'Update',
    apiVersion: entry.apiVersion,
    subresource: '',
  } as const;
  const bucket = managerIdentity(info);
  const base = managers.get(bucket) ?? managers.get(first);
  if (!managers.has(bucket)) managers.delete(first);
  const fields = base === undefined ? entry.fields : entry.fields.union(base.fields);
  managers.set(bucket, { ...info, fields, time: entry.time });
  managers.delete(identity);
}
