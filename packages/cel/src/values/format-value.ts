import { CelType } from '../types/cel-type.ts';
import { CelDouble, CelUint, type CelValue } from './cel-value.ts';

/** A key or an index as error texts have it. */
export function formatKey(value: CelValue): string {
  if (value instanceof CelDouble || value instanceof CelUint) return String(value.value);
  if (value instanceof CelType) return value.name;
  return typeof value === 'object' && value !== null ? 'value' : String(value);
}
