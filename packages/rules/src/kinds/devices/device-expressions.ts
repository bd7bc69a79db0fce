/** The expressions that select devices: each is compiled once. */

import { type FieldError, fieldForbidden, fieldTooLong, utf8Length } from '@listwatch/api';
import { type CelProgram, formatRuntimeType } from '@listwatch/cel';
import { type ExpressionProblem, expressionProblem, problemErrors } from '../../validation/expression-problem.ts';
import { DEVICE_SIZES, deviceEnvironment } from './device-environment.ts';

const LENGTH_MAX = 10 * 1024;
const COST_MAX = 1_000_000;
/** The type of a result that is known at run time only, such as the value of an attribute. */
const UNKNOWN = 'google.protobuf.Any';

/** The outcome of compiling an expression. */
interface Selector {
  readonly problem: ExpressionProblem | undefined;
  readonly isComplex: boolean;
}

/** Validates device selectors. Compiles each expression once. */
export class DeviceExpressions {
  readonly #selectors: Map<string, Selector> = new Map();

  /** The errors of an expression at `field`. */
  errors(text: string, field: string): readonly FieldError[] {
    if (utf8Length(text) > LENGTH_MAX) return [fieldTooLong(field, LENGTH_MAX)];
    const { problem, isComplex } = this.#selector(text);
    return isComplex ? [fieldForbidden(field, 'too complex, exceeds cost limit')] : problemErrors(problem, text, field);
  }

  #selector(text: string): Selector {
    let selector = this.#selectors.get(text);
    if (selector === undefined) {
      let cost = 0;
      const problem = expressionProblem(deviceEnvironment(), text, (program) => {
        const detail = resultProblem(program);
        if (detail === undefined) cost = program.estimateCost(DEVICE_SIZES).max;
        return detail;
      });
      selector = { problem, isComplex: problem === undefined && cost > COST_MAX };
      this.#selectors.set(text, selector);
    }
    return selector;
  }
}

function resultProblem({ resultType }: CelProgram): string | undefined {
  const got = formatRuntimeType(resultType);
  return got === 'bool' || got === UNKNOWN ? undefined : `must evaluate to bool or the unknown type, not ${got}`;
}
