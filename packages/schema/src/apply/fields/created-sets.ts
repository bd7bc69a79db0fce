/** The field sets of created objects by their shapes: Pods of one ReplicaSet, Events and Leases have the same. */

import type { FieldSet } from './field-set.ts';
import { TextCache } from './text-cache.ts';

/** Longer shapes are not kept, nor written to their end. */
export const LONGEST_SHAPE = 10_000;
export const MAX_SHAPE_CHARACTERS = 500_000;

export const CREATED_SETS: TextCache<FieldSet> = new TextCache({
  characters: MAX_SHAPE_CHARACTERS,
  longest: LONGEST_SHAPE,
});
