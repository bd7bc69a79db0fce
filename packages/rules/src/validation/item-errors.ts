/** The errors in the items of a list. */

import type { FieldError } from '@listwatch/api';
import { FIELD_ERRORS_MAX } from '@listwatch/api/internal';

/** The errors that `check` finds, in the order of the items. Stops when no message could list more: a list may have 60 000 items. */
export function itemErrors<T>(
  items: readonly T[],
  check: (item: T, index: number) => readonly FieldError[],
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    const found = check(item, index);
    if (found.length > 0) errors.push(...found);
    if (errors.length > FIELD_ERRORS_MAX) break;
  }
  return errors;
}
