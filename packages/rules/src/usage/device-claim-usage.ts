/** The quota usage of a ResourceClaim: its count, and the devices of each DeviceClass. */

import { type JsonRecord, numberOf, Quantity, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { CountedObject, TimeSource } from './counted-object.ts';
import type { Amounts } from './pod-resources.ts';
import { isExtendedRequest, podUsage } from './pod-usage.ts';
import { countName, type UsageRule } from './usage-rule.ts';

const COUNT = countName('resource.k8s.io', 'resourceclaims');
const OF_CLASS = '.deviceclass.resource.k8s.io/devices';
const IMPLICIT = 'requests.deviceclass.resource.kubernetes.io/';
/** The devices that a claim for all devices counts as. */
const MOST_DEVICES = 32;

/** The objects that the rule reads. */
export interface DeviceObjects {
  /** The DeviceClasses: some stand for an extended resource. */
  readonly classes: { list(namespace: ''): readonly CountedObject[] };
  /** A Pod by its name. */
  readonly pod: (namespace: string, name: string) => CountedObject | undefined;
}

/** The rule of ResourceClaims. */
export function deviceClaimUsageRule({ classes, pod }: DeviceObjects, clock: TimeSource): UsageRule {
  let known: { readonly from: readonly CountedObject[]; readonly resources: Extended } | undefined;
  /** The extended resources by DeviceClass; a new list after every change. */
  const resources = (): Extended => {
    const from = classes.list('');
    if (known?.from !== from) known = { from, resources: extendedResources(from) };
    return known.resources;
  };
  return {
    dependsOnOthers: true,
    counts: ({ subresource }) => subresource === '',
    concerns(name) {
      if (name === COUNT || name.endsWith(OF_CLASS)) return true;
      if (!isExtendedRequest(name)) return false;
      if (name.startsWith(IMPLICIT) && resources().byClass.has(name.slice(IMPLICIT.length))) return true;
      return resources().all.has(name.slice('requests.'.length));
    },
    usage(claim) {
      const devices = deviceCounts(claim);
      const usage = new Map<string, Quantity>([[COUNT, Quantity.of(1)]]);
      // The quota already counts the extended resources of the Pod for which the claim was created.
      const paid = podOf(claim, pod);
      const counted = paid === undefined ? NOTHING : podUsage(paid, clock);
      const charge = (name: string, amount: Quantity): void => {
        const rest = amount.subtract(counted.get(name) ?? Quantity.ZERO);
        if (rest.sign > 0) usage.set(name, rest);
      };
      for (const [name, count] of devices) {
        usage.set(name + OF_CLASS, count);
        charge(IMPLICIT + name, count);
        const resource = resources().byClass.get(name);
        if (resource !== undefined) charge(`requests.${resource}`, count);
      }
      return usage;
    },
  };
}

interface Extended {
  readonly byClass: ReadonlyMap<string, string>;
  readonly all: ReadonlySet<string>;
}

function extendedResources(classes: readonly CountedObject[]): Extended {
  const byClass = new Map<string, string>();
  for (const { metadata, spec } of classes) {
    const resource = textOf(recordOf(spec)['extendedResourceName']);
    if (resource !== '') byClass.set(metadata.name ?? '', resource);
  }
  return { byClass, all: new Set(byClass.values()) };
}

const NOTHING: Amounts = new Map();

function deviceCounts(claim: CountedObject): Map<string, Quantity> {
  const counts = new Map<string, Quantity>();
  for (const request of recordsOf(recordOf(recordOf(claim['spec'])['devices'])['requests'])) {
    const alternatives = recordsOf(request['firstAvailable']);
    const worst = new Map<string, number>();
    for (const one of alternatives.length > 0 ? alternatives : [recordOf(request['exactly'])]) {
      const name = textOf(one['deviceClassName']);
      worst.set(name, Math.max(worst.get(name) ?? 0, devicesOf(one)));
    }
    for (const [name, count] of worst) {
      if (name !== '') counts.set(name, (counts.get(name) ?? Quantity.ZERO).add(Quantity.of(count)));
    }
  }
  return counts;
}

function devicesOf({ allocationMode, count }: JsonRecord): number {
  if (allocationMode === 'All') return MOST_DEVICES;
  return allocationMode === 'ExactCount' ? numberOf(count) : 0;
}

/** The Pod for which a scheduler created the claim. */
function podOf({ metadata }: CountedObject, pod: DeviceObjects['pod']): CountedObject | undefined {
  if (metadata.annotations?.['resource.kubernetes.io/extended-resource-claim'] !== 'true') return undefined;
  const owners = recordsOf(metadata['ownerReferences']);
  const owner = owners.find(({ controller }) => controller === true);
  if (owner?.['kind'] !== 'Pod' || owner['apiVersion'] !== 'v1') return undefined;
  const found = pod(metadata.namespace ?? '', textOf(owner['name']));
  if (found?.metadata.uid !== owner['uid']) return undefined;
  const named = recordOf(recordOf(found?.['status'])['extendedResourceClaimStatus'])['resourceClaimName'];
  return named === undefined || named === metadata.name ? found : undefined;
}
