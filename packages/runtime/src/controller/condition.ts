/** Conditions: what a controller says about an object in `status.conditions`. */

/** One condition, as Kubernetes defines it (`metav1.Condition`). */
export interface Condition {
  /** Such as `Ready`. A list has one condition of each type. */
  readonly type: string;
  readonly status: 'False' | 'True' | 'Unknown';
  /** When `status` changed last. */
  readonly lastTransitionTime: string;
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  /** For people; may be empty. */
  readonly message: string;
  /** The `metadata.generation` that the condition is about. */
  readonly observedGeneration?: number;
}

/** A condition to set; without a time it is now. */
export type NewCondition = Pick<Condition, 'reason' | 'status' | 'type'> & {
  readonly [K in 'lastTransitionTime' | 'message' | 'observedGeneration']?: Condition[K] | undefined;
};

type TimeSource = Date | { now(): number };

/**
 * Sets a condition in a list. Gives back a new list, or the same one when nothing changes. `lastTransitionTime` changes only
 * with the status. The order stays; a new type goes to the end. Fields that the new condition leaves undefined are dropped.
 *
 * @param now The time of the transition; a clock such as `ctx.cluster.clock`, or a date. Default: the machine's time.
 *
 * @example
 * const conditions = setCondition(object.status?.conditions, { type: 'Ready', status: 'True', reason: 'AllUp' });
 * await ctx.patchStatus({ conditions });
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  condition: NewCondition,
  now: TimeSource = Date,
): readonly Condition[] {
  const list = conditions ?? [];
  const old = findCondition(list, condition.type);
  const { type, status, reason, message = '', observedGeneration } = condition;
  const isTransition = old?.status !== status;
  const next: Condition = {
    type,
    status,
    lastTransitionTime: isTransition ? (condition.lastTransitionTime ?? timestamp(now)) : old.lastTransitionTime,
    reason,
    message,
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
  if (old === undefined) return [...list, next];
  if (!isTransition && isSame(old, next)) return list;
  return list.map((one) => (one === old ? next : one));
}

/** The condition of a type. */
export function findCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((one) => one.type === type);
}

/** Is there a condition of this type with the status `True`? */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

function isSame(a: Condition, b: Condition): boolean {
  return a.reason === b.reason && a.message === b.message && a.observedGeneration === b.observedGeneration;
}

/** As the API writes times: whole seconds. */
function timestamp(now: TimeSource): string {
  const date = now instanceof Date ? now : new Date(now.now());
  return `${date.toISOString().slice(0, 19)}Z`;
}
