/** Warnings about Pods and templates of Pods. */

import {
  isJsonNumber,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  sameJson,
  textOf,
} from '@listwatch/api/values';
import { CONTAINER_LISTS } from '../containers/container-lists.ts';
import { APP_ARMOR_ANNOTATION, profileOf } from '../pods/app-armor-annotations.ts';
import { ipWarnings } from './address-warnings.ts';
import { itemWarnings, NONE } from './item-warnings.ts';
import { namedLabelWarning, nodeLabelWarning, nodeSelectorTermWarnings } from './node-label-warnings.ts';
import { portWarnings } from './port-warnings.ts';
import { claimSpecWarnings, fractionWarnings } from './storage-warnings.ts';
import { overlapWarnings } from './volume-path-warnings.ts';

/** A Pod, or the template of one. */
export interface WarnedPod {
  readonly annotations: JsonRecord;
  readonly spec: JsonRecord;
  /** The path before `spec`: `''`, or `spec.template.`. */
  readonly field: string;
}

type Warnings = Generator<string, undefined>;

/** The warnings about a Pod. */
export function* podWarnings(pod: WarnedPod): Warnings {
  const { spec, field } = pod;
  const containers = containersOf(spec, `${field}spec`);
  // Most Pods have few of these fields, and a generator that says nothing costs as much as a rule.
  if (PLACEMENT.some((name) => spec[name] !== undefined)) yield* placementWarnings(spec, `${field}spec`);
  yield* annotationWarnings(pod);
  yield* sourceWarnings(spec, `${field}spec.volumes`);
  yield* overlapWarnings(spec);
  if (REPEATED.some((name) => spec[name] !== undefined)) yield* repeatedWarnings(spec, `${field}spec`);
  if (spec['overhead'] !== undefined) {
    yield* fractionWarnings(recordOf(spec['overhead']), BYTES, `${field}spec.overhead`);
  }
  yield* seccompWarning(pod);
  yield* itemWarnings(containers, ({ container, place }) => containerWarnings(pod, container, place));
  yield* portWarnings(containers);
  const { terminationGracePeriodSeconds: grace } = spec;
  if (isJsonNumber(grace) && numberOf(grace) < 0) {
    yield `${field}spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`;
  }
  if (spec['affinity'] !== undefined) yield* affinityWarnings(recordOf(spec['affinity']), `${field}spec.affinity`);
  yield* itemWarnings(listOf(recordOf(spec['dnsConfig'])['nameservers']), (server, index) =>
    ipWarnings(textOf(server), `${field}spec.dnsConfig.nameservers[${index}]`),
  );
  yield* itemWarnings(recordsOf(spec['hostAliases']), ({ ip }, index) =>
    ipWarnings(textOf(ip), `${field}spec.hostAliases[${index}].ip`),
  );
}

const PLACEMENT = ['nodeSelector', 'affinity', 'topologySpreadConstraints'];
const REPEATED = ['hostAliases', 'imagePullSecrets'];
const BYTES = ['memory', 'ephemeral-storage'];

/** A container and its place in the spec. */
export interface PlacedContainer {
  readonly container: JsonRecord;
  readonly place: string;
}

function containersOf(spec: JsonRecord, field: string): readonly PlacedContainer[] {
  return CONTAINER_LISTS.flatMap((list) =>
    recordsOf(spec[list]).map((container, index) => ({ container, place: `${field}.${list}[${index}]` })),
  );
}

function* placementWarnings(spec: JsonRecord, field: string): Warnings {
  yield* itemWarnings(Object.keys(recordOf(spec['nodeSelector'])), (label) =>
    nodeLabelWarning(label, `${field}.nodeSelector[${label}]`),
  );
  const affinity = recordOf(recordOf(spec['affinity'])['nodeAffinity']);
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  yield* itemWarnings(recordsOf(recordOf(affinity[required])['nodeSelectorTerms']), (term, index) => {
    const place = `${field}.affinity.nodeAffinity.${required}.nodeSelectorTerms[${index}]`;
    return nodeSelectorTermWarnings(term, place, false);
  });
  yield* itemWarnings(recordsOf(affinity[preferred]), ({ preference }, index) => {
    const place = `${field}.affinity.nodeAffinity.${preferred}[${index}].preference`;
    return nodeSelectorTermWarnings(recordOf(preference), place, true);
  });
  yield* itemWarnings(recordsOf(spec['topologySpreadConstraints']), ({ topologyKey, labelSelector }, index) => {
    const place = `${field}.topologySpreadConstraints[${index}]`;
    const renamed = namedLabelWarning(textOf(topologyKey), `${place}.topologyKey`);
    return labelSelector === undefined ? [...renamed, `${place}.labelSelector: ${MATCHES_NONE}`] : renamed;
  });
}

const MATCHES_NONE = 'a null labelSelector results in matching no pod';

const DEAD_ANNOTATIONS = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;

function* annotationWarnings({ annotations, field }: WarnedPod): Warnings {
  for (const [name, why] of DEAD_ANNOTATIONS) {
    if (Object.hasOwn(annotations, name)) yield `${field}metadata.annotations[${name}]: ${why}`;
  }
}

