/** How each kind is counted. Start here. */

import type { Clock } from '@listwatch/storage';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { claimUsageRule } from './claim-usage.ts';
import { type DeviceObjects, deviceClaimUsageRule } from './device-claim-usage.ts';
import { podUsageRule } from './pod-usage.ts';
import { serviceUsageRule } from './service-usage.ts';
import { countName, objectCount, type UsageRule } from './usage-rule.ts';

/** Kinds that had a name in quotas before `count/` came. */
const WITH_OLD_NAME: readonly string[] = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

/** Objects of these are never counted. */
const UNCOUNTED: readonly string[] = ['count/events', 'count/events.events.k8s.io'];

/** The rule of each kind; undefined for a kind that no quota counts. */
export function usageRules(
  devices: DeviceObjects,
  clock: Pick<Clock, 'now'>,
): (definition: ResourceDefinition) => UsageRule | undefined {
  const own: Readonly<Record<string, UsageRule>> = {
    'count/pods': podUsageRule(clock),
    'count/services': serviceUsageRule,
    'count/persistentvolumeclaims': claimUsageRule,
    'count/resourceclaims.resource.k8s.io': deviceClaimUsageRule(devices, clock),
  };
  const known = new WeakMap<ResourceDefinition, { readonly rule: UsageRule | undefined }>();
  return (definition) => {
    const found = known.get(definition) ?? { rule: ruleOf(definition, own) };
    known.set(definition, found);
    return found.rule;
  };
}

function ruleOf({ resource }: ResourceDefinition, own: Readonly<Record<string, UsageRule>>): UsageRule | undefined {
  const { group, plural, namespaced } = resource;
  const name = countName(group, plural);
  if (!namespaced || UNCOUNTED.includes(name)) return undefined;
  const hasOldName = group === '' && WITH_OLD_NAME.includes(plural);
  return own[name] ?? (hasOldName ? objectCount(name, plural) : objectCount(name));
}
