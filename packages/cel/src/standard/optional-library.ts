/** Optional values: `optional.of`, `a.?b`, `l[?0]`, `orValue` and their macros. */
import { OPTIONAL_MACROS } from '../syntax/optional-macros.ts';
import {
  BOOL,
  DYN,
  INT,
  listType,
  mapType,
  opaqueType,
  optionalType,
  STRING,
  typeParameter,
} from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import { CelList } from '../values/cel-list.ts';
import { CelMap } from '../values/cel-map.ts';
import {
  CelDouble,
  CelDuration,
  CelOptional,
  type CelResult,
  CelTimestamp,
  CelUint,
  type CelValue,
} from '../values/cel-value.ts';
import type { CelLibrary, Overload } from './cel-library.ts';

const K = typeParameter('K');
const V = typeParameter('V');
const OPTIONAL_V = optionalType(V);
const LIST_V = listType(V);
const MAP_KV = mapType(K, V);

/** The planner evaluates these itself. */
const planned = (): CelResult => new CelError('no such overload');

function isZero(value: CelValue): boolean {
  if (typeof value !== 'object' || value === null)
    return value === 0 || value === '' || value === false || value === null;
  if (value instanceof CelDouble) return value.value === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  // Go's zero time is the first second of year 1.
  if (value instanceof CelTimestamp) return value.seconds === -62_135_596_800 && value.nanos === 0;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  return value instanceof Uint8Array && value.length === 0;
}

function unwrap(list: CelList): CelResult {
  const values: CelValue[] = [];
  for (const item of list) {
    if (!(item instanceof CelOptional)) return new CelError('value is not optional');
    if (item.value !== undefined) values.push(item.value);
  }
  return CelList.of(values);
}

function first(list: CelList): CelResult {
  return list.size === 0 ? CelOptional.NONE : new CelOptional(list.at(0));
}

function last(list: CelList): CelResult {
  return list.size === 0 ? CelOptional.NONE : new CelOptional(list.at(list.size - 1));
}

const INDEX: readonly Overload[] = [
  { id: 'list_optindex_optional_int', args: [LIST_V, INT], result: OPTIONAL_V, call: planned },
  { id: 'optional_list_optindex_optional_int', args: [optionalType(LIST_V), INT], result: OPTIONAL_V, call: planned },
  { id: 'map_optindex_optional_value', args: [MAP_KV, K], result: OPTIONAL_V, call: planned },
  { id: 'optional_map_optindex_optional_value', args: [optionalType(MAP_KV), K], result: OPTIONAL_V, call: planned },
];

/** The library of optional values. */
export const OPTIONAL_LIBRARY: CelLibrary = {
  name: 'optional',
  types: [opaqueType('optional_type')],
  macros: OPTIONAL_MACROS,
  functions: [
    {
      name: 'optional.of',
      overloads: [
        { id: 'optional_of', args: [V], result: OPTIONAL_V, call: (value: CelValue) => new CelOptional(value) },
      ],
    },
    {
      name: 'optional.ofNonZeroValue',
      overloads: [
        {
          id: 'optional_ofNonZeroValue',
          args: [V],
          result: OPTIONAL_V,
          call: (value: CelValue) => (isZero(value) ? CelOptional.NONE : new CelOptional(value)),
        },
      ],
    },
    {
      name: 'optional.none',
      overloads: [{ id: 'optional_none', args: [], result: OPTIONAL_V, call: () => CelOptional.NONE }],
    },
    {
      name: 'value',
      overloads: [
        {
          id: 'optional_value',
          member: true,
          args: [OPTIONAL_V],
          result: V,
          call: ({ value }: CelOptional) => (value === undefined ? new CelError('optional.none() dereference') : value),
        },
      ],
    },
    {
      name: 'hasValue',
      overloads: [
        {
          id: 'optional_hasValue',
          member: true,
          args: [OPTIONAL_V],
          result: BOOL,
          call: (optional: CelOptional) => optional.value !== undefined,
        },
      ],
    },
    {
      name: 'or',
      overloads: [
        { id: 'optional_or_optional', member: true, args: [OPTIONAL_V, OPTIONAL_V], result: OPTIONAL_V, call: planned },
      ],
    },
    {
      name: 'orValue',
      overloads: [{ id: 'optional_orValue_value', member: true, args: [OPTIONAL_V, V], result: V, call: planned }],
    },
    {
      name: '_?._',
      overloads: [{ id: 'select_optional_field', args: [DYN, STRING], result: OPTIONAL_V, call: planned }],
    },
    { name: '_[?_]', overloads: INDEX },
    {
      name: '_[_]',
      overloads: [
        { id: 'optional_list_index_int', args: [optionalType(LIST_V), INT], result: OPTIONAL_V, call: planned },
        { id: 'optional_map_index_value', args: [optionalType(MAP_KV), K], result: OPTIONAL_V, call: planned },
      ],
    },
    { name: 'last', overloads: [{ id: 'list_last', member: true, args: [LIST_V], result: OPTIONAL_V, call: last }] },
    { name: 'first', overloads: [{ id: 'list_first', member: true, args: [LIST_V], result: OPTIONAL_V, call: first }] },
    {
      name: 'optional.unwrap',
      overloads: [{ id: 'optional_unwrap', args: [listType(OPTIONAL_V)], result: LIST_V, call: unwrap }],
    },
    {
      name: 'unwrapOpt',
      overloads: [
        { id: 'optional_unwrapOpt', member: true, args: [listType(OPTIONAL_V)], result: LIST_V, call: unwrap },
      ],
    },
  ],
};
