/** Drops owner references that an object has twice, with the warning that Kubernetes gives. */

import { extended, type JsonRecord, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';

/** kube-apiserver checks patches later than other writes, and its warning says so. */
export type OwnerCheckTime = 'after mutating admission happens' | '';

/** The object without duplicate references, and a warning about the dropped ones. */
export interface DistinctOwners {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

/** How many uids a warning names. */
const SHOWN_MAX = 100;

/** References are equal when all their members are; the same uid with another name stays, as in Kubernetes. */
export function distinctOwners(object: KubeObject, time: OwnerCheckTime = ''): DistinctOwners {
  const references = recordsOf(object.metadata['ownerReferences']);
  if (references.length < 2) return { object, warnings: [] };
  const byUid = new Map<string, JsonRecord[]>();
  const kept: JsonRecord[] = [];
  const repeated = new Set<string>();
  for (const reference of references) {
    const uid = textOf(reference['uid']);
    const same = byUid.get(uid) ?? [];
    if (same.some((other) => sameJson(other, reference))) {
      repeated.add(uid);
      continue;
    }
    byUid.set(uid, [...same, reference]);
    kept.push(reference);
  }
  if (repeated.size === 0) return { object, warnings: [] };
  const uids = [...repeated].slice(0, SHOWN_MAX).join(', ');
  const warning = `.metadata.ownerReferences contains duplicate entries${time === '' ? '' : ` ${time}`}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`;
  const metadata = extended(object.metadata, { ownerReferences: kept });
  return { object: { ...object, metadata }, warnings: [warning] };
}
