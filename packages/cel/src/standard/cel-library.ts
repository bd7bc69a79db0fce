/** How a library adds functions, macros and types to the language. */
import type { CallEstimate, CostNode, SizeEstimate } from '../cost/cost-estimate.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import type { Macro } from '../syntax/macro.ts';
import type { CelType } from '../types/cel-type.ts';
import type { CelError } from '../values/cel-error.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';

/** Functions, macros and names that belong together. */
export interface CelLibrary {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types of its own: their names become identifiers, so that `type(x) == net.IP` can be written. */
  readonly types?: readonly CelType[];
  /** Named constants. */
  readonly constants?: Readonly<Record<string, { readonly type: CelType; readonly value: CelValue }>>;
}

/** A function by its name, with one overload per signature. Libraries may add overloads to a function of another. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The result when the arguments fit no overload at run time. Default: the error `no such overload: name(types)`. */
  readonly otherwise?: (args: readonly CelValue[]) => CelResult;
}

/** One signature of a function and what it does. */
export interface Overload {
  /** The id of cel-go, such as `string_split_string`. */
  readonly id: string;
  /** Is it called as `args[0].name(args[1], ..)`? Else `name(args[0], args[1], ..)`. */
  readonly member?: boolean;
  /** The types of the arguments; that of the target of a member function comes first. */
  readonly args: readonly CelType[];
  readonly result: CelType;
  /**
   * The implementation: the arguments, then the {@link CallContext}. The types of the arguments are checked before the
   * call, and errors never come in. It returns errors and does not throw.
   */
  call(...args: (CelValue | CallContext)[]): CelResult;
  /**
   * Looks at the arguments that are constants when a program is made; an error, such as that of a pattern that does not
   * compile, refuses the program.
   */
  readonly checkConstants?: (args: readonly (CelValue | undefined)[]) => CelError | undefined;
  /** Looks at a call of it when the types are known: gives what is wrong with the call. */
  readonly checkCall?: (call: CallExpression, typeOf: (expression: Expression) => CelType) => readonly CallProblem[];
  /** May the literals in its arguments have elements of different types? */
  readonly takesMixedLiterals?: boolean;
  /** The cost of one call at run time; 1 without it. It runs after the call, also when the result is an error. */
  readonly cost?: (args: readonly CelResult[], result: CelResult) => number;
  /** Does `cost` hold only when the checker has found exactly one overload? Else a call costs 1, as in cel-go. */
  readonly costsWhenResolved?: boolean;
  /** The estimated cost of a call; 1 without it, or when it gives `undefined`. */
  readonly estimate?: (call: CallNodes) => CallEstimate | undefined;
}

/** What is wrong with a call. */
export interface CallProblem {
  /** The id of the expression where it is. */
  readonly id: number;
  readonly message: string;
}

/** A call in the static estimate. */
export interface CallNodes {
  readonly target: CostNode | undefined;
  /** The arguments without the target. */
  readonly args: readonly CostNode[];
  /** The size of a node: computed, else hinted by the environment, else unknown. */
  readonly sizeOf: (node: CostNode) => SizeEstimate;
}

/** What an implementation may need beside its arguments. */
export interface CallContext {
  /** `==` of CEL. It counts its steps: values that share their parts can be exponentially large. */
  equals(left: CelValue, right: CelValue): boolean;
  /**
   * Announces work before it is done, in the unit of cost (about ten characters or one element). `false` when that is more than
   * the rest of the limit: the function must then stop and return `COST_LIMIT_EXCEEDED`. Nothing is charged by it.
   */
  affords(cost: number): boolean;
  /**
   * Counts work that cel-go's cost does not show, such as compiling a pattern: one step is about 20 nanoseconds. An evaluation
   * with too many steps is cancelled as if its cost limit were exceeded.
   */
  work(steps: number): void;
  /** Says that work of this cost is done by somebody else: it takes none of the time that quick limits are for. */
  elsewhere(cost: number): void;
}