/** Volume sources that are no longer supported, with their names in Kubernetes. */
const OLD_SOURCES = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

function sourceWarnings(spec: JsonRecord, field: string): readonly string[] {
  return itemWarnings(recordsOf(spec['volumes']), (volume, index) => volumeWarnings(volume, `${field}[${index}]`));
}

function volumeWarnings(volume: JsonRecord, field: string): Iterable<string> {
  const isOld = OLD_SOURCES.some(([name]) => volume[name] !== undefined);
  return isOld || volume['ephemeral'] !== undefined ? unusualVolumeWarnings(volume, field) : NONE;
}

function* unusualVolumeWarnings(volume: JsonRecord, field: string): Warnings {
  for (const [name, shown, why] of OLD_SOURCES) {
    if (volume[name] !== undefined) yield `${field}.${shown}: ${why}`;
  }
  const template = recordOf(recordOf(volume['ephemeral'])['volumeClaimTemplate']);
  yield* claimSpecWarnings(recordOf(template['spec']), `${field}.ephemeral.volumeClaimTemplate.spec`);
}

function* repeatedWarnings(spec: JsonRecord, field: string): Warnings {
  const addresses = new Set<string>();
  for (const [index, { ip }] of recordsOf(spec['hostAliases']).entries()) {
    if (addresses.has(textOf(ip))) yield `${field}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(ip)}`;
    addresses.add(textOf(ip));
  }
  const secrets = recordsOf(spec['imagePullSecrets']).map(({ name }) => textOf(name));
  const names = new Set<string>();
  for (const [index, name] of secrets.entries()) {
    if (names.has(name)) yield `${field}.imagePullSecrets[${index}].name: duplicate name ${JSON.stringify(name)}`;
    names.add(name);
  }
  for (const [index, name] of secrets.entries()) {
    if (name === '') yield `${field}.imagePullSecrets[${index}].name: invalid empty name ""`;
  }
}

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const NO_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function* seccompWarning({ annotations, spec, field }: WarnedPod): Warnings {
  if (recordOf(spec['securityContext'])['seccompProfile'] !== undefined) return;
  if (Object.hasOwn(annotations, SECCOMP_POD)) yield `${field}metadata.annotations[${SECCOMP_POD}]: ${NO_SECCOMP}`;
}

function* containerWarnings({ annotations, spec, field }: WarnedPod, container: JsonRecord, place: string): Warnings {
  const context = recordOf(container['securityContext']);
  const name = textOf(container['name']);
  if (context['seccompProfile'] === undefined && Object.hasOwn(annotations, SECCOMP_CONTAINER + name)) {
    yield `${field}metadata.annotations[${SECCOMP_CONTAINER}${name}]: ${NO_SECCOMP}`;
  }
  const appArmor = textOf(annotations[APP_ARMOR_ANNOTATION + name]);
  const profile = context['appArmorProfile'] ?? recordOf(spec['securityContext'])['appArmorProfile'];
  // In a Pod, the field was already set from the annotation.
  if (
    Object.hasOwn(annotations, APP_ARMOR_ANNOTATION + name) &&
    (profile === undefined || sameJson(context['appArmorProfile'], profileOf(appArmor)))
  ) {
    yield `${field}metadata.annotations[${APP_ARMOR_ANNOTATION}${name}]: deprecated since v1.30; use the "appArmorProfile" field instead`;
  }
  const resources = recordOf(container['resources']);
  for (const byte of BYTES) {
    for (const kind of ['limits', 'requests']) {
      const amounts = recordOf(resources[kind]);
      if (amounts[byte] !== undefined) yield* fractionWarnings(amounts, [byte], `${place}.resources.${kind}`);
    }
  }
  yield* hiddenVariables(container, place);
}

/** A variable that is defined twice, unless the second uses the first. */
function hiddenVariables(container: JsonRecord, place: string): readonly string[] {
  const names = new Set<string>();
  return itemWarnings(recordsOf(container['env']), ({ name: given, value, valueFrom }, index) => {
    const name = textOf(given);
    if (!names.has(name)) {
      names.add(name);
      return NONE;
    }
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && textOf(value).includes(reference)) return NONE;
    const why = 'which may be dropped when using apply';
    return [`${place}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, ${why}`];
  });
}

function* affinityWarnings(affinity: JsonRecord, field: string): Warnings {
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const rules = recordOf(affinity[kind]);
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    for (const [index, term] of recordsOf(rules[required]).entries()) {
      if (term['labelSelector'] === undefined)
        yield `${field}.${kind}.${required}[${index}].labelSelector: ${MATCHES_NONE}`;
    }
    for (const [index, { podAffinityTerm }] of recordsOf(rules[preferred]).entries()) {
      if (recordOf(podAffinityTerm)['labelSelector'] !== undefined) continue;
      yield `${field}.${kind}.${preferred}[${index}].podAffinityTerm.labelSelector: ${MATCHES_NONE}`;
    }
  }
}
