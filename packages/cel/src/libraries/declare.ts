/** Short forms for the declarations of libraries. */
import type { FunctionDeclaration, Overload } from '../library/cel-library.ts';

/** What a call costs at run time and in estimates. */
export type Costs = Pick<Overload, 'cost' | 'estimate'>;

/** The overloads of functions by their names. */
export function functions(table: Readonly<Record<string, readonly Overload[]>>): FunctionDeclaration[] {
  return Object.entries(table).map(([name, overloads]) => ({ name, overloads }));
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
export function plain(
  id: string,
  args: Overload['args'],
  result: Overload['result'],
  call: Overload['call'],
  costs: Costs = {},
): Overload {
  return { id, args, result, call, ...costs };
}
