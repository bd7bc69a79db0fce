/** The problem of a CEL expression, as kube-apiserver reports it. */

import { type FieldError, fieldInternal, fieldInvalid } from '@listwatch/api';
import { CelCompileError, type CelEnvironment, type CelProgram } from '@listwatch/cel';

/** Why an expression is refused. `isInternal`: it compiles, but it cannot be run. */
export interface ExpressionProblem {
  readonly detail: string;
  readonly isInternal: boolean;
}

/** Compiles an expression. `check` finds problems of an expression that compiles, such as a wrong result type. */
export function expressionProblem(
  environment: CelEnvironment,
  text: string,
  check: (program: CelProgram) => string | undefined,
): ExpressionProblem | undefined {
  try {
    const detail = check(environment.compile(text));
    return detail === undefined ? undefined : { detail, isInternal: false };
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    const isInternal = error.code === 'CEL_PROGRAM';
    const what = isInternal ? 'program instantiation failed' : 'compilation failed';
    return { detail: `${what}: ${error.message}`, isInternal };
  }
}

/** The problem as an error of a field; `text` is shown as its value. */
export function problemErrors(
  problem: ExpressionProblem | undefined,
  text: string,
  field: string,
): readonly FieldError[] {
  if (problem === undefined) return [];
  return [problem.isInternal ? fieldInternal(field, problem.detail) : fieldInvalid(field, text, problem.detail)];
}
