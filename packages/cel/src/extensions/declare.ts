/** Short forms for the declarations of libraries. */
import type { FunctionDeclaration, Overload } from '../standard/cel-library.ts';

/** What a call costs at run time and in estimates, and how it is checked. */
export type Costs = Pick<
  Overload,
  'checkCall' | 'checkConstants' | 'cost' | 'costsWhenResolved' | 'estimate' | 'takesMixedLiterals'
>;

/** The overloads of functions by their names, and the results of calls that fit none of them at run time. */
export function functions(
  table: Readonly<Record<string, readonly Overload[]>>,
  otherwise: Readonly<Record<string, NonNullable<FunctionDeclaration['otherwise']>>> = {},
): FunctionDeclaration[] {
  return Object.entries(table).map(([name, overloads]) => {
    const result = otherwise[name];
    return result === undefined ? { name, overloads } : { name, overloads, otherwise: result };
  });
}

/** An overload that is called on its first argument: `text.trim()`. */
export function method(
  id: string,
  args: Overload['args'],
  result: Overload['result'],
  call: Overload['call'],
  costs: Costs = {},
): Overload {
  return { id, member: true, args, result, call, ...costs };
}

/** An overload that is called by its name alone: `quantity(text)`. */
export function plainOverload(
  id: string,
  args: Overload['args'],
  result: Overload['result'],
  call: Overload['call'],
  costs: Costs = {},
): Overload {
  return { id, args, result, call, ...costs };
}
