/** Merges an applied value into the stored one. */

import { isRecord, type JsonRecord, setMember } from '@listwatch/api/values';
import type { ApplyMap, ApplyType } from '../apply-type.ts';
import { equalValues } from '../fields/json-equality.ts';
import { copyOf, hasNoMembers, memberOf, memberType } from './members.ts';
import { mergeItems } from './merge-items.ts';
import { partFor } from './type-part.ts';

/**
 * The stored value with all that is in the applied one. Both fit their type; undefined stands for an absent value. Gives back
 * parts of both, and the stored value itself when nothing changes.
 */
export function mergeTyped(live: unknown, config: unknown, type: ApplyType): unknown {
  if (config === undefined || live === config) return live;
  if (live === undefined) return config;
  const part = partFor(type, config);
  if (part === 'map' && type.map !== undefined && !type.map.isAtomic) {
    const stored = isRecord(live) && !hasNoMembers(live) ? live : undefined;
    const applied = isRecord(config) && !hasNoMembers(config) ? config : undefined;
    if (stored !== undefined) return applied === undefined ? live : mergeMembers(stored, applied, type.map);
    if (applied !== undefined) return config;
  }
  if (part === 'list' && type.list !== undefined && !type.list.isAtomic) {
    const stored = Array.isArray(live) && live.length > 0 ? live : undefined;
    const applied = Array.isArray(config) && config.length > 0 ? config : undefined;
    if (stored !== undefined) {
      return applied === undefined ? live : mergeItems(stored, applied, type.list, mergeTyped);
    }
    if (applied !== undefined) return config;
  }
  return equalValues(live, config) ? live : config;
}

function mergeMembers(live: JsonRecord, config: JsonRecord, map: ApplyMap): JsonRecord {
  let merged: Record<string, unknown> | undefined;
  for (const name of Object.keys(config)) {
    const type = memberType(map, name);
    const stored = memberOf(live, name);
    const value = type === undefined ? stored : mergeTyped(stored, config[name], type);
    if (value === stored) continue;
    merged ??= copyOf(live);
    setMember(merged, name, value);
  }
  return merged ?? live;
}
