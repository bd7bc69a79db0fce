/** Conversion between the versions of a kind. */

import type { ApiObject, Resource } from '@listwatch/api';
import { type HookedKind, type HookedObject, resourceOf } from '../hooked-kind.ts';

/** The versions of a kind, by their names: `{ v1alpha1: oldBackup, v1: backup }`. */
export type VersionKinds = Readonly<Record<string, HookedKind>>;

/** What a step returns. Of `metadata` only labels and annotations count; absent ones stay as they were. */
export type Converted<T extends ApiObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: Partial<Pick<T['metadata'], 'annotations' | 'labels'>> | undefined;
};

/** Makes an object of one version out of one of another. */
export type ConversionStep<From extends ApiObject, To extends ApiObject> = (
  object: From,
) => Converted<To> | Promise<Converted<To>>;

/**
 * From each version to others. Not every pair is needed, only a way: with `v1` as a hub, every other version has a step to `v1`, and `v1`
 * one to each of them.
 */
export type ConversionSteps<K extends VersionKinds> = {
  readonly [From in keyof K]: {
    readonly [To in Exclude<keyof K, From>]?: ConversionStep<HookedObject<K[From]>, HookedObject<K[To]>>;
  };
};

/** A step whose types are checked where it was written. */
type UntypedStep = (object: ApiObject) => unknown;

/** The steps of one kind as a graph. */
export class KindConversion {
  /** Of any of its versions. */
  readonly resource: Resource;
  readonly versions: readonly string[];
  /** By `from to`: the steps of the shortest way. */
  readonly #ways: ReadonlyMap<string, readonly Way[]>;

  /** Throws a TypeError for versions of different kinds, a wrong name of a version, and a pair without a way. */
  constructor(kinds: VersionKinds, steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
    const resources = Object.entries(kinds).map(([name, kind]) => checkedVersion(name, resourceOf(kind)));
    const [first] = resources;
    if (first === undefined || resources.length < 2) throw new TypeError('convert needs two versions and more');
    const other = resources.find(({ group, kind }) => group !== first.group || kind !== first.kind);
    if (other !== undefined)
      throw new TypeError(`convert takes versions of one kind: ${other.kind}.${other.group} is not ${first.kind}`);
    this.resource = first;
    this.versions = resources.map(({ version }) => version);
    this.#ways = waysBetween(this.versions, steps);
  }

  /** Rejects with what a step throws, and for a version that there is none of. */
  async convert(object: ApiObject, to: string): Promise<ApiObject> {
    const from = (object.apiVersion ?? '').split('/').at(-1) ?? '';
    if (from === to) return object;
    const way = this.#ways.get(`${from} ${to}`);
    if (way === undefined) throw new TypeError(`no conversion of ${this.resource.kind} from ${from} to ${to}`);
    let current = object;
    for (const { version, step } of way) current = this.#joined(current, await step(current), version);
    return current;
  }

  /** With the identity of the object: a step cannot lose a name or a uid, which the API server would refuse. */
  #joined(before: ApiObject, converted: unknown, version: string): ApiObject {
    if (typeof converted !== 'object' || converted === null)
      throw new TypeError(`the conversion to ${version} returned ${String(converted)} and no object`);
    const { group, kind } = this.resource;
    const given = 'metadata' in converted ? converted.metadata : undefined;
    const { labels, annotations } = typeof given === 'object' && given !== null ? ownMetadata(given) : {};
    const metadata = {
      ...before.metadata,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    };
    return { ...converted, apiVersion: `${group}/${version}`, kind, metadata };
  }
}

interface Way {
  readonly version: string;
  readonly step: UntypedStep;
}

function ownMetadata(metadata: ApiObject['metadata'] | object): Pick<ApiObject['metadata'], 'annotations' | 'labels'> {
  return metadata;
}

function checkedVersion(name: string, resource: Resource): Resource {
  if (resource.version === name) return resource;
  throw new TypeError(`convert calls ${resource.version} of ${resource.kind} ${name}: the name must be the version`);
}

/** The shortest way for each pair. Throws for a pair without one, when it is written and not when it is needed. */
function waysBetween(
  versions: readonly string[],
  steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): ReadonlyMap<string, readonly Way[]> {
  const known = new Set(versions);
  for (const [from, targets] of Object.entries(steps))
    for (const to of [from, ...Object.keys(targets)])
      if (!known.has(to)) throw new TypeError(`convert has a step for ${to}, which is none of ${versions.join(', ')}`);
  const ways = new Map<string, readonly Way[]>();
  for (const from of versions) {
    const reached = reachableFrom(from, steps);
    for (const to of versions) {
      const way = reached.get(to);
      if (way === undefined) throw new TypeError(`convert has no way from ${from} to ${to}`);
      ways.set(`${from} ${to}`, way);
    }
  }
  return ways;
}

function reachableFrom(
  from: string,
  steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): ReadonlyMap<string, readonly Way[]> {
  const reached = new Map<string, readonly Way[]>([[from, []]]);
  // A map iterates over what is added on the way: nearest first.
  for (const [at, way] of reached) {
    for (const [version, step] of Object.entries(steps[at] ?? {})) {
      if (!isStep(step) || reached.has(version)) continue;
      reached.set(version, [...way, { version, step }]);
    }
  }
  return reached;
}

function isStep(value: unknown): value is UntypedStep {
  if (value === undefined) return false;
  if (typeof value === 'function') return true;
  throw new TypeError('a step of convert must be a function');
}
