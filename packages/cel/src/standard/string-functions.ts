/** `size`, `contains`, `startsWith`, `endsWith`, `matches` and `in`. */
import { BOOL, BYTES, INT, listType, mapType, STRING, typeParameter } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import type { CelList } from '../values/cel-list.ts';
import type { CelMap } from '../values/cel-map.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { codePointCount } from '../values/code-points.ts';
import { valueSize } from '../values/value-size.ts';
import type { CallContext, FunctionDeclaration, Overload } from './cel-library.ts';
import { compilePattern, matchesPattern } from './regular-expressions.ts';
import { NO_OVERLOAD, operatorMismatch } from './runtime-traits.ts';

const A = typeParameter('A');
const B = typeParameter('B');
const LIST = listType(A);
const MAP = mapType(A, B);

const sizeOf = (value: CelList | CelMap): CelResult => value.size;

const SIZE: readonly Overload[] = [
  { id: 'size_bytes', args: [BYTES], result: INT, call: (value: Uint8Array) => value.length },
  { id: 'bytes_size', member: true, args: [BYTES], result: INT, call: (value: Uint8Array) => value.length },
  { id: 'size_list', args: [LIST], result: INT, call: sizeOf },
  { id: 'list_size', member: true, args: [LIST], result: INT, call: sizeOf },
  { id: 'size_map', args: [MAP], result: INT, call: sizeOf },
  { id: 'map_size', member: true, args: [MAP], result: INT, call: sizeOf },
  { id: 'size_string', args: [STRING], result: INT, call: (value: string) => codePointCount(value) },
  { id: 'string_size', member: true, args: [STRING], result: INT, call: (value: string) => codePointCount(value) },
];

function tenth(value: CelResult): number {
  return Math.ceil(valueSize(value) * 0.1);
}

function stringTest(
  name: string,
  id: string,
  call: (text: string, part: string) => boolean,
  cost: (text: CelResult, part: CelResult) => number,
): FunctionDeclaration {
  return {
    name,
    overloads: [
      {
        id,
        member: true,
        args: [STRING, STRING],
        result: BOOL,
        call: (text: string, part: string) => call(text, part),
        cost: ([text = null, part = null]) => cost(text, part),
      },
    ],
    otherwise: () => NO_OVERLOAD,
  };
}

const matches = (text: string, pattern: string, context: CallContext): CelResult =>
  matchesPattern(text, pattern, context);

function checkPattern([, pattern]: readonly (CelValue | undefined)[]): CelError | undefined {
  const compiled = typeof pattern === 'string' ? compilePattern(pattern) : undefined;
  return compiled instanceof CelError ? compiled : undefined;
}

const MATCHES: readonly Overload[] = [
  { id: 'matches', args: [STRING, STRING], result: BOOL, call: matches, checkConstants: checkPattern },
  {
    id: 'matches_string',
    member: true,
    args: [STRING, STRING],
    result: BOOL,
    call: matches,
    checkConstants: checkPattern,
    cost: ([text = null, pattern = null]) =>
      Math.ceil((1 + valueSize(text)) * 0.1) * Math.ceil(valueSize(pattern) * 0.25),
  },
];

/** Is the value in the list? */
export function inList(value: CelValue, list: CelList, context: CallContext): boolean {
  for (let index = 0; index < list.size; index++) {
    if (context.equals(value, list.at(index))) return true;
  }
  return false;
}

const IN: readonly Overload[] = [
  {
    id: 'in_list',
    args: [A, LIST],
    result: BOOL,
    call: inList,
    costsWhenResolved: true,
    cost: ([, list = null]) => valueSize(list),
  },
  { id: 'in_map', args: [A, MAP], result: BOOL, call: (key: CelValue, map: CelMap) => map.find(key) !== undefined },
];

/** Functions of strings, lists and maps. */
export const STRING_FUNCTIONS: readonly FunctionDeclaration[] = [
  { name: 'size', overloads: SIZE, otherwise: operatorMismatch('size', 'size') },
  stringTest(
    'contains',
    'contains_string',
    (text, part) => text.includes(part),
    (text, part) => tenth(text) * tenth(part),
  ),
  stringTest('endsWith', 'ends_with_string', (text, part) => text.endsWith(part), tenth),
  stringTest('startsWith', 'starts_with_string', (text, part) => text.startsWith(part), tenth),
  {
    name: 'matches',
    overloads: MATCHES,
    otherwise: operatorMismatch('matches', 'match'),
  },
  { name: '@in', overloads: IN, otherwise: () => NO_OVERLOAD },
];
