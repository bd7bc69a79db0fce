/** `find` and `findAll` of Kubernetes. */
import type { RE2JS } from 're2js';
import { addRanges, type CallEstimate, fixed, multiplyRanges, scaleRange } from '../cost/cost-estimate.ts';
import type { CallContext, CallNodes, CelLibrary } from '../standard/cel-library.ts';
import { compilePattern, matchSteps } from '../standard/regular-expressions.ts';
import { INT, listType, STRING } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import type { CelInt, CelResult, CelValue } from '../values/cel-value.ts';
import { type Costs, functions, method } from './declare.ts';
import { PATTERN_FACTOR, sizeOfValue, TEXT_FACTOR } from './library-cost.ts';

const TEXTS = listType(STRING);
const NO_OVERLOAD = new CelError('no such overload');
const MATCH: Costs = { checkConstants: checkPattern, cost: matchCost, estimate: matchEstimate };

/** The library of regular expressions. */
export const regexLibrary: CelLibrary = {
  name: 'kubernetes.regex',
  functions: functions(
    {
      find: [method('string_find_string', [STRING, STRING], STRING, find, MATCH)],
      findAll: [
        method(
          'string_find_all_string',
          [STRING, STRING],
          TEXTS,
          (text: string, pattern: string, context: CallContext) => findAll(text, pattern, -1, context),
          MATCH,
        ),
        method('string_find_all_string_int', [STRING, STRING, INT], TEXTS, findAll, MATCH),
      ],
    },
    { find: () => NO_OVERLOAD, findAll: () => NO_OVERLOAD },
  ),
};

function checkPattern([, pattern]: readonly (CelValue | undefined)[]): CelError | undefined {
  const compiled = typeof pattern === 'string' ? compilePattern(pattern) : undefined;
  return compiled instanceof CelError ? compiled : undefined;
}

function find(text: string, pattern: string, context: CallContext): CelResult {
  const expression = ready(text, pattern, context);
  if (expression instanceof CelError) return expression;
  const matcher = expression.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function findAll(text: string, pattern: string, limit: CelInt, context: CallContext): CelResult {
  const expression = ready(text, pattern, context);
  if (expression instanceof CelError) return expression;
  const most = limit < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  const found: string[] = [];
  const matcher = expression.matcher(text);
  let end = -1;
  while (found.length < most && matcher.find()) {
    // Go leaves out an empty match right behind another match.
    if (matcher.start() === matcher.end() && matcher.start() === end) continue;
    // The cost of the pattern '' is 0: what it finds is counted as work.
    context.work(20);
    end = matcher.end();
    found.push(matcher.group() ?? '');
  }
  return CelList.of(found);
}

/** The compiled pattern, after the work of the match has been announced. */
function ready(text: string, pattern: string, context: CallContext): RE2JS | CelError {
  const expression = compilePattern(pattern, context);
  if (expression instanceof CelError) {
    return expression.reason === 'cost' ? expression : new CelError(`Illegal regex: ${expression.message}`);
  }
  context.work(matchSteps(expression, text));
  return expression;
}

function matchCost([text, pattern]: readonly CelResult[]): number {
  const textCost = Math.ceil((1 + sizeOfValue(text)) * TEXT_FACTOR);
  return textCost * Math.ceil(sizeOfValue(pattern) * PATTERN_FACTOR);
}

function matchEstimate({ target, args: [pattern], sizeOf }: CallNodes): CallEstimate | undefined {
  if (target === undefined || pattern === undefined) return undefined;
  const size = sizeOf(target);
  const textCost = scaleRange(addRanges(size, fixed(1)), TEXT_FACTOR);
  return {
    cost: multiplyRanges(textCost, scaleRange(sizeOf(pattern), PATTERN_FACTOR)),
    resultSize: { min: 0, max: size.max },
  };
}
