/** The usage rule of each kind. Start here. */

import type { TypeName } from '@listwatch/schema';
import { claimUsageRule } from './claim-usage.ts';
import type { TimeSource } from './counted-object.ts';
import { type DeviceObjects, deviceClaimUsageRule } from './device-claim-usage.ts';
import { podUsageRule } from './pod-usage.ts';
import { serviceUsageRule } from './service-usage.ts';
import { countName, objectCount, type UsageRule } from './usage-rule.ts';

/** A kind, as quotas name it. */
export interface CountedKind {
  readonly group: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Kinds with an older name in quotas than `count/...`. */
const WITH_OLD_NAME: readonly string[] = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

/** Kinds whose objects are never counted. */
const UNCOUNTED: readonly string[] = ['count/events', 'count/events.events.k8s.io'];

/** Kinds whose usage depends on their fields. For all others, each object counts as one. */
const COUNTED_BY_PARTS: ReadonlySet<TypeName> = new Set([
  'core/v1.PersistentVolumeClaim',
  'core/v1.Pod',
  'core/v1.Service',
  'resource/v1.ResourceClaim',
]);

/** Does the usage of an object depend on its fields? */
export function isCountedByParts(type: TypeName): boolean {
  return COUNTED_BY_PARTS.has(type);
}

/** The rule of each kind; undefined for a kind that no quota counts. */
export function usageRules(devices: DeviceObjects, clock: TimeSource): (kind: CountedKind) => UsageRule | undefined {
  const own: Readonly<Record<string, UsageRule>> = {
    'count/pods': podUsageRule(clock),
    'count/services': serviceUsageRule,
    'count/persistentvolumeclaims': claimUsageRule,
    'count/resourceclaims.resource.k8s.io': deviceClaimUsageRule(devices, clock),
  };
  const known = new WeakMap<CountedKind, { readonly rule: UsageRule | undefined }>();
  return (kind) => {
    const found = known.get(kind) ?? { rule: ruleOf(kind, own) };
    known.set(kind, found);
    return found.rule;
  };
}

function ruleOf(
  { group, plural, namespaced }: CountedKind,
  own: Readonly<Record<string, UsageRule>>,
): UsageRule | undefined {
  const name = countName(group, plural);
  if (!namespaced || UNCOUNTED.includes(name)) return undefined;
  const hasOldName = group === '' && WITH_OLD_NAME.includes(plural);
  return own[name] ?? (hasOldName ? objectCount(name, plural) : objectCount(name));
}
