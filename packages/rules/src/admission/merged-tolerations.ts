/** Merges two lists of tolerations, without tolerations that another one covers. */

import { type JsonRecord, numberOf, sameJson, textOf } from '@listwatch/api/values';

/** Longer lists keep all tolerations: comparing all pairs would take too long. */
const MAX_COMPARED = 200;

/** The first list, then the second. Of two equal tolerations the first stays. */
export function mergedTolerations(first: readonly JsonRecord[], second: readonly JsonRecord[]): readonly JsonRecord[] {
  const all = [...first, ...second];
  if (all.length > MAX_COMPARED) return all;
  const merged: JsonRecord[] = [];
  for (const [index, one] of all.entries()) {
    const isCovered =
      merged.some((other) => covers(other, one)) ||
      all.slice(index + 1).some((other) => !sameJson(one, other) && covers(other, one));
    if (!isCovered) merged.push(one);
  }
  return merged;
}

/** Does `wide` tolerate everything that `one` does? */
function covers(wide: JsonRecord, one: JsonRecord): boolean {
  if (sameJson(wide, one)) return true;
  const isExists = textOf(wide['operator']) === 'Exists';
  if (textOf(wide['key']) !== textOf(one['key']) && (textOf(wide['key']) !== '' || !isExists)) return false;
  const effect = textOf(wide['effect']);
  if (effect !== '' && effect !== textOf(one['effect'])) return false;
  if (effect === 'NoExecute' && !staysAsLong(wide, one)) return false;
  return isExists || (textOf(one['operator']) !== 'Exists' && textOf(wide['value']) === textOf(one['value']));
}

function staysAsLong({ tolerationSeconds: wide }: JsonRecord, { tolerationSeconds: one }: JsonRecord): boolean {
  return wide === undefined || (one !== undefined && numberOf(one) <= numberOf(wide));
}
