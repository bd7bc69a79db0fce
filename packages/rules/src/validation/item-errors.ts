/** The errors in the items of a list. */

import type { FieldError } from '@listwatch/api';
import { FIELD_ERRORS_MAX, foldItems } from '@listwatch/api/internal';

/**
 * The errors that `check` finds, in the order of the items. Stops when no message could list more: a list may have 60 000 items.
 * A large object is checked in steps, as `foldItems` says: `check` takes note of an item, such as its name, last.
 */
export function itemErrors<T>(
  items: readonly T[],
  check: (item: T, index: number) => readonly FieldError[],
): readonly FieldError[] {
  return foldItems(
    items,
    (): FieldError[] => [],
    (errors, item, index) => {
      const found = check(item, index);
      if (found.length > 0) errors.push(...found);
      return errors.length <= FIELD_ERRORS_MAX;
    },
  );
}
