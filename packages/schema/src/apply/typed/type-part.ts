/** Which part of a type counts for a value. */

import { isRecord } from '@listwatch/api/values';
import type { ApplyType } from '../apply-type.ts';

/** A part of a type. */
export type TypePart = 'list' | 'map' | 'scalar';

/**
 * The part that counts for a value: the one that fits it; for null and for values that fit none the first of map, scalar and
 * list.
 */
export function partFor(type: ApplyType, value: unknown): TypePart {
  const own = Array.isArray(value) ? 'list' : isRecord(value) ? 'map' : 'scalar';
  if (value !== null && type[own] !== undefined) return own;
  return type.map !== undefined ? 'map' : type.scalar !== undefined ? 'scalar' : 'list';
}
