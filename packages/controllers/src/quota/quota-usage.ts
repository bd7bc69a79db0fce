/** What the objects of a namespace use of a quota. */

import { Quantity, recordOf } from '@listwatch/api/values';
import type { Cluster } from '@listwatch/client';
import { type Amounts, amountMap, countName, isInScopes, scopeRequirements } from '@listwatch/rules/usage';
import type { CountedApiObject, CountedKinds, QuotaKind } from './counted-kinds.ts';

/** The status of a ResourceQuota. */
export interface QuotaStatus {
  readonly hard: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
}

/** The kinds that a quota limits something of. */
export function concernedKinds(quota: CountedApiObject, kinds: readonly QuotaKind[]): readonly QuotaKind[] {
  const names = Object.keys(hardOf(quota));
  return kinds.filter(({ rule }) => names.some((name) => rule.concerns(name)));
}

/** Counts. Names that no kind concerns keep what the status says of them: another controller may count those. */
export async function countedStatus(
  cluster: Pick<Cluster, 'list'>,
  quota: CountedApiObject,
  known: CountedKinds,
  signal: AbortSignal,
): Promise<QuotaStatus> {
  const kinds = concernedKinds(quota, await known.read(signal));
  const hard = hardOf(quota);
  const used = new Map<string, Quantity>();
  const { namespace = '' } = quota.metadata;
  const requirements = scopeRequirements(quota);
  // Pods first: the rule of claims reads them.
  for (const kind of kinds.toSorted((left, right) => Number(isPods(right)) - Number(isPods(left)))) {
    const names = Object.keys(hard).filter((name) => kind.rule.concerns(name));
    for (const name of names) used.set(name, used.get(name) ?? Quantity.ZERO);
    const { items } = await cluster.list(kind.resource, { namespace, signal });
    if (isPods(kind)) known.setPods(items);
    for (const object of items) {
      if (isInScopes(kind.rule, object, requirements)) add(used, kind.rule.usage(object), names);
    }
  }
  const before = recordOf(recordOf(quota['status'])['used']);
  const entries = Object.keys(hard).flatMap((name): readonly (readonly [string, string])[] => {
    const amount = used.get(name);
    if (amount !== undefined) return [[name, String(amount)]];
    return Object.hasOwn(before, name) ? [[name, String(before[name])]] : [];
  });
  return { hard, used: Object.fromEntries(entries) };
}

/** How a quota and its counted status differ. */
export interface StatusDifference {
  readonly isChanged: boolean;
  /** Is less used than the status says? */
  readonly isLower: boolean;
}

/** Compares amounts and not texts: `1000m` is `1`. */
export function statusDifference(quota: CountedApiObject, { hard, used }: QuotaStatus): StatusDifference {
  const status = recordOf(quota['status']);
  const [oldHard, oldUsed] = [amountMap(status['hard']), amountMap(status['used'])];
  const isComplete = status['hard'] !== undefined && status['used'] !== undefined;
  const newUsed = amountMap(used);
  return {
    isChanged: !isComplete || !sameAmounts(oldHard, amountMap(hard)) || !sameAmounts(oldUsed, newUsed),
    isLower: [...oldUsed].some(([name, amount]) => amount.compare(newUsed.get(name) ?? amount) > 0),
  };
}

function isPods({ name }: QuotaKind): boolean {
  return `count/${name}` === countName('', 'pods');
}

function hardOf(quota: CountedApiObject): Readonly<Record<string, string>> {
  const hard = recordOf(recordOf(quota['spec'])['hard']);
  return Object.fromEntries(Object.entries(hard).map(([name, amount]) => [name, String(amount)]));
}

function add(used: Map<string, Quantity>, usage: Amounts, names: readonly string[]): void {
  for (const name of names) {
    const amount = usage.get(name);
    if (amount !== undefined) used.set(name, (used.get(name) ?? Quantity.ZERO).add(amount));
  }
}

function sameAmounts(left: Amounts, right: Amounts): boolean {
  return left.size === right.size && [...left].every(([name, amount]) => right.get(name)?.compare(amount) === 0);
}
