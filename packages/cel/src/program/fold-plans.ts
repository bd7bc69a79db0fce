/** Folds: what macros become. The common shapes are planned as loops of their own. */
import { MAP_INSERT } from '../syntax/two-variable-macros.ts';
import { CelError } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import { CelMap, type MapKey, mapKey } from '../values/cel-map.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { formatKey } from '../values/format-value.ts';
import { typeOf } from '../values/type-of.ts';
import type { Frame, Plan } from './frame.ts';

const NO_OVERLOAD: CelError = new CelError('no such overload');

/** Sets the variables of a fold and calls `step` for every element, until that gives `false`. */
type Iterate = (frame: Frame, range: CelValue, step: (frame: Frame) => boolean) => CelError | undefined;

/** The loop over one variable, or over two. */
export function iteration(slot: number, slot2: number | undefined): Iterate {
  return slot2 === undefined ? single(slot) : double(slot, slot2);
}

function single(slot: number): Iterate {
  return (frame, range, step) => {
    const { slots } = frame;
    if (range instanceof CelList) {
      for (let index = 0; index < range.size; index++) {
        slots[slot] = range.at(index);
        if (!step(frame)) break;
        if (frame.cost > frame.limit) frame.charge(0);
      }
    } else if (range instanceof CelMap) {
      for (const key of range.keys()) {
        slots[slot] = key;
        if (!step(frame)) break;
        if (frame.cost > frame.limit) frame.charge(0);
      }
    } else {
      return new CelError(`got '${celGoTypeName(range)}', expected iterable type`);
    }
    return undefined;
  };
}

function double(slot: number, slot2: number): Iterate {
  return (frame, range, step) => {
    const { slots } = frame;
    if (range instanceof CelList) {
      for (let index = 0; index < range.size; index++) {
        slots[slot] = index;
        slots[slot2] = range.at(index);
        if (!step(frame)) break;
        if (frame.cost > frame.limit) frame.charge(0);
      }
    } else if (range instanceof CelMap) {
      for (const key of range.keys()) {
        slots[slot] = key;
        slots[slot2] = range.find(key);
        if (!step(frame)) break;
        if (frame.cost > frame.limit) frame.charge(0);
      }
    } else {
      return new CelError(`unsupported comprehension range type: ${celGoTypeName(range)}`);
    }
    return undefined;
  };
}

const GO_NAMES: Readonly<Record<string, string>> = {
  bool: 'Bool',
  bytes: 'Bytes',
  double: 'Double',
  int: 'Int',
  null_type: 'Null',
  string: 'String',
  uint: 'Uint',
  'google.protobuf.Timestamp': 'Timestamp',
  'google.protobuf.Duration': 'Duration',
};

/** The name of the Go type of a value, which some errors of cel-go show. */
export function celGoTypeName(value: CelValue): string {
  const { name } = typeOf(value);
  return `types.${GO_NAMES[name] ?? name}`;
}

/** `all` and `exists`: `stop` is the value that ends the loop, `overhead` the cost of its hidden condition. */
export function quantifierPlan(range: Plan, iterate: Iterate, predicate: Plan, stop: boolean): Plan {
  const overhead = stop ? 3 : 2;
  return (frame) => {
    const source = range(frame);
    if (source instanceof CelError) return source;
    let result: CelResult = !stop;
    const failed = iterate(frame, source, () => {
      frame.cost += overhead;
      if (result === stop) return false;
      frame.cost += 1;
      const value = predicate(frame);
      if (value === stop) result = stop;
      else if (value !== !stop && result === !stop) result = value instanceof CelError ? value : NO_OVERLOAD;
      return true;
    });
    if (failed !== undefined) return failed;
    frame.cost += 1;
    return result;
  };
}

/** `existsOne`. */
export function existsOnePlan(range: Plan, iterate: Iterate, predicate: Plan): Plan {
  return (frame) => {
    const source = range(frame);
    if (source instanceof CelError) return source;
    let count = 0;
    let error: CelError | undefined;
    const failed = iterate(frame, source, () => {
      const value = predicate(frame);
      if (value === true) {
        frame.cost += 2;
        count++;
      } else if (value !== false) {
        error = value instanceof CelError ? value : NO_OVERLOAD;
      }
      return true;
    });
    if (failed !== undefined) return failed;
    frame.cost += 2;
    return error ?? count === 1;
  };
}

