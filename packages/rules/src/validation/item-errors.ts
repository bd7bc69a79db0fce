/** The errors in the items of a list. */

import type { FieldError } from '@listwatch/api';
import { FIELD_ERRORS_MAX } from '@listwatch/api/internal';

/** The errors that `check` finds, in the order of the items. Stops when no message could list more: a list may have 60 000 items. */
export function itemErrors<T>(
  items: readonly T[],
  check: (item: T, index: number) => readonly FieldError[],
): readonly FieldError[] {
  let errors: FieldError[] | undefined;
  let index = -1;
  for (const item of items) {
    index += 1;
    const found = check(item, index);
    if (found.length === 0) continue;
    errors ??= [];
    errors.push(...found);
    if (errors.length > FIELD_ERRORS_MAX) break;
  }
  return errors ?? NONE;
}

/** Nearly no list has an error. */
const NONE: readonly FieldError[] = [];
