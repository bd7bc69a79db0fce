/** The value of a YAML scalar, by the rules of the Go library that Kubernetes uses: mostly YAML 1.1. */

import { exactNumber } from './exact-json.ts';

/** The value of a scalar. */
export type YamlScalar = bigint | boolean | number | string | null;

const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

/** The value of a scalar without quotes and without a tag. Times, and numbers to the base of 60, are strings. */
export function plainScalar(text: string): YamlScalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  return /^[-+.\d]/.test(text) ? (numberOf(text) ?? text) : text;
}

/** The longest text that can be a number of 64 bits, underscores not counted: in base 2, with its sign and prefix. */
const MAX_LENGTH = 70;
const INTEGER = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const MAX_UINT64 = 2n ** 64n - 1n;

function numberOf(text: string): bigint | number | undefined {
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  return (plain.length <= MAX_LENGTH ? integerOf(plain) : undefined) ?? floatOf(plain);
}

function integerOf(text: string): bigint | number | undefined {
  const [, sign = '', hex, binary, octal, decimal] = INTEGER.exec(text) ?? [];
  const digits = prefixed('0x', hex) ?? prefixed('0b', binary) ?? prefixed('0o', octal) ?? decimal;
  if (digits === undefined) return undefined;
  const size = BigInt(digits);
  if (sign === '-' ? size > 2n ** 63n : size > MAX_UINT64) return undefined;
  return exactNumber(String(sign === '-' ? -size : size));
}

function prefixed(prefix: string, digits: string | undefined): string | undefined {
  return digits === undefined ? undefined : prefix + digits;
}

function floatOf(text: string): number | undefined {
  if (!FLOAT.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** A value that does not fit its tag. The message is in the words of Go. */
export class YamlTagError extends Error {
  override readonly name = 'YamlTagError';
}

/** The value of a scalar with a tag such as `!!int`. With an unknown tag it is a string. */
export function taggedScalar(text: string, tag: string): YamlScalar {
  const name = /^(?:!!|!<tag:yaml\.org,2002:)([a-z]+)>?$/.exec(tag)?.[1] ?? '';
  if (name === 'binary') return decodeBinary(text);
  if (!['bool', 'float', 'int', 'null'].includes(name)) return text;
  const value = plainScalar(text);
  const found = typeName(value);
  if (found === name) return value;
  if (found === 'int' && name === 'float') return Number(value);
  throw new YamlTagError(`cannot decode !!${found} \`${text}\` as a !!${name}`);
}

function typeName(value: YamlScalar): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int' : 'float';
}

function decodeBinary(text: string): string {
  const base64 = text.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) {
    throw new YamlTagError('!!binary value contains invalid base64 data');
  }
  return Buffer.from(base64, 'base64').toString();
}