/** `map`, `filter` and `transformList`. `cost` is that of the list around the element. */
export function collectListPlan(
  range: Plan,
  iterate: Iterate,
  filter: Plan | undefined,
  element: Plan,
  cost: number,
): Plan {
  return (frame) => {
    const source = range(frame);
    if (source instanceof CelError) return source;
    const items: CelValue[] = [];
    let error: CelError | undefined;
    const failed = iterate(frame, source, () => {
      const passed = filter === undefined || filter(frame);
      if (passed === true) {
        // The accumulator, the list of one element and the sum.
        frame.cost += 2 + cost;
        const value = element(frame);
        if (!(value instanceof CelError)) items.push(value);
        else error ??= value;
      } else if (passed !== false) {
        error = passed instanceof CelError ? passed : NO_OVERLOAD;
      }
      return true;
    });
    if (failed !== undefined) return failed;
    frame.cost += 1;
    return error ?? CelList.of(items);
  };
}

/** What is inserted into the map of a fold: a key with a value, or the entries of a map. */
export type Insertion = { readonly key: Plan; readonly value: Plan } | { readonly entries: Plan };

/** `transformMap` and `transformMapEntry`. */
export function collectMapPlan(range: Plan, iterate: Iterate, filter: Plan | undefined, insertion: Insertion): Plan {
  return (frame) => {
    const source = range(frame);
    if (source instanceof CelError) return source;
    const entries = new Map<MapKey, readonly [CelValue, CelValue]>();
    let error: CelError | undefined;
    const failed = iterate(frame, source, () => {
      const passed = filter === undefined || filter(frame);
      if (passed === true) {
        frame.cost += 1;
        // With an error in the accumulator, a call with three arguments stops at the first of them.
        if (error === undefined || 'entries' in insertion) error = insert(frame, entries, insertion, error);
      } else if (passed !== false) {
        error = passed instanceof CelError ? passed : NO_OVERLOAD;
      }
      return true;
    });
    if (failed !== undefined) return failed;
    frame.cost += 1;
    return error ?? CelMap.of(entries);
  };
}

function insert(
  frame: Frame,
  entries: Map<MapKey, readonly [CelValue, CelValue]>,
  insertion: Insertion,
  before: CelError | undefined,
): CelError | undefined {
  if ('entries' in insertion) {
    const added = insertion.entries(frame);
    frame.cost += 1;
    if (before !== undefined) return before;
    if (added instanceof CelError) return added;
    if (!(added instanceof CelMap)) return new CelError(`no such overload: ${MAP_INSERT}(map, ${typeOf(added).name})`);
    for (const key of added.keys()) {
      const failed = insertEntry(entries, key, added.find(key) ?? null);
      if (failed !== undefined) return failed;
    }
    return undefined;
  }
  const key = insertion.key(frame);
  if (key instanceof CelError) return key;
  const value = insertion.value(frame);
  if (value instanceof CelError) return value;
  frame.cost += 1;
  return insertEntry(entries, key, value);
}

function insertEntry(
  entries: Map<MapKey, readonly [CelValue, CelValue]>,
  key: CelValue,
  value: CelValue,
): CelError | undefined {
  const lookedUp = mapKey(key);
  if (entries.has(lookedUp)) return new CelError(`insert failed: key ${formatKey(key)} already exists`);
  entries.set(lookedUp, [key, value]);
  return undefined;
}

/** Any other fold. The accumulator is computed when it is first read. */
export function generalFoldPlan(
  range: Plan,
  iterate: Iterate,
  accumulator: number,
  parts: Readonly<Record<'condition' | 'step' | 'result', Plan>>,
): Plan {
  return (frame) => {
    const before = frame.slots[accumulator];
    frame.slots[accumulator] = undefined;
    const source = range(frame);
    if (source instanceof CelError) return source;
    const failed = iterate(frame, source, () => {
      if (parts.condition(frame) === false) return false;
      frame.slots[accumulator] = parts.step(frame);
      return true;
    });
    const result = failed ?? parts.result(frame);
    frame.slots[accumulator] = before;
    return result;
  };
}
