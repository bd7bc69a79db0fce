/** The functions and types that every environment has. */
import { STANDARD_MACROS } from '../syntax/standard-macros.ts';
import { MAP_INSERT, TWO_VARIABLE_MACROS } from '../syntax/two-variable-macros.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  LIST_OF_DYN,
  listType,
  MAP_OF_DYN,
  mapType,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  typeParameter,
  UINT,
} from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import type { CelResult } from '../values/cel-value.ts';
import { ARITHMETIC } from './arithmetic.ts';
import type { CelLibrary, FunctionDeclaration } from './cel-library.ts';
import { COMPARISON, shorterCost } from './comparison.ts';
import { CONVERSIONS } from './conversions.ts';
import { NO_OVERLOAD } from './runtime-traits.ts';
import { STRING_FUNCTIONS } from './string-functions.ts';
import { TIME_FUNCTIONS } from './time-functions.ts';

const A = typeParameter('A');
const B = typeParameter('B');
const LIST = listType(A);
const MAP = mapType(A, B);

/** The planner evaluates these itself. */
const planned = (): CelResult => new CelError('no such overload');

const CORE: readonly FunctionDeclaration[] = [
  { name: '_?_:_', overloads: [{ id: 'conditional', args: [BOOL, A, A], result: A, call: planned }] },
  { name: '_&&_', overloads: [{ id: 'logical_and', args: [BOOL, BOOL], result: BOOL, call: planned }] },
  { name: '_||_', overloads: [{ id: 'logical_or', args: [BOOL, BOOL], result: BOOL, call: planned }] },
  {
    name: '!_',
    overloads: [{ id: 'logical_not', args: [BOOL], result: BOOL, call: (value: boolean) => !value }],
    otherwise: () => NO_OVERLOAD,
  },
  {
    name: '@not_strictly_false',
    overloads: [{ id: 'not_strictly_false', args: [BOOL], result: BOOL, call: planned }],
  },
  { name: '_==_', overloads: [{ id: 'equals', args: [A, A], result: BOOL, call: planned, cost: shorterCost }] },
  { name: '_!=_', overloads: [{ id: 'not_equals', args: [A, A], result: BOOL, call: planned, cost: shorterCost }] },
  {
    name: '_[_]',
    overloads: [
      { id: 'index_list', args: [LIST, INT], result: A, call: planned },
      { id: 'index_map', args: [MAP, A], result: B, call: planned },
    ],
  },
];

/** The standard library of the language. */
export const STANDARD_LIBRARY: CelLibrary = {
  name: 'standard',
  macros: STANDARD_MACROS,
  types: [BOOL, BYTES, DOUBLE, DURATION, INT, LIST_OF_DYN, MAP_OF_DYN, NULL, STRING, TIMESTAMP, TYPE, UINT],
  functions: [...CORE, ...ARITHMETIC, ...COMPARISON, ...STRING_FUNCTIONS, ...CONVERSIONS, ...TIME_FUNCTIONS],
};

/** The macros with two variables, and the function that they need. */
export const TWO_VARIABLE_LIBRARY: CelLibrary = {
  name: 'twoVariableComprehensions',
  macros: TWO_VARIABLE_MACROS,
  functions: [
    {
      name: MAP_INSERT,
      overloads: [
        { id: '@mapInsert_map_map', args: [MAP, MAP], result: MAP, call: planned },
        { id: '@mapInsert_map_key_value', args: [MAP, A, B], result: MAP, call: planned },
      ],
    },
  ],
};
