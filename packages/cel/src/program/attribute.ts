/** Attributes: a variable or a value with the selections that follow it. cel-go resolves and charges them as one. */
import { CelError } from '../values/cel-error.ts';
import { CelMap } from '../values/cel-map.ts';
import { CelOptional, type CelResult, type CelValue } from '../values/cel-value.ts';
import type { Frame, Plan } from './frame.ts';
import type { Qualifier } from './qualifier.ts';

/** Something that selections can be added to. */
export interface Attribute {
  /** Gives its value and charges its qualifiers, but not itself. */
  readonly resolve: Plan;
  /** What it costs itself when it stands alone. */
  readonly cost: 0 | 1;
  extend(qualifier: Qualifier): Attribute;
}

/** An attribute that starts at the value of a plan. */
export function rootedAttribute(root: Plan, qualifiers: readonly Qualifier[] = []): Attribute {
  return {
    resolve: qualifiers.length === 0 ? root : resolver(root, qualifiers),
    cost: 1,
    extend: (qualifier) => rootedAttribute(root, [...qualifiers, qualifier]),
  };
}

/** `condition ? yes : no`; selections are added to both branches. */
export function conditionalAttribute(condition: Plan, yes: Attribute, no: Attribute): Attribute {
  return {
    resolve(frame) {
      const chosen = condition(frame);
      if (chosen === true) return yes.resolve(frame);
      if (chosen === false) return no.resolve(frame);
      return chosen instanceof CelError ? chosen : new CelError('no such overload');
    },
    cost: 0,
    extend: (qualifier) => conditionalAttribute(condition, yes.extend(qualifier), no.extend(qualifier)),
  };
}

/** A plan that is charged for itself, too. */
export function chargedPlan({ resolve, cost }: Attribute): Plan {
  if (cost === 0) return resolve;
  return (frame) => {
    frame.cost += 1;
    return resolve(frame);
  };
}

function resolver(root: Plan, qualifiers: readonly Qualifier[]): Plan {
  const [first, second] = qualifiers;
  if (first !== undefined && qualifiers.every(({ optional }) => !optional)) {
    if (qualifiers.length === 1) return singleResolver(root, first);
    if (second !== undefined && qualifiers.length === 2) return doubleResolver(root, first, second);
  }
  return (frame) => {
    const value = root(frame);
    return value instanceof CelError ? value : qualify(frame, value, qualifiers);
  };
}

function singleResolver(root: Plan, only: Qualifier): Plan {
  const all = [only];
  return (frame) => {
    const value = root(frame);
    if (value instanceof CelMap) return only.apply(frame, value);
    return value instanceof CelError ? value : qualify(frame, value, all);
  };
}

function doubleResolver(root: Plan, first: Qualifier, second: Qualifier): Plan {
  const all = [first, second];
  return (frame) => {
    const value = root(frame);
    if (value instanceof CelMap) {
      const part = first.apply(frame, value);
      return part instanceof CelError ? part : second.apply(frame, part);
    }
    return value instanceof CelError ? value : qualify(frame, value, all);
  };
}

/** Takes the qualifiers one after the other. From the first optional one on a missing part gives none. */
function qualify(frame: Frame, start: CelValue, qualifiers: readonly Qualifier[]): CelResult {
  let value = start;
  let optional = false;
  if (value instanceof CelOptional) {
    if (value.value === undefined) return value;
    value = nativeOf(value.value);
    optional = true;
  }
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional;
    const part = optional ? qualifier.find(frame, value) : qualifier.apply(frame, value);
    if (part === undefined) return CelOptional.NONE;
    if (part instanceof CelError) return part;
    value = part;
  }
  return optional ? new CelOptional(value) : value;
}

/** An optional inside an optional becomes its value, as in cel-go; `optional.none()` inside one becomes null. */
export function flattenOptional(result: CelResult): CelResult {
  if (!(result instanceof CelOptional) || !(result.value instanceof CelOptional)) return result;
  return new CelOptional(nativeOf(result.value));
}

function nativeOf(value: CelValue): CelValue {
  let inner = value;
  while (inner instanceof CelOptional) {
    if (inner.value === undefined) return null;
    inner = inner.value;
  }
  return inner;
}
