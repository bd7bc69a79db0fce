/** The metadata of a list. */

import { encodeContinueToken } from '@listwatch/api';
import type { CachedPage } from '../cache/list-page.ts';

/** The metadata of a page, as JSON has it. */
export function listMetadata({ revision, next, remaining }: CachedPage): Readonly<Record<string, unknown>> {
  return {
    resourceVersion: String(revision),
    ...(next === undefined ? {} : { continue: encodeContinueToken({ revision, start: next }) }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}
