/** The door: an environment knows variables, types and libraries, and compiles expressions into programs. */
import type { CostEstimate, SizeHints } from './cost/cost-estimate.ts';
import type { CelLibrary } from './library/cel-library.ts';
import type { Expression } from './syntax/expression.ts';
import type { CelType } from './types/cel-type.ts';
import type { CelResult, CelValue } from './values/cel-value.ts';

/** The object types that expressions may use, for instance made of schemas. */
export interface ObjectTypes {
  /** The fields of a type by its name; `undefined` when there is no such type. */
  fields(typeName: string): ReadonlyMap<string, CelType> | undefined;
}

/** What an environment is made of. */
export interface EnvironmentOptions {
  /** The variables and their types. */
  readonly variables?: Readonly<Record<string, CelType>>;
  /** Libraries beside the standard one. */
  readonly libraries?: readonly CelLibrary[];
  readonly objectTypes?: ObjectTypes;
  /** The namespace in which names are looked up. Default: none. */
  readonly container?: string;
}

/** Compiles expressions. */
export interface CelEnvironment {
  /** Parses and checks. Throws `CelCompileError` with the text of cel-go. */
  compile(source: string): CelProgram;
  /** The same environment with more in it. */
  extend(options: EnvironmentOptions): CelEnvironment;
}

/** A checked expression that is ready to run. */
export interface CelProgram {
  readonly expression: Expression;
  readonly resultType: CelType;
  /** The type of a node by its id. */
  typeOf(id: number): CelType;
  /** Runs it. Variables are values; adapt JSON with `adapt(type, json)`. */
  evaluate(variables: Readonly<Record<string, CelValue>>, limits?: EvaluationLimits): Evaluation;
  estimateCost(hints?: SizeHints): CostEstimate;
}

/** Limits of one evaluation. */
export interface EvaluationLimits {
  /** The cost above which the evaluation is cancelled. Default: 10,000,000. */
  readonly cost?: number;
}

/** What came out of one evaluation. */
export interface Evaluation {
  readonly result: CelResult;
  readonly cost: number;
}
