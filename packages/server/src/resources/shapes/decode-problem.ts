/** Why a JSON document is no object of a kind: the first value whose type does not fit. */

import { quote } from '@listwatch/api';
import { isRecord } from './json-value.ts';
import { goType, type ScalarName, type ScalarShape, type Shape, type StructShape, scalarName } from './shape.ts';

/** The complaint about the first value that does not fit, in the words of Go's decoder; undefined when all fit. */
export function decodeProblem(shape: StructShape, value: unknown): string | undefined {
  return isRecord(value) ? structProblem(shape, value, '') : mismatch(value, shape, '', '');
}

function structProblem(shape: StructShape, value: Record<string, unknown>, path: string): string | undefined {
  for (const name of Object.keys(value)) {
    const member = value[name];
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined) continue;
    const problem = valueProblem(field, member, shape.struct, path === '' ? name : `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem(shape: Shape, value: unknown, owner: string, path: string): string | undefined {
  // null clears a field of any type.
  if (value === null || value === undefined) return undefined;
  if (typeof shape === 'string') return scalarProblem(shape, value, owner, path);
  if ('list' in shape) {
    if (!Array.isArray(value)) return mismatch(value, shape, owner, path);
    return first(value, (item) => valueProblem(shape.list, item, owner, path));
  }
  if (!isRecord(value)) return mismatch(value, shape, owner, path);
  if ('struct' in shape) return structProblem(shape, value, path);
  return first(Object.values(value), (item) => valueProblem(shape.map, item, owner, path));
}

function scalarProblem(shape: ScalarShape, value: unknown, owner: string, path: string): string | undefined {
  return CHECKS[scalarName(shape)](value, () => mismatch(value, shape, owner, path));
}

type Check = (value: unknown, mismatched: () => string) => string | undefined;

const CHECKS: Readonly<Record<ScalarName, Check>> = {
  any: () => undefined,
  bool: (value, mismatched) => (typeof value === 'boolean' ? undefined : mismatched()),
  bytes: (value, mismatched) => (typeof value === 'string' ? base64Problem(value) : mismatched()),
  float64: (value, mismatched) => (typeof value === 'number' ? undefined : mismatched()),
  int32: (value, mismatched) => (isInteger(value, 2 ** 31) ? undefined : mismatched()),
  int64: (value, mismatched) => (isInteger(value, 2 ** 63) ? undefined : mismatched()),
  intOrString: (value) =>
    typeof value === 'string' || isInteger(value, 2 ** 31)
      ? undefined
      : `${cannotUnmarshal(value)} Go value of type int32`,
  microTime: (value) => timeProblem(value, '2006-01-02T15:04:05.000000Z07:00'),
  quantity: (value) => quantityProblem(value),
  string: (value, mismatched) => (typeof value === 'string' ? undefined : mismatched()),
  time: (value) => timeProblem(value, '2006-01-02T15:04:05Z07:00'),
};

function isInteger(value: unknown, bound: number): boolean {
  return Number.isInteger(value) && Number(value) < bound && Number(value) >= -bound;
}

function mismatch(value: unknown, shape: Shape, owner: string, path: string): string {
  const place = path === '' ? 'Go value' : `Go struct field ${owner}.${path}`;
  return `${cannotUnmarshal(value, shape)} ${place} of type ${goType(shape)}`;
}

function cannotUnmarshal(value: unknown, shape?: Shape): string {
  const wantsNumber = typeof shape === 'string' && /int|float/.test(shape);
  const shown = typeof value === 'number' && wantsNumber ? ` ${value}` : '';
  return `json: cannot unmarshal ${jsonType(value)}${shown} into`;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function base64Problem(text: string): string | undefined {
  const byte = base64Fault(text.replace(/[\r\n]/g, ''));
  return byte === undefined ? undefined : `illegal base64 data at input byte ${byte}`;
}

/** Where base64 stops being base64: at a strange character, or where its padding is wrong. */
function base64Fault(text: string): number | undefined {
  const legal = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const rest = legal % 4;
  if (legal === text.length) return rest === 0 ? undefined : legal - rest;
  if (rest < 2 || text[legal] !== '=') return legal;
  const end = legal + 4 - rest;
  const padding = /^=*/.exec(text.slice(legal, end))?.[0].length ?? 0;
  return legal + padding === end && end === text.length ? undefined : legal + padding;
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(.*)$/;
const ZONE = /^(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function timeProblem(value: unknown, layout: string): string | undefined {
  if (typeof value !== 'string') return `${cannotUnmarshal(value)} Go value of type string`;
  const rest = RFC3339.exec(value)?.[1];
  const cannotParse = (part: string, as: string): string =>
    `parsing time ${quote(value)} as ${quote(layout)}: cannot parse ${quote(part)} as "${as}"`;
  if (rest === undefined || Number.isNaN(Date.parse(value))) return cannotParse(value, '2006');
  // Go demands all six digits where it writes them; a client in another language that sends three is told so.
  const micro = layout.includes('.');
  if (micro && !/^\.\d{6}(?!\d)/.test(rest)) return cannotParse(rest, '.000000');
  return ZONE.test(rest) ? undefined : cannotParse(rest, 'Z07:00');
}

const QUANTITY = /^[+-]?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

function quantityProblem(value: unknown): string | undefined {
  if (typeof value === 'number') return undefined;
  if (typeof value === 'string' && QUANTITY.test(value)) return undefined;
  return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
}

function first<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
