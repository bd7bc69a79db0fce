/** Checks a write against the quotas of its namespace. Pure: the caller stores the new usage. */

import type { Resource } from '@listwatch/api';
import { forbidden } from '@listwatch/api';
import { Quantity } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import type { Amounts } from './pod-resources.ts';
import type { QuotaState } from './quota-state.ts';
import type { UsageRule } from './usage-rule.ts';

/** A write that a quota may count. */
export interface ChargedWrite {
  readonly resource: Resource;
  readonly object: KubeObject;
  /** The stored object; undefined on a creation. */
  readonly old?: KubeObject | undefined;
  /** `''`: the object itself. */
  readonly subresource: string;
}

/** The quotas after the write; an unchanged quota is the same object. Throws the 403. */
export function chargeQuotas(
  quotas: readonly QuotaState[],
  write: ChargedWrite,
  rule: UsageRule,
): readonly QuotaState[] {
  const { object, old } = write;
  const refuse = (why: string): Error => forbidden(write.resource, object.metadata.name ?? '', why);
  const covering = new Set(quotas.filter((quota) => quota.covers(rule, object)));
  for (const quota of covering) requireCountable(quota, write, rule, refuse);
  if (covering.size === 0) return quotas;
  const usage = rule.usage(object);
  const negative = [...usage].filter(([, { sign }]) => sign < 0).map(([name]) => name);
  if (negative.length > 0) throw refuse(`quota usage is negative for resource(s): ${sortedText(negative)}`);
  const more = old === undefined ? usage : growth(usage, rule.usage(old));
  return quotas.map((quota) => {
    if (!covering.has(quota)) return quota;
    return charged(quota, countedBefore(quota, rule, old) ? more : usage, write.subresource, refuse);
  });
}

function countedBefore(quota: QuotaState, rule: UsageRule, old: KubeObject | undefined): boolean {
  return old !== undefined && quota.covers(rule, old);
}

/** Refuses objects that lack an amount which the quota limits, and all objects before the usage is counted. */
function requireCountable(
  quota: QuotaState,
  { object }: ChargedWrite,
  rule: UsageRule,
  refuse: (why: string) => Error,
): void {
  const names = quota.names(rule);
  const missing = rule.missing?.(object, names);
  if (missing !== undefined) throw refuse(`failed quota: ${quota.name}: must specify ${missing}`);
  if (names.every((name) => quota.used.has(name))) return;
  throw refuse(`status unknown for quota: ${quota.name}, resources: ${sortedText(names)}`);
}

/** The additional usage. The quota controller releases usage that is no longer needed. */
function growth(now: Amounts, before: Amounts): Amounts {
  return new Map(
    [...now].map(([name, amount]) => {
      const difference = amount.subtract(before.get(name) ?? Quantity.ZERO);
      return [name, difference.sign > 0 ? difference : Quantity.ZERO];
    }),
  );
}

function charged(quota: QuotaState, usage: Amounts, subresource: string, refuse: (why: string) => Error): QuotaState {
  const requested = new Map([...usage].filter(([name, { sign }]) => sign !== 0 && quota.hard.has(name)));
  if (requested.size === 0) return quota;
  const used = new Map<string, Quantity>(quota.used);
  for (const [name, amount] of requested) used.set(name, (used.get(name) ?? Quantity.ZERO).add(amount));
  const exceeded = [...requested.keys()]
    .filter((name) => (used.get(name) ?? Quantity.ZERO).compare(quota.hard.get(name) ?? Quantity.ZERO) > 0)
    .toSorted();
  // A status reports facts: its usage is counted but never refused.
  if (exceeded.length > 0 && subresource !== 'status') {
    const list = (amounts: Amounts): string =>
      exceeded
        .filter((name) => amounts.has(name))
        .map((name) => `${name}=${String(amounts.get(name) ?? Quantity.ZERO)}`)
        .join(',');
    const facts = `requested: ${list(requested)}, used: ${list(quota.used)}, limited: ${list(quota.hard)}`;
    throw refuse(`exceeded quota: ${quota.name}, ${facts}`);
  }
  return quota.withUsed(used);
}

function sortedText(names: readonly string[]): string {
  return names.toSorted().join(',');
}
