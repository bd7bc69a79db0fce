/** PodSecurity: Pods keep to the level that the labels of their namespace name. Start here. */

import { forbidden, invalid, quote } from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, sameJson, textOf } from '@listwatch/api/values';
import type { TypeName } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';
import { checkedPod } from '../pod-security/security-check.ts';
import {
  isStricter,
  type LevelVersion,
  levelText,
  type ParsedPolicy,
  securityPolicy,
} from '../pod-security/security-policy.ts';
import { securityViolations, violationsText } from '../pod-security/security-violations.ts';
import type { AdmissionPlugin, AdmissionRequest, ObjectReader } from './admission-plugin.ts';

/** The objects that the plugin reads. */
export interface PodSecurityParts {
  readonly namespaces: Pick<ObjectReader, 'get'>;
  /** Reads a namespace that is not in the cache yet. */
  readonly storedNamespace: (name: string) => Promise<KubeObject | undefined>;
  /** The Pods of a namespace, parsed one by one. Yields to the event loop in between. */
  readonly podsIn: (namespace: string) => AsyncIterable<KubeObject>;
}

/** The path of the Pod or pod template in each kind. */
const TEMPLATES: Readonly<Record<TypeName, readonly string[]>> = {
  'apps/v1.DaemonSet': ['spec', 'template'],
  'apps/v1.Deployment': ['spec', 'template'],
  'apps/v1.ReplicaSet': ['spec', 'template'],
  'apps/v1.StatefulSet': ['spec', 'template'],
  'batch/v1.CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
  'batch/v1.Job': ['spec', 'template'],
  'core/v1.Pod': [],
  'core/v1.PodTemplate': ['template'],
  'core/v1.ReplicationController': ['spec', 'template'],
};

/** Subresources of a Pod that do not change its spec. */
const UNCHECKED = ['status', 'binding', 'eviction'];

/** The plugin. */
export function podSecurity(parts: PodSecurityParts): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    types: ['core/v1.Namespace', ...TEMPLATE_TYPES],
    subresources: 'all',
    async validate(request) {
      const { type, subresource, object } = request;
      if (type === 'core/v1.Namespace') return validateNamespace(parts, request);
      const isPod = type === 'core/v1.Pod';
      if (isPod ? UNCHECKED.includes(subresource) : subresource !== '') return;
      const name = object.metadata.namespace ?? '';
      const namespace = parts.namespaces.get('', name) ?? (await parts.storedNamespace(name));
      validatePod(securityPolicy(namespace?.metadata.labels), request);
    },
  };
}

const TEMPLATE_TYPES: readonly TypeName[] = [
  'apps/v1.DaemonSet',
  'apps/v1.Deployment',
  'apps/v1.ReplicaSet',
  'apps/v1.StatefulSet',
  'batch/v1.CronJob',
  'batch/v1.Job',
  'core/v1.Pod',
  'core/v1.PodTemplate',
  'core/v1.ReplicationController',
];

/** Throws the 403 for a Pod; templates are only warned about. */
function validatePod({ policy }: ParsedPolicy, { resource, type, object, old, warn }: AdmissionRequest): void {
  const isPod = type === 'core/v1.Pod';
  const { enforce, warn: warned } = policy;
  if (warned.level === 'privileged' && (!isPod || enforce.level === 'privileged')) return;
  const template = (TEMPLATES[type] ?? []).reduce<JsonRecord>((part, name) => recordOf(part[name]), object);
  if (template['spec'] === undefined || (isPod && old !== undefined && !changesImages(object, old))) return;
  const annotations = recordOf(recordOf(template['metadata'])['annotations']);
  const pod = checkedPod(textsOf(annotations), recordOf(template['spec']));
  const violations = isPod ? securityViolations(enforce, pod) : [];
  if (violations.length > 0) {
    const why = `violates PodSecurity ${quote(levelText(enforce))}: ${violationsText(violations)}`;
    throw forbidden(resource, object.metadata.name ?? '', why);
  }
  const odd = securityViolations(warned, pod);
  if (odd.length > 0) warn(`would violate PodSecurity ${quote(levelText(warned))}: ${violationsText(odd)}`);
}

function textsOf(record: JsonRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, textOf(value)]));
}

function imagesOf({ spec }: KubeObject, list: string): readonly string[] {
  return recordsOf(recordOf(spec)[list]).map(({ image }) => textOf(image));
}

/** An update of a Pod can only affect the checks by changed images or added ephemeral containers. */
function changesImages(pod: KubeObject, old: KubeObject): boolean {
  const lists = ['containers', 'initContainers', 'ephemeralContainers'];
  return lists.some((list) => !sameJson(imagesOf(pod, list), imagesOf(old, list)));
}

/** Throws the 422 for invalid labels. Warns about existing Pods that violate a stricter level. */
async function validateNamespace(
  { podsIn }: PodSecurityParts,
  { resource, object, old, subresource, warn }: AdmissionRequest,
): Promise<void> {
  if (subresource !== '') return;
  const now = securityPolicy(object.metadata.labels);
  const before = securityPolicy(old?.metadata.labels);
  const name = object.metadata.name ?? '';
  if (now.errors.length > 0 && (old === undefined || !sameJson(now.errors, before.errors))) {
    throw invalid(resource, name, now.errors);
  }
  const { enforce } = now.policy;
  const was = before.policy.enforce;
  const isSame = enforce.level === was.level && enforce.minor === was.minor;
  const isEased = enforce.minor === was.minor && !isStricter(enforce.level, was.level);
  if (old === undefined || isSame || isEased || enforce.level === 'privileged') return;
  await warnAboutPods(podsIn(name), name, enforce, warn);
}

/** The maximum of Pods to check; more would keep the client waiting. */
const PODS_MAX = 3000;

async function warnAboutPods(
  pods: AsyncIterable<KubeObject>,
  namespace: string,
  enforce: LevelVersion,
  warn: (text: string) => void,
): Promise<void> {
  const found = new Map<string, string[]>();
  let count = 0;
  for await (const { metadata, spec } of pods) {
    count += 1;
    if (count > PODS_MAX) continue;
    const violations = securityViolations(enforce, checkedPod(metadata.annotations ?? {}, recordOf(spec)));
    if (violations.length === 0) continue;
    const reasons = violations.map(({ reason }) => reason).join(', ');
    found.set(reasons, [...(found.get(reasons) ?? []), metadata.name ?? '']);
  }
  if (count > PODS_MAX) {
    warn(`new PodSecurity enforce level only checked against the first ${PODS_MAX} of ${count} existing pods`);
  }
  if (found.size === 0) return;
  const level = quote(levelText(enforce));
  warn(`existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${level}`);
  for (const text of [...found].map(([reasons, names]) => `${podsText(names)}: ${reasons}`).toSorted()) warn(text);
}

function podsText(names: readonly string[]): string {
  const [first = '', ...others] = names.toSorted();
  if (others.length === 0) return first;
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`;
}
