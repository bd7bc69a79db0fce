/** What is wrong with an expression in CEL, as kube-apiserver reports it. */

import { type FieldError, fieldInternal, fieldInvalid } from '@listwatch/api';
import { CelCompileError, type CelEnvironment, type CelProgram } from '@listwatch/cel';
import type { Steps } from '@listwatch/schema';

/** Why an expression is refused. `isInternal`: it compiles, but it cannot be run. */
export interface ExpressionProblem {
  readonly detail: string;
  readonly isInternal: boolean;
}

/** Compiles an expression. `judge` says what is wrong with one that compiles, such as the type of its result. */
export function expressionProblem(
  environment: CelEnvironment,
  text: string,
  judge: (program: CelProgram) => string | undefined,
): ExpressionProblem | undefined {
  try {
    const detail = judge(environment.compile(text));
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

/** To compile an expression of so many characters takes a millisecond or two. */
const STEP_LENGTH = 2000;
/** The least that an expression counts. */
const LEAST_LENGTH = 100;

/** Compiles expressions in steps: an object can have as many as its size allows. */
export function* compileInSteps(compiles: Iterable<() => string>): Steps<void> {
  let length = 0;
  for (const compile of compiles) {
    length += Math.max(LEAST_LENGTH, compile().length);
    if (length < STEP_LENGTH) continue;
    length = 0;
    yield;
  }
}
