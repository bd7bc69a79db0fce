import { CelList } from './cel-list.ts';
import { CelMap } from './cel-map.ts';
import { CelOptional, type CelResult } from './cel-value.ts';
import { codePointCount } from './code-points.ts';

/** The size of a value for its cost: that of `size()`, that of the value of an optional, and 1 for others. */
export function valueSize(value: CelResult): number {
  if (typeof value === 'string') return codePointCount(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelOptional && value.value !== undefined) return valueSize(value.value);
  return 1;
}
