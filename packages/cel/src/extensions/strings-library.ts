/** The string functions of CEL's extensions, in the version that Kubernetes uses. */
import {
  addRanges,
  type CallEstimate,
  fixed,
  MAX_COST,
  multiplyRanges,
  type Range,
  scaleRange,
} from '../cost/cost-estimate.ts';
import type { CallContext, CallNodes, CelLibrary } from '../standard/cel-library.ts';
import { DYN, INT, listType, STRING } from '../types/cel-type.ts';
import { CelError, COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import type { CelInt, CelResult } from '../values/cel-value.ts';
import { formatKey } from '../values/format-value.ts';
import { functions, method, plainOverload } from './declare.ts';
import { formatProblems } from './format-check.ts';
import {
  codePoints,
  itemNode,
  scanEstimate,
  TEXT_FACTOR,
  textCost,
  textEstimate,
  traversalCost,
} from './library-cost.ts';
import { formatText } from './text-format.ts';
import * as text from './text-functions.ts';

const TEXTS = listType(STRING);
const SCAN = { cost: textCost(0), estimate: textEstimate('target', 1, true) };
const REPLACE = { cost: textCost(0, 2), estimate: replaceEstimate };
const SPLIT = { cost: textCost(0, 2), estimate: splitEstimate };
const JOIN = { cost: joinCost, estimate: joinEstimate };
const QUOTE = { cost: textCost(0), costsWhenResolved: true, estimate: textEstimate('argument') };
const FORMAT = {
  cost: textCost(0),
  costsWhenResolved: true,
  estimate: textEstimate('target'),
  checkCall: formatProblems,
  takesMixedLiterals: true,
};
const SEARCH = { cost: ([value]: readonly CelResult[]) => traversalCost(value), estimate: scanEstimate };

/** `charAt`, `format`, `indexOf`, `join`, `lastIndexOf`, `lowerAscii`, `replace`, `split`, `substring`, `trim` and others. */
export const stringsLibrary: CelLibrary = {
  name: 'cel.lib.ext.strings',
  functions: functions({
    charAt: [method('string_char_at_int', [STRING, INT], STRING, text.charAt)],
    indexOf: [
      method('string_index_of_string', [STRING, STRING], INT, (s: string, p: string) => text.indexOf(s, p), SEARCH),
      method('string_index_of_string_int', [STRING, STRING, INT], INT, indexFrom, SEARCH),
    ],
    lastIndexOf: [
      method(
        'string_last_index_of_string',
        [STRING, STRING],
        INT,
        (s: string, p: string) => text.lastIndexOf(s, p),
        SEARCH,
      ),
      method('string_last_index_of_string_int', [STRING, STRING, INT], INT, lastIndexFrom, SEARCH),
    ],
    lowerAscii: [method('string_lower_ascii', [STRING], STRING, text.lowerAscii, SCAN)],
    upperAscii: [method('string_upper_ascii', [STRING], STRING, text.upperAscii, SCAN)],
    trim: [method('string_trim', [STRING], STRING, text.trim, SCAN)],
    substring: [
      method('string_substring_int', [STRING, INT], STRING, (s: string, i: CelInt) => text.substring(s, i), SCAN),
      method('string_substring_int_int', [STRING, INT, INT], STRING, between, SCAN),
    ],
    replace: [
      method(
        'string_replace_string_string',
        [STRING, STRING, STRING],
        STRING,
        (s: string, part: string, by: string, context: CallContext) => replaced(s, part, by, -1, context),
        REPLACE,
      ),
      method('string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, replaced, REPLACE),
    ],
    split: [
      method('string_split_string', [STRING, STRING], TEXTS, (s: string, by: string) => splitParts(s, by, -1), SPLIT),
      method('string_split_string_int', [STRING, STRING, INT], TEXTS, splitParts, SPLIT),
    ],
    join: [
      method('list_join', [TEXTS], STRING, (list: CelList, context: CallContext) => joined(list, '', context), JOIN),
      method('list_join_string', [TEXTS, STRING], STRING, joined, JOIN),
    ],
    format: [method('string_format', [STRING, listType(DYN)], STRING, formatText, FORMAT)],
    'strings.quote': [plainOverload('strings_quote', [STRING], STRING, text.celLiteral, QUOTE)],
  }),
};

function indexFrom(whole: string, part: string, from: CelInt): CelResult {
  return text.indexOf(whole, part, from);
}

function lastIndexFrom(whole: string, part: string, from: CelInt): CelResult {
  return text.lastIndexOf(whole, part, from);
}

function between(whole: string, from: CelInt, to: CelInt): CelResult {
  return text.substring(whole, from, to);
}

function splitParts(whole: string, separator: string, limit: CelInt): CelList {
  return CelList.of(text.split(whole, separator, limit));
}

function replaced(whole: string, part: string, by: string, limit: CelInt, context: CallContext): CelResult {
  const count = text.replacements(whole, part, limit);
  if (!context.affords((whole.length + count * (by.length - part.length)) * TEXT_FACTOR)) {
    return COST_LIMIT_EXCEEDED;
  }
  return text.replaceText(whole, part, by, count);
}

function joined(list: CelList, separator: string, context: CallContext): CelResult {
  const parts: string[] = [];
  let length = Math.max(0, list.size - 1) * separator.length;
  for (let index = 0; index < list.size; index++) {
    const part = list.at(index);
    if (typeof part !== 'string') return new CelError(`join: invalid input: ${formatKey(part)}`);
    parts.push(part);
    length += part.length;
  }
  return context.affords(length * TEXT_FACTOR) ? parts.join(separator) : COST_LIMIT_EXCEEDED;
}

function joinCost(_args: readonly CelResult[], result: CelResult): number {
  return Math.ceil((typeof result === 'string' ? codePoints(result) : 1) * 2 * TEXT_FACTOR);
}

function joinEstimate({ target, args, sizeOf }: CallNodes): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const item = itemNode(target);
  let total: Range = item === undefined ? fixed(0) : multiplyRanges(size, sizeOf(item));
  const [separator] = args;
  if (separator !== undefined) {
    const separators = { min: Math.max(0, size.min - 1), max: Math.max(0, size.max - 1) };
    total = addRanges(total, multiplyRanges(sizeOf(separator), separators));
  }
  return { cost: scaleRange(total, TEXT_FACTOR), resultSize: total };
}

function splitEstimate({ target, args, sizeOf }: CallNodes): CallEstimate | undefined {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const limit = args[1]?.expression;
  let { max } = size;
  if (limit?.kind === 'literal' && (typeof limit.value === 'number' || typeof limit.value === 'bigint')) {
    max = limit.value < 0 ? MAX_COST + Number(limit.value) : Number(limit.value);
  }
  return { cost: scaleRange(size, 2 * TEXT_FACTOR), resultSize: { min: 0, max } };
}

/** The smallest and the largest result: as many of the shortest parts by the longest replacements as there is room for. */
function replaceEstimate({ target, args, sizeOf }: CallNodes): CallEstimate | undefined {
  const [partNode, byNode] = args;
  if (target === undefined || partNode === undefined || byNode === undefined) return undefined;
  const [size, part, by] = [sizeOf(target), sizeOf(partNode), sizeOf(byNode)];
  const count = { min: 0, max: 0 };
  const kept = { min: 0, max: 0 };
  if (part.min === 0) [count.max, kept.max] = [size.max < MAX_COST ? size.max + 1 : size.max, size.max];
  else if (by.max <= part.min) kept.max = size.max;
  else count.max = Math.ceil(size.max / part.min);
  if (part.max === 0) [count.min, kept.min] = [size.min < MAX_COST ? size.min + 1 : size.min, size.min];
  else if (part.max <= by.min) kept.min = size.min;
  else count.min = Math.ceil(size.min / part.max);
  return {
    cost: scaleRange(size, 2 * TEXT_FACTOR),
    resultSize: addRanges(multiplyRanges(count, by), kept),
  };
}
