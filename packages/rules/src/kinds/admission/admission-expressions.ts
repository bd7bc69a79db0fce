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
import { admissionEnvironment, variableType } from '@listwatch/cel/kubernetes';
import { type ExpressionProblem, expressionProblem } from '../../validation/expression-problem.ts';

/** What an expression is for: it decides what it may use, and what comes out of it. */
export type ExpressionUse = 'annotation' | 'apply' | 'condition' | 'jsonPatch' | 'message' | 'validation' | 'variable';

const RESULTS: Readonly<Record<Exclude<ExpressionUse, 'variable'>, readonly CelType[]>> = {
  annotation: [STRING, NULL],
  apply: [objectType('Object')],
  condition: [BOOL],
  jsonPatch: [listType(objectType('JSONPatch'))],
  message: [STRING],
  validation: [BOOL],
};

/** What the expressions of one object may use. */
export interface AdmissionExpressionsOptions {
  /** Has the policy parameters? */
  readonly hasParams: boolean;
  /** May expressions other than conditions use `variables`? */
  readonly hasVariables: boolean;
}

/** Says what is wrong with the expressions of one object. Variables come first, in their order: later ones may use them. */
export class AdmissionExpressions {
  readonly #hasParams: boolean;
  readonly #variables: Map<string, CelType> | undefined;
  readonly #environments: Map<ExpressionUse, CelEnvironment> = new Map();
  readonly #problems: Map<string, ExpressionProblem | undefined> = new Map();

  constructor({ hasParams, hasVariables }: AdmissionExpressionsOptions) {
    this.#hasParams = hasParams;
    this.#variables = hasVariables ? new Map() : undefined;
  }

  /** What is wrong with an expression. */
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

  /** The same for the variable at `index`. Expressions that come after it can use the variable. */
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
