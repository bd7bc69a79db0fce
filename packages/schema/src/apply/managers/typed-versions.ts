/** One object in the versions of its managers. */

import type { JsonRecord } from '../../decode/json-record.ts';
import { ApplyError } from '../apply-error.ts';
import type { ApplyType } from '../apply-type.ts';
import type { OwnershipContext } from '../ownership-context.ts';
import { type Comparison, SAME } from '../typed/change-level.ts';
import { compareTyped } from '../typed/compare-typed.ts';
import { typeProblem } from '../typed/type-problems.ts';

/** An object in a version. */
export interface VersionedObject {
  readonly apiVersion: string;
  readonly object: JsonRecord;
}

/** The object in another version. Undefined when there is no such version. Throws when it does not fit its schema there. */
export function inVersion(
  context: OwnershipContext,
  { apiVersion: from, object }: VersionedObject,
  apiVersion: string,
): VersionedObject | undefined {
  if (from === apiVersion) return { apiVersion, object };
  const type = context.typeOf(apiVersion);
  if (type === undefined) return undefined;
  const converted = context.convert?.(object, apiVersion) ?? { ...object, apiVersion };
  const problem = typeProblem(converted, type);
  if (problem !== undefined) throw new ApplyError('OBJECT_MISMATCH', problem);
  return { apiVersion, object: converted };
}

/** The type of the endpoint's version. */
export function ownType(context: OwnershipContext): ApplyType {
  const type = context.typeOf(context.apiVersion);
  if (type === undefined) {
    const [group, version] = groupVersion(context.apiVersion);
    throw new ApplyError('OBJECT_MISMATCH', `no corresponding type for ${group}/${version}, Kind=${context.kind}`);
  }
  return type;
}

function groupVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/');
  return [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
}

/** A kind as Go prints it: `apps/v1, Kind=Deployment`; of the core group `/v1, Kind=Pod`. */
export function kindText(apiVersion: string, kind: string): string {
  return `${groupVersion(apiVersion).join('/')}, Kind=${kind}`;
}

/** What differs between two objects, worked out once for each version. Fields that the endpoint does not write are left out. */
export class VersionedComparison {
  readonly #context: OwnershipContext;
  readonly #live: VersionedObject;
  readonly #next: VersionedObject;
  readonly #known = new Map<string, Comparison | undefined>();

  /** Both in the version of the endpoint. */
  constructor(context: OwnershipContext, live: JsonRecord, next: JsonRecord) {
    this.#context = context;
    this.#live = { apiVersion: context.apiVersion, object: live };
    this.#next = { apiVersion: context.apiVersion, object: next };
  }

  /** In a version; undefined when there is no such version. */
  in(apiVersion: string): Comparison | undefined {
    if (this.#known.has(apiVersion)) return this.#known.get(apiVersion);
    const comparison = this.#compare(apiVersion);
    this.#known.set(apiVersion, comparison);
    return comparison;
  }

  #compare(apiVersion: string): Comparison | undefined {
    if (this.#live.object === this.#next.object) return SAME;
    const live = inVersion(this.#context, this.#live, apiVersion);
    const next = inVersion(this.#context, this.#next, apiVersion);
    const type = this.#context.typeOf(apiVersion);
    if (live === undefined || next === undefined || type === undefined) return undefined;
    const { added, removed, modified } = compareTyped(live.object, next.object, type);
    const reset = this.#context.resetFields?.(apiVersion);
    if (reset === undefined || reset.isEmpty) return { added, removed, modified };
    return { added: added.without(reset), removed: removed.without(reset), modified: modified.without(reset) };
  }
}
