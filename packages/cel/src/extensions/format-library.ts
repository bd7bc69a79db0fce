/** `format.named` and the formats of Kubernetes, such as `format.dns1123Label()`. */

import { scaleRange } from '../cost/cost-estimate.ts';
import { NAMED_FORMATS, type NamedFormat } from '../parsing/named-formats.ts';
import type { CelLibrary, Overload } from '../standard/cel-library.ts';
import { type CelType, listType, opaqueType, optionalType, STRING } from '../types/cel-type.ts';
import { CelList } from '../values/cel-list.ts';
import { type CelOpaque, CelOptional, type CelResult, type CelValue } from '../values/cel-value.ts';
import { type Costs, functions, method, plainOverload } from './declare.ts';
import { NOMINAL, PATTERN_FACTOR, sizeOfValue, TEXT_FACTOR } from './library-cost.ts';

/** The name of a format is at most this long. */
const LONGEST_NAME = 64;

/** The type of formats. */
export const FORMAT_TYPE: CelType = opaqueType('kubernetes.NamedFormat', [], () => LONGEST_NAME);

/** Estimates do not know the format: its pattern is taken to be this long. */
const LONGEST_NAME_PATTERN = 128;

/** A format. */
export class FormatValue implements CelOpaque {
  readonly opaqueType: CelType = FORMAT_TYPE;
  readonly format: NamedFormat;

  constructor(format: NamedFormat) {
    this.format = format;
  }

  equals(other: CelValue): boolean {
    return other instanceof FormatValue && this.format.name === other.format.name;
  }
}

const VALUES: ReadonlyMap<string, FormatValue> = new Map(
  [...NAMED_FORMATS].map(([name, format]) => [name, new FormatValue(format)]),
);

const VALIDATE: Costs = {
  cost: ([format, text]) => {
    const size = format instanceof FormatValue ? format.format.patternSize : 1;
    return Math.ceil((1 + sizeOfValue(text)) * TEXT_FACTOR) * Math.ceil(size * PATTERN_FACTOR);
  },
  estimate: ({ args: [text], sizeOf }) => {
    if (text === undefined) return undefined;
    const read = scaleRange(sizeOf(text), TEXT_FACTOR);
    return { cost: scaleRange(read, LONGEST_NAME_PATTERN * PATTERN_FACTOR) };
  },
};

/** The library of formats. */
export const formatLibrary: CelLibrary = {
  name: 'kubernetes.format',
  functions: functions({
    'format.named': [plainOverload('format-named', [STRING], optionalType(FORMAT_TYPE), named, NOMINAL)],
    validate: [method('format-validate', [FORMAT_TYPE, STRING], optionalType(listType(STRING)), validate, VALIDATE)],
    ...Object.fromEntries([...VALUES].map(([name, value]) => [`format.${name}`, [constant(name, value)]])),
  }),
};

function constant(name: string, value: FormatValue): Overload {
  return plainOverload(`format.${name}`, [], FORMAT_TYPE, () => value);
}

function named(name: string): CelResult {
  const value = VALUES.get(name);
  return value === undefined ? CelOptional.NONE : new CelOptional(value);
}

function validate({ format }: FormatValue, text: string): CelResult {
  const problems = format.problems(text);
  return problems.length === 0 ? CelOptional.NONE : new CelOptional(CelList.of(problems));
}
