/** The quota usage of a Pod: its count, and the requests and limits of its containers. */

import { isJsonNumber, type JsonRecord, numberOf, Quantity, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { CountedObject, TimeSource } from './counted-object.ts';
import { podQosClass } from './pod-qos.ts';
import { type Amounts, amountsOf, hasPodAmounts, podAmounts } from './pod-resources.ts';
import { countName, namesMatch, type ScopeRequirement, type UsageRule } from './usage-rule.ts';

const COUNT = countName('', 'pods');
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const NAMES: ReadonlySet<string> = new Set([
  COUNT,
  'pods',
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** If a quota limits these resources, every container must specify them. */
const REQUIRED: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

/** The rule of Pods. */
export function podUsageRule(clock: TimeSource): UsageRule {
  return {
    counts({ object, old, subresource }) {
      if (subresource === 'resize') return old !== undefined;
      return subresource === '' && (old === undefined || isTerminating(old) !== isTerminating(object));
    },
    concerns: (name) =>
      NAMES.has(name) ||
      name.startsWith('hugepages-') ||
      name.startsWith('requests.hugepages-') ||
      isExtendedRequest(name),
    usage: (pod) => podUsage(pod, clock),
    isInScope,
    missing,
  };
}

/** The usage of a Pod. A Pod that has ended, or whose deletion is overdue, counts for `count/pods` only. */
export function podUsage(pod: CountedObject, clock: TimeSource): Amounts {
  if (hasEnded(pod, clock.now())) return new Map([[COUNT, Quantity.of(1)]]);
  const [spec, status] = [recordOf(pod['spec']), recordOf(pod['status'])];
  const usage = computeUsage(podAmounts(spec, 'requests', status), podAmounts(spec, 'limits', status));
  return usage.set(COUNT, Quantity.of(1)).set('pods', Quantity.of(1));
}

/** Is this the name of an extended resource in a quota? Extended resources have requests only. */
export function isExtendedRequest(name: string): boolean {
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return name.startsWith('requests.') && (!isNative || name.startsWith(`requests.${DEVICE_CLASS}`));
}

const DEVICE_CLASS = 'deviceclass.resource.kubernetes.io/';

function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map<string, Quantity>();
  for (const [name, amount] of requests) {
    const isExtended = isExtendedRequest(`requests.${name}`);
    if (COMPUTE.includes(name) || name.startsWith('hugepages-')) usage.set(name, amount);
    else if (!isExtended) continue;
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (COMPUTE.includes(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

function hasEnded({ metadata, status }: CountedObject, now: number): boolean {
  const { phase } = recordOf(status);
  if (phase === 'Failed' || phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(deletionTimestamp) + numberOf(deletionGracePeriodSeconds) * 1000;
}

function isTerminating(pod: CountedObject): boolean {
  const { activeDeadlineSeconds } = recordOf(pod['spec']);
  return isJsonNumber(activeDeadlineSeconds) && numberOf(activeDeadlineSeconds) >= 0;
}

function isBestEffort(pod: CountedObject): boolean {
  const known = textOf(recordOf(pod['status'])['qosClass']);
  return (known === '' ? podQosClass(recordOf(pod['spec'])) : known) === 'BestEffort';
}

function isInScope(pod: CountedObject, requirement: ScopeRequirement): boolean {
  switch (requirement.scope) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass': {
      const name = textOf(recordOf(pod['spec'])['priorityClassName']);
      return namesMatch(name === '' ? [] : [name], requirement);
    }
    case 'CrossNamespacePodAffinity':
      return reachesOtherNamespaces(recordOf(recordOf(pod['spec'])['affinity']));
    default:
      return false;
  }
}

function reachesOtherNamespaces(affinity: JsonRecord): boolean {
  return ['podAffinity', 'podAntiAffinity']
    .map((name) => recordOf(affinity[name]))
    .some((rules) => {
      const required = recordsOf(rules['requiredDuringSchedulingIgnoredDuringExecution']);
      const preferred = recordsOf(rules['preferredDuringSchedulingIgnoredDuringExecution']);
      const terms = [...required, ...preferred.map((one) => recordOf(one['podAffinityTerm']))];
      return terms.some((term) => term['namespaceSelector'] !== undefined || namesOf(term['namespaces']) > 0);
    });
}

function namesOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function missing(pod: CountedObject, names: readonly string[]): string | undefined {
  const spec = recordOf(pod['spec']);
  if (hasPodAmounts(spec)) return undefined;
  const required = names.filter((name) => REQUIRED.has(name)).toSorted();
  if (required.length === 0) return undefined;
  const lacking = new Map(required.map((name) => [name, new Set<string>()]));
  for (const container of [...recordsOf(spec['containers']), ...recordsOf(spec['initContainers'])]) {
    const said = computeUsage(amountsOf(container, 'requests'), amountsOf(container, 'limits'));
    for (const [name, containers] of lacking) if (!said.has(name)) containers.add(textOf(container['name']));
  }
  const complaints = [...lacking].filter(([, containers]) => containers.size > 0);
  if (complaints.length === 0) return undefined;
  return complaints.map(([name, containers]) => `${name} for: ${[...containers].toSorted().join(',')}`).join('; ');
}
