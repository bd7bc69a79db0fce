/** Prints JSON values as Go's `fmt` prints them: the messages of Kubernetes contain them. */

/** The Go type that holds a JSON value. Integers that fit into 64 bits are `int64`, all other numbers `float64`. */
export type GoType = '[]interface {}' | 'bool' | 'float64' | 'int64' | 'map[string]interface {}' | 'nil' | 'string';

/** A text stops growing here: Kubernetes has no limit, but an item may have megabytes. */
const MAX_CHARACTERS = 8192;

const INT64_MAX = 2n ** 63n - 1n;

/** The Go type of a JSON value, whose objects may be Maps. */
export function goType(value: unknown): GoType {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return value <= INT64_MAX && value >= -INT64_MAX - 1n ? 'int64' : 'float64';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** The name of the type of a value, as `%s` prints it. */
export function goTypeName(value: unknown): string {
  const type = goType(value);
  return type === 'nil' ? '%!s(<nil>)' : type;
}

/** The order of texts. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A scalar as `%v` prints it, not cut; other values are cut. */
export function goKeyText(value: unknown): string {
  return typeof value === 'object' && value !== null ? goText(value) : scalarText(value, 'v');
}

/** The value as `%v` prints it, or as `%s` does; cut when it is very long. */
export function goText(value: unknown, verb: 's' | 'v' = 'v'): string {
  if (verb === 's' && goType(value) === 'nil') return '%!s(<nil>)';
  const parts: string[] = [];
  print(value, verb, { parts, left: MAX_CHARACTERS });
  return parts.join('');
}

interface Output {
  readonly parts: string[];
  left: number;
}

function put(output: Output, text: string): void {
  if (output.left <= 0) return;
  const fits = text.length <= output.left;
  output.parts.push(fits ? text : `${text.slice(0, output.left)}...`);
  output.left -= text.length;
}

function print(value: unknown, verb: 's' | 'v', output: Output): void {
  if (output.left <= 0) return;
  if (typeof value !== 'object' || value === null) return put(output, scalarText(value, verb));
  if (Array.isArray(value)) {
    put(output, '[');
    for (const [index, item] of value.entries()) {
      if (output.left <= 0) return;
      if (index > 0) put(output, ' ');
      print(item, verb, output);
    }
    return put(output, ']');
  }
  const members = value instanceof Map ? value : new Map(Object.entries(value));
  put(output, 'map[');
  for (const [index, key] of [...members.keys()].toSorted(compareTexts).entries()) {
    if (output.left <= 0) return;
    put(output, `${index > 0 ? ' ' : ''}${key}:`);
    print(members.get(key), verb, output);
  }
  put(output, ']');
}

function scalarText(value: unknown, verb: 's' | 'v'): string {
  const type = goType(value);
  if (type === 'nil') return '<nil>';
  const text = type === 'float64' ? floatText(Number(value)) : String(value);
  return verb === 's' && type !== 'string' ? `%!s(${type}=${text})` : text;
}

/** `%v` of a float64: an exponent of two digits at least, from 1e+06 on and below 1e-04. */
export function floatText(value: number): string {
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 6) return String(value);
  const [digits = '', power = ''] = value.toExponential().split('e');
  return `${digits}e${power.slice(0, 1)}${power.slice(1).padStart(2, '0')}`;
}
