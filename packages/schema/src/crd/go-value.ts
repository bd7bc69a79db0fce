/** Values as Go prints them. */

import { isRecord } from '@listwatch/api/values';

/** A float64 as `%v` prints it: `1.5`, `1e+06`. */
export function goFloat(value: number): string {
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (value === 0 || (exponent >= -4 && exponent < 6)) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** JSON with sorted keys and exact integers, as Go writes a map. */
export function encodedText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(encodedText).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${encodedText(value[name])}`);
  return `{${members.join(',')}}`;
}

/** The value with the members of its objects in order: Go writes maps so. */
export function sortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sortedJson(value[name])]));
}
