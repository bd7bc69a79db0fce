/** The door: an environment knows variables, types and libraries, and compiles expressions into programs. */
import type { CheckedExpression } from './checker/checked-expression.ts';
import { Declarations } from './checker/declarations.ts';
import { checkLiterals } from './checker/literal-checks.ts';
import { NO_OBJECT_TYPES, type ObjectTypes } from './checker/object-types.ts';
import { checkExpression } from './checker/type-checker.ts';
import type { CostEstimate, SizeHints } from './cost/cost-estimate.ts';
import { estimateCost } from './cost/cost-estimator.ts';
import { Frame, type QuickLimits, runPlan } from './program/frame.ts';
import { PlanFailure } from './program/planned-node.ts';
import { type PlannedProgram, planProgram } from './program/planner.ts';
import type { CelLibrary } from './standard/cel-library.ts';
import { OPTIONAL_LIBRARY } from './standard/optional-library.ts';
import { STANDARD_LIBRARY, TWO_VARIABLE_LIBRARY } from './standard/standard-library.ts';
import { type MacroTable, macroTable, parseExpression } from './syntax/cel-parser.ts';
import { CelCompileError } from './syntax/cel-source.ts';
import type { Expression } from './syntax/expression.ts';
import type { Macro } from './syntax/macro.ts';
import { type CelType, DYN } from './types/cel-type.ts';
import type { CelResult, CelValue } from './values/cel-value.ts';

/** What an environment is made of. */
export interface EnvironmentOptions {
  /** The variables and their types. */
  readonly variables?: Readonly<Record<string, CelType>>;
  /** Libraries beside the standard one, optional values and the macros with two variables. */
  readonly libraries?: readonly CelLibrary[];
  /** The object types that expressions may use. Default: none. */
  readonly objectTypes?: ObjectTypes;
  /** The namespace in which names are looked up. Default: none. */
  readonly container?: string;
}

/** Limits of one evaluation. */
export interface EvaluationLimits {
  /** The cost above which the evaluation is cancelled. Default: 10,000,000. */
  readonly cost?: number;
  /** Lower limits of cost and steps. Reaching one of them looks like reaching `cost`. Default: none. */
  readonly quick?: QuickLimits | undefined;
}

/** What came out of one evaluation. */
export interface Evaluation {
  /** Work that the cost does not show, such as matching patterns: a step is about 20 nanoseconds. */
  readonly steps: number;
  readonly result: CelResult;
  readonly cost: number;
  /** The part of the cost for work that others do, such as deciding about rights. */
  readonly elsewhere: number;
}

const DEFAULT_COST_LIMIT = 10_000_000;
const LANGUAGE: readonly CelLibrary[] = [STANDARD_LIBRARY, OPTIONAL_LIBRARY, TWO_VARIABLE_LIBRARY];

/** Compiles expressions. It is made once: its declarations are shared by all programs. */
export class CelEnvironment {
  readonly #declarations: Declarations;
  readonly #macros: readonly Macro[];
  readonly #macroTable: MacroTable;

  /** With `outer`, everything of that environment is there too; see {@link extend}. */
  constructor(options: EnvironmentOptions = {}, outer?: CelEnvironment) {
    const outerDeclarations = outer === undefined ? undefined : outer.#declarations;
    const libraries = [...(outer === undefined ? LANGUAGE : []), ...(options.libraries ?? [])];
    const parts = {
      variables: options.variables ?? {},
      libraries,
      objectTypes: options.objectTypes ?? outerDeclarations?.objectTypes ?? NO_OBJECT_TYPES,
      container: options.container ?? outerDeclarations?.container ?? '',
    };
    this.#declarations = new Declarations(parts, outerDeclarations);
    const macros = libraries.flatMap((library) => library.macros ?? []);
    this.#macros = [...(outer === undefined ? [] : outer.#macros), ...macros];
    this.#macroTable = outer !== undefined && macros.length === 0 ? outer.#macroTable : macroTable(this.#macros);
  }

  /** Parses, checks and plans an expression. Throws {@link CelCompileError} with the text of cel-go. */
  compile(source: string): CelProgram {
    const parsed = parseExpression(source, this.#macroTable);
    if ('issues' in parsed) throw new CelCompileError(source, parsed.issues);
    const result = checkExpression(parsed, this.#declarations);
    if (result.issues.length > 0) throw new CelCompileError(source, result.issues);
    if (result.hasCheckedLiterals) {
      const issues = checkLiterals(result.checked);
      if (issues.length > 0) throw new CelCompileError(source, issues);
    }
    const program = new CelProgram(result.checked);
    if (result.hasFallibleConstants) program.prepare();
    return program;
  }

  /** The same environment with more in it: names of the options come first. Nothing is copied. */
  extend(options: EnvironmentOptions): CelEnvironment {
    return new CelEnvironment(options, this);
  }
}

/** A checked expression that is ready to run. */
export class CelProgram {
  readonly #checked: CheckedExpression;
  #planned: PlannedProgram | undefined;

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
  }

  /** Plans the evaluation now; the first evaluation does it otherwise. Throws {@link CelCompileError} when that fails. */
  prepare(): void {
    this.#plan();
  }

  get expression(): Expression {
    return this.#checked.expression;
  }

  get resultType(): CelType {
    return this.#checked.typeOf(this.#checked.expression);
  }

  /** The variables of the environment that the expression reads. */
  get variables(): readonly string[] {
    return [...this.#plan().variables.keys()];
  }

  /** The type of a node by its id. */
  typeOf(id: number): CelType {
    return this.#checked.types[id] ?? DYN;
  }

  /** Runs it. Variables are values: adapt JSON with `adapter(type)`. Never throws for what an expression does. */
  evaluate(variables: Readonly<Record<string, CelValue | undefined>>, limits: EvaluationLimits = {}): Evaluation {
    const { plan, unset, variables: used } = this.#plan();
    const slots: (CelResult | undefined)[] = unset.slice();
    for (const [name, slot] of used) slots[slot] = variables[name];
    const frame = new Frame(limits.cost ?? DEFAULT_COST_LIMIT, slots, limits.quick);
    const result = runPlan(plan, frame);
    return { result, cost: frame.cost, steps: frame.steps, elsewhere: frame.elsewhereCost };
  }

  #plan(): PlannedProgram {
    if (this.#planned !== undefined) return this.#planned;
    try {
      this.#planned = planProgram(this.#checked);
      return this.#planned;
    } catch (error) {
      if (error instanceof PlanFailure) throw new CelCompileError(error.message);
      throw error;
    }
  }

  /** The least and the greatest cost of an evaluation, as far as the expression and the hints tell. */
  estimateCost(hints?: SizeHints): CostEstimate {
    return estimateCost(this.#checked, hints);
  }
}
