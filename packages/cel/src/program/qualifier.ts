/** Selections and indices: `a.b`, `a[i]`, `a.?b`, `a[?i]` and `has(a.b)`. */
import { CelError } from '../values/cel-error.ts';
import { CelFields } from '../values/cel-fields.ts';
import { CelList } from '../values/cel-list.ts';
import { CelMap } from '../values/cel-map.ts';
import { CelDouble, type CelResult, CelUint, type CelValue } from '../values/cel-value.ts';
import { formatKey } from '../values/format-value.ts';
import { typeOf } from '../values/type-of.ts';
import type { Frame, Plan } from './frame.ts';

/** One step from a value to a part of it. Costs 1 when it is taken. */
export interface Qualifier {
  readonly optional: boolean;
  /** The part, or an error when it is missing. */
  apply(frame: Frame, value: CelValue): CelResult;
  /** The part; `undefined` when it is missing. */
  find(frame: Frame, value: CelValue): CelResult | undefined;
}

/** `a.b` and `a["b"]` or `a[0]` with a constant. */
export function constantQualifier(key: CelValue, optional: boolean): Qualifier {
  const missing = new CelError(`no such key: ${formatKey(key)}`);
  return {
    optional,
    apply(frame, value) {
      frame.cost += 1;
      if (value instanceof CelMap) {
        const found = value.find(key);
        return found === undefined ? missing : found;
      }
      if (value instanceof CelList) return elementAt(value, key);
      const field = value instanceof CelFields ? value.find(key) : undefined;
      return field === undefined ? missing : field;
    },
    find(frame, value) {
      const found = partOf(value, key);
      if (found !== undefined && !(found instanceof CelError)) frame.cost += 1;
      return found;
    },
  };
}

/** `a[i]`; `index` is without a cost of its own when it is an attribute. */
export function indexQualifier(index: Plan, optional: boolean): Qualifier {
  return {
    optional,
    apply(frame, value) {
      const key = index(frame);
      frame.cost += 1;
      if (key instanceof CelError) return key;
      const found = partOf(value, key);
      return found === undefined ? missingPart(value, key) : found;
    },
    find(frame, value) {
      const key = index(frame);
      const found = key instanceof CelError ? key : partOf(value, key);
      if (found !== undefined && !(found instanceof CelError)) frame.cost += 1;
      return found;
    },
  };
}

/** `has(a.b)`. */
export function presenceQualifier(field: string): Qualifier {
  return {
    optional: false,
    apply(frame, value) {
      frame.cost += 1;
      const found = partOf(value, field);
      return found instanceof CelError ? found : found !== undefined;
    },
    find(frame, value) {
      const found = partOf(value, field);
      if (found === undefined || found instanceof CelError) return found;
      frame.cost += 1;
      return true;
    },
  };
}

function missingPart(value: CelValue, key: CelValue): CelError {
  return new CelError(
    value instanceof CelList ? `index out of bounds: ${formatKey(key)}` : `no such key: ${formatKey(key)}`,
  );
}

function elementAt(list: CelList, key: CelValue): CelResult {
  const index = listIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0 && index < list.size ? list.at(index) : missingPart(list, key);
}

/** The part of a value under a key; `undefined` when there is none. */
function partOf(value: CelValue, key: CelValue): CelResult | undefined {
  if (value instanceof CelMap) return value.find(key);
  if (value instanceof CelFields) return value.find(key);
  if (!(value instanceof CelList)) return undefined;
  const index = listIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0 && index < value.size ? value.at(index) : undefined;
}

/** The index of a list: an int, or another number with the value of one. */
function listIndex(key: CelValue): number | CelError {
  if (typeof key === 'number') return key;
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  if (key instanceof CelDouble) {
    return Number.isInteger(key.value) ? key.value : new CelError(`unsupported index value ${key.value} in list`);
  }
  return new CelError(`unsupported index type '${typeOf(key).name}' in list`);
}
