/** The expressions of an admission policy or of a webhook: each is compiled once. */

import {
  BOOL,
  type CelEnvironment,
  type CelType,
  DYN,
  formatRuntimeType,
  listType,
  NULL,
  objectType,
  STRING,
} from '@listwatch/cel';
import { type ExpressionProblem, expressionProblem } from '../../validation/expression-problem.ts';
import { admissionEnvironment, variableType } from './admission-environment.ts';

/** The purpose of an expression. It determines the variables and the result type. */
export type ExpressionUse = 'annotation' | 'apply' | 'condition' | 'jsonPatch' | 'message' | 'validation' | 'variable';

const RESULTS: Readonly<Record<Exclude<ExpressionUse, 'variable'>, readonly CelType[]>> = {
  annotation: [STRING, NULL],
  apply: [objectType('Object')],
  condition: [BOOL],
  jsonPatch: [listType(objectType('JSONPatch'))],
  message: [STRING],
  validation: [BOOL],
};

/** The optional variables of the expressions of one object. */
export interface AdmissionExpressionsOptions {
  /** Has the policy parameters? */
  readonly hasParams: boolean;
  /** May expressions other than conditions use `variables`? */
  readonly hasVariables: boolean;
}

/** Validates the expressions of one object. Check the variables first and in order: later expressions may use them. */
export class AdmissionExpressions {
  readonly #hasParams: boolean;
  readonly #variables: Map<string, CelType> | undefined;
  readonly #environments: Map<ExpressionUse, CelEnvironment> = new Map();
  readonly #problems: Map<string, ExpressionProblem | undefined> = new Map();

  constructor({ hasParams, hasVariables }: AdmissionExpressionsOptions) {
    this.#hasParams = hasParams;
    this.#variables = hasVariables ? new Map() : undefined;
  }

  /** The problem of an expression; undefined if it is valid. */
  problem(use: Exclude<ExpressionUse, 'variable'>, text: string): ExpressionProblem | undefined {
    return this.#once(`${use} ${text}`, () => {
      const expected = RESULTS[use];
      return expressionProblem(this.#environment(use), text, ({ resultType }) => {
        const got = formatRuntimeType(resultType);
        const names = expected.map(formatRuntimeType);
        if (names.includes(got)) return undefined;
        const wanted = names.length === 1 ? names.join('') : `one of [${names.join(' ')}]`;
        return `must evaluate to ${wanted} but got ${got}`;
      });
    });
  }

  /** The problem of the variable at `index`. Expressions that are checked later can use the variable. */
  variableProblem(index: number, name: string, text: string): ExpressionProblem | undefined {
    return this.#once(`variable ${index}`, () => {
      let type = DYN;
      const problem = expressionProblem(this.#environment('variable'), text, ({ resultType }) => {
        type = variableType(resultType);
        return undefined;
      });
      this.#variables?.set(name, problem === undefined ? type : DYN);
      return problem;
    });
  }

  #once(key: string, compile: () => ExpressionProblem | undefined): ExpressionProblem | undefined {
    if (!this.#problems.has(key)) this.#problems.set(key, compile());
    return this.#problems.get(key);
  }

  #environment(use: ExpressionUse): CelEnvironment {
    let environment = this.#environments.get(use);
    if (environment === undefined) {
      const isCondition = use === 'condition';
      environment = admissionEnvironment({
        hasParams: this.#hasParams,
        hasAuthorizer: use !== 'message',
        hasPatchTypes: use === 'apply' || use === 'jsonPatch',
        ...(isCondition || this.#variables === undefined ? {} : { variables: this.#variables }),
      });
      this.#environments.set(use, environment);
    }
    return environment;
  }
}
