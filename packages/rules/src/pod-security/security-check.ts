/** The contract of a PodSecurity check, and the text helpers that all checks use. */

import { type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';

/** A Pod, or the template of one, as checks read it. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonRecord;
  /** `spec.securityContext`. */
  readonly context: JsonRecord;
  /** All containers: init containers first, ephemeral ones last. */
  readonly containers: readonly CheckedContainer[];
}

/** A container with its own security context. */
export interface CheckedContainer {
  readonly name: string;
  readonly fields: JsonRecord;
  readonly context: JsonRecord;
}

/** A violation of a check. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One check. */
export interface SecurityCheck {
  readonly id: string;
  /** The first minor version of Kubernetes that has it. */
  readonly since: number;
  /** `minor` is the version that the policy names: some checks changed. */
  readonly check: (pod: CheckedPod, minor: number) => Violation | undefined;
  /** The check of the lower level that this check replaces. */
  readonly replaces?: string;
}

/** Prepares a Pod for its checks. */
export function checkedPod(annotations: Readonly<Record<string, string>>, spec: JsonRecord): CheckedPod {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'];
  const containers = lists
    .flatMap((list) => recordsOf(spec[list]))
    .map((fields) => ({ name: textOf(fields['name']), fields, context: recordOf(fields['securityContext']) }));
  return { annotations, spec, context: recordOf(spec['securityContext']), containers };
}

/** Does the Pod have its own user namespace? Root inside has no rights outside. */
export function hasOwnUsers({ spec }: CheckedPod): boolean {
  return spec['hostUsers'] === false;
}

export function isWindows({ spec }: CheckedPod): boolean {
  return recordOf(spec['os'])['name'] === 'windows';
}

/** The names of the containers for which `isBad` is true. */
export function badContainers(
  { containers }: CheckedPod,
  isBad: (one: CheckedContainer) => boolean,
): readonly string[] {
  return containers.filter(isBad).map(({ name }) => name);
}

/** `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural(names, 'container')} ${quotedList(names)}`;
}

/** The subject of a violation: `pod and container "a"`. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(' and ');
}

export function quotedList(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

export function plural(items: readonly unknown[], one: string, many = `${one}s`): string {
  return items.length === 1 ? one : many;
}

/** Each once, in order. */
export function distinctSorted(items: Iterable<string>): readonly string[] {
  return [...new Set(items)].toSorted();
}
