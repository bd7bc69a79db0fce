/** One object in the versions of its managers. */

import type { JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from '../apply-type.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { OwnershipError } from '../ownership-error.ts';
import { type Comparison, isEmptyComparison, SAME } from '../typed/change-level.ts';
import { compareTyped } from '../typed/compare-typed.ts';
import { ItemProblem } from '../typed/item-element.ts';
import { typedValueProblem } from '../typed/type-problems.ts';

/** An object in a version. */
export interface VersionedObject {
  readonly apiVersion: string;
  readonly object: JsonRecord;
}

/**
 * The object in another version. Undefined when there is no such version. Throws when it does not fit its schema there; `failure` begins
 * the message.
 */
export function inVersion(
  context: OwnershipContext,
  { apiVersion: from, object }: VersionedObject,
  apiVersion: string,
  failure = '',
): VersionedObject | undefined {
  if (from === apiVersion) return { apiVersion, object };
  const type = context.typeOf(apiVersion);
  if (type === undefined) return undefined;
  const converted = context.convert?.(object, apiVersion) ?? { ...object, apiVersion };
  const problem = typedValueProblem(converted, type);
  if (problem !== undefined) throw new OwnershipError('OBJECT_MISMATCH', `${failure}${problem}`);
  return { apiVersion, object: converted };
}

/** The type of the endpoint's version. */
export function ownType(context: OwnershipContext): ApplyType {
  const type = context.typeOf(context.apiVersion);
  if (type === undefined) {
    const [group, version] = groupVersion(context.apiVersion);
    throw new OwnershipError('OBJECT_MISMATCH', `no corresponding type for ${group}/${version}, Kind=${context.kind}`);
  }
  return type;
}

function groupVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/');
  return [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
}

/** A kind as Go prints it: `apps/v1, Kind=Deployment`; of the core group `/v1, Kind=Pod`. */
export function goKindText(apiVersion: string, kind: string): string {
  return `${groupVersion(apiVersion).join('/')}, Kind=${kind}`;
}

/** Two objects in one version. */
interface ComparedObjects {
  readonly live: JsonRecord;
  readonly next: JsonRecord;
  readonly type: ApplyType;
}

function comparedObjects({ live, next, type }: ComparedObjects): Comparison {
  try {
    return compareTyped(live, next, type);
  } catch (problem) {
    throw comparisonFailure(problem, next, type);
  }
}

/** Pruning may leave null in the place of an item: such an object cannot be compared. */
function comparisonFailure(problem: unknown, next: JsonRecord, type: ApplyType): unknown {
  if (!(problem instanceof ItemProblem)) return problem;
  const text = typedValueProblem(next, type, { allowsDuplicates: true }) ?? problem.message;
  return new OwnershipError('OBJECT_MISMATCH', `failed to compare objects: ${text}`);
}

/** An object in several versions, each made once. */
export class TypedVersions {
  readonly #context: OwnershipContext;
  readonly #own: VersionedObject;
  readonly #known = new Map<string, VersionedObject | undefined>();

  /** The object is in the version of the endpoint. */
  constructor(context: OwnershipContext, object: JsonRecord) {
    this.#context = context;
    this.#own = { apiVersion: context.apiVersion, object };
    this.#known.set(context.apiVersion, this.#own);
  }

  /** Undefined when there is no such version. Throws when the object does not fit its schema there. */
  in(apiVersion: string): VersionedObject | undefined {
    if (this.#known.has(apiVersion)) return this.#known.get(apiVersion);
    const converted = inVersion(this.#context, this.#own, apiVersion);
    this.#known.set(apiVersion, converted);
    return converted;
  }
}

/** What differs between two objects, worked out once for each version. Fields that the endpoint does not write are left out. */
export class VersionedComparison {
  readonly #context: OwnershipContext;
  readonly #live: TypedVersions;
  readonly #next: TypedVersions;
  readonly #known = new Map<string, Comparison | undefined>();
  #isSame = false;

  constructor(context: OwnershipContext, live: TypedVersions, next: TypedVersions) {
    this.#context = context;
    this.#live = live;
    this.#next = next;
  }

  /** In a version; undefined when there is no such version. */
  in(apiVersion: string): Comparison | undefined {
    if (this.#known.has(apiVersion)) return this.#known.get(apiVersion);
    // Equal objects are equal in every version.
    if (this.#live === this.#next || this.#isSame) return this.#keep(apiVersion, SAME);
    const objects = this.#objects(apiVersion);
    return this.#keep(apiVersion, objects && comparedObjects(objects));
  }

  #objects(apiVersion: string): ComparedObjects | undefined {
    const live = this.#live.in(apiVersion);
    const next = this.#next.in(apiVersion);
    const type = this.#context.typeOf(apiVersion);
    if (live === undefined || next === undefined || type === undefined) return undefined;
    return { live: live.object, next: next.object, type };
  }

  #keep(apiVersion: string, comparison: Comparison | undefined): Comparison | undefined {
    const kept = comparison && this.#withoutReset(apiVersion, comparison);
    this.#known.set(apiVersion, kept);
    return kept;
  }

  #withoutReset(apiVersion: string, comparison: Comparison): Comparison {
    if (apiVersion === this.#context.apiVersion) this.#isSame = isEmptyComparison(comparison);
    const { added, removed, modified } = comparison;
    const reset = this.#context.resetFields?.(apiVersion);
    if (reset === undefined || reset.isEmpty) return { added, removed, modified };
    return { added: added.without(reset), removed: removed.without(reset), modified: modified.without(reset) };
  }
}
