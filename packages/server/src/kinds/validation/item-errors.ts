/** The errors in the items of a list. */

import type { FieldError } from '@listwatch/api';
import { FIELD_ERRORS_MAX } from '@listwatch/api/internal';
import type { Steps } from '@listwatch/schema';

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

/** So many items are checked in one step: a few milliseconds in a process that has not compiled the checks yet. */
const STEP_ITEMS = 200;

/** The same in steps. A list that fits into one has no pause. */
export function* itemErrorSteps<T>(
  items: readonly T[],
  check: (item: T, index: number) => readonly FieldError[],
): Steps<readonly FieldError[]> {
  if (items.length <= STEP_ITEMS) return itemErrors(items, check);
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const found = check(item, index);
    if (found.length > 0) errors.push(...found);
    if (errors.length > FIELD_ERRORS_MAX) break;
  }
  return errors;
}
