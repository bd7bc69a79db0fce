/** The expressions that select devices: each is compiled once. */

import { type FieldError, fieldForbidden, fieldTooLong, utf8Length } from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { type CelProgram, formatRuntimeType } from '@listwatch/cel';
import { DEVICE_SIZES, deviceEnvironment } from '@listwatch/cel/kubernetes';
import type { CustomVerdict, Steps } from '@listwatch/schema';
import {
  compileInSteps,
  type ExpressionProblem,
  expressionProblem,
  problemErrors,
} from '../../validation/expression-problem.ts';

const LENGTH_MAX = 10 * 1024;
const COST_MAX = 1_000_000;
/** To be of this type is to be found out for each device. */
const UNKNOWN = 'google.protobuf.Any';

/** What is known about an expression. */
interface Selector {
  readonly problem: ExpressionProblem | undefined;
  readonly isComplex: boolean;
}

/** Says what is wrong with selectors of devices. */
export class DeviceExpressions {
  readonly #selectors: Map<string, Selector> = new Map();

  /** What is wrong with an expression at `field`. */
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

/** Compiles selectors in steps, then validates what has them. */
export function* judgeSelectors(
  selectors: readonly JsonRecord[],
  validate: (expressions: DeviceExpressions) => readonly FieldError[],
): Steps<CustomVerdict> {
  const expressions = new DeviceExpressions();
  yield* compileInSteps(
    selectors.map(({ cel }) => () => {
      const text = textOf(recordOf(cel)['expression']);
      expressions.errors(text, '');
      return text;
    }),
  );
  return { errors: validate(expressions), warnings: [] };
}

/** All selectors of a claim. */
export function claimSelectors(devices: JsonRecord): readonly JsonRecord[] {
  return recordsOf(devices['requests']).flatMap(({ exactly, firstAvailable }) =>
    [recordOf(exactly), ...recordsOf(firstAvailable)].flatMap(({ selectors }) => recordsOf(selectors)),
  );
}
