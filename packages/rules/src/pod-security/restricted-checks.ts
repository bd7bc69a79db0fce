/** The checks that the level `restricted` adds to those of `baseline`. In the order of their ids. */

import { isJsonNumber, type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { procMount, seccomp } from './baseline-checks.ts';
import {
  badContainers,
  type CheckedPod,
  containersText,
  distinctSorted,
  hasOwnUsers,
  isWindows,
  plural,
  quotedList,
  type SecurityCheck,
  settersText,
  type Violation,
} from './security-check.ts';

export const RESTRICTED_CHECKS: readonly SecurityCheck[] = [
  { id: 'allowPrivilegeEscalation', since: 8, check: unlessWindows(escalation) },
  { id: 'capabilities_restricted', since: 22, check: unlessWindows(capabilities), replaces: 'capabilities_baseline' },
  { id: 'procMount_restricted', since: 35, check: procMount, replaces: 'procMount' },
  { id: 'restrictedVolumes', since: 0, check: volumes, replaces: 'hostPathVolumes' },
  { id: 'runAsNonRoot', since: 0, check: unlessOwnUsers(nonRoot) },
  { id: 'runAsUser', since: 23, check: unlessOwnUsers(rootUser) },
  {
    id: 'seccompProfile_restricted',
    since: 19,
    check: unlessWindows((pod) => seccomp(pod) ?? missingSeccomp(pod)),
    replaces: 'seccompProfile_baseline',
  },
];

type Check = SecurityCheck['check'];

function unlessWindows(check: (pod: CheckedPod) => Violation | undefined): Check {
  return (pod, minor) => (minor >= 25 && isWindows(pod) ? undefined : check(pod));
}

function unlessOwnUsers(check: (pod: CheckedPod) => Violation | undefined): Check {
  return (pod, minor) => (minor >= 35 && hasOwnUsers(pod) ? undefined : check(pod));
}

function escalation(pod: CheckedPod): Violation | undefined {
  const containers = badContainers(pod, ({ context }) => context['allowPrivilegeEscalation'] !== false);
  if (containers.length === 0) return undefined;
  const detail = `${containersText(containers)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

function capabilitiesOf(context: JsonRecord, kind: string): readonly string[] {
  return listOf(recordOf(context['capabilities'])[kind]).map(textOf);
}

function addedBeyond(context: JsonRecord): readonly string[] {
  return capabilitiesOf(context, 'add').filter((name) => name !== 'NET_BIND_SERVICE');
}

function capabilities(pod: CheckedPod): Violation | undefined {
  const keeping = badContainers(pod, ({ context }) => !capabilitiesOf(context, 'drop').includes('ALL'));
  const adding = badContainers(pod, ({ context }) => addedBeyond(context).length > 0);
  const names = quotedList(distinctSorted(pod.containers.flatMap(({ context }) => addedBeyond(context))));
  const details = [
    ...(keeping.length > 0 ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [`${containersText(adding)} must not include ${names} in securityContext.capabilities.add`]
      : []),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

const VOLUMES: readonly string[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

function volumes({ spec }: CheckedPod): Violation | undefined {
  const bad = recordsOf(spec['volumes']).filter((volume) => !VOLUMES.some((type) => volume[type] !== undefined));
  if (bad.length === 0) return undefined;
  const names = quotedList(bad.map(({ name }) => textOf(name)));
  const types = distinctSorted(bad.map((volume) => Object.keys(volume).find((key) => key !== 'name') ?? 'unknown'));
  const uses = `${plural(bad, 'uses', 'use')} ${plural(types, 'restricted volume type')} ${quotedList(types)}`;
  return { reason: 'restricted volume types', detail: `${plural(bad, 'volume')} ${names} ${uses}` };
}

function nonRoot(pod: CheckedPod): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const explicit = badContainers(pod, ({ context }) => context['runAsNonRoot'] === false);
  const setters = settersText(pod.context['runAsNonRoot'] === false, explicit);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (pod.context['runAsNonRoot'] === true) return undefined;
  const silent = badContainers(pod, ({ context }) => context['runAsNonRoot'] === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
}

function isRoot({ runAsUser }: JsonRecord): boolean {
  return isJsonNumber(runAsUser) && numberOf(runAsUser) === 0;
}

function rootUser(pod: CheckedPod): Violation | undefined {
  const setters = settersText(
    isRoot(pod.context),
    badContainers(pod, ({ context }) => isRoot(context)),
  );
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
}

function missingSeccomp(pod: CheckedPod): Violation | undefined {
  if (pod.context['seccompProfile'] !== undefined) return undefined;
  const silent = badContainers(pod, ({ context }) => context['seccompProfile'] === undefined);
  if (silent.length === 0) return undefined;
  const detail = `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
}
