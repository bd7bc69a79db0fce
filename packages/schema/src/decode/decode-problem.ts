/** Finds the first value of a document whose type does not fit its schema. */

import { quoteCut } from '@listwatch/api/internal';
import { durationProblem, isJsonNumber, isRecord, jsonType, quantityProblem, textOf } from '@listwatch/api/values';
import type { ScalarType } from '../schema.ts';
import type { DecodePlan, FormPlan, ScalarPlan, StructPlan } from './decode-plan.ts';
import { withoutLineBreaks } from './scalar-text.ts';

/** The error about the first value that does not fit, in the words of Go's decoder; undefined if all fit. */
export function decodeProblem(plan: StructPlan, value: unknown): string | undefined {
  return isRecord(value) ? structProblem(plan, value, undefined) : mismatch(value, plan, undefined);
}

/** The place of a value. Its path is built only for an error: every write is checked, few fail. */
export interface Place {
  readonly owner: StructPlan;
  readonly name: string;
  readonly above: Place | undefined;
}

function structProblem(plan: StructPlan, value: Record<string, unknown>, above: Place | undefined): string | undefined {
  const { byName } = plan;
  for (const name of Object.keys(value)) {
    const member = value[name];
    // null clears a field of any type.
    if (member === null || member === undefined) continue;
    const field = byName.get(name);
    if (field === undefined) continue;
    const inner = field.plan;
    if (inner.is === 'scalar' && inner.scalar === 'string' && typeof member === 'string') continue;
    const problem = valueProblem(inner, member, { owner: plan, name, above });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The error about a value at a place, as `decodeProblem` has it. */
export function valueProblem(plan: DecodePlan, value: unknown, place: Place | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (plan.is) {
    case 'scalar':
      return scalarProblem(plan, value, place);
    case 'list':
      return Array.isArray(value) ? firstProblem(plan.item, value, place) : mismatch(value, plan, place);
    case 'map':
      return isRecord(value) ? firstProblem(plan.item, Object.values(value), place) : mismatch(value, plan, place);
    case 'struct':
      return isRecord(value) ? structProblem(plan, value, place) : mismatch(value, plan, place);
    case 'form':
      return formProblem(plan, value);
  }
}

function firstProblem(plan: DecodePlan, items: readonly unknown[], place: Place | undefined): string | undefined {
  for (const item of items) {
    const problem = valueProblem(plan, item, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Go decodes these by themselves: messages name no place above them. */
export function formProblem({ form, branches }: FormPlan, value: unknown): string | undefined {
  if (form === 'orBool' && typeof value !== 'boolean' && !isRecord(value)) return 'boolean or JSON schema expected';
  const branch = Array.isArray(value) ? branches.list : isRecord(value) ? branches.struct : undefined;
  return branch && valueProblem(branch, value, undefined);
}

/** The error about a value without parts. */
export function scalarProblem(plan: ScalarPlan, value: unknown, place: Place | undefined): string | undefined {
  const problem = CHECKS[plan.scalar](value);
  return problem === MISMATCH ? mismatch(value, plan, place) : problem;
}

/** A check returns this to leave the message to `mismatch`. */
const MISMATCH = Symbol('the type does not fit');

type Check = (value: unknown) => string | typeof MISMATCH | undefined;

const CHECKS: Readonly<Record<ScalarType, Check>> = {
  any: () => undefined,
  bool: (value) => (typeof value === 'boolean' ? undefined : MISMATCH),
  bytes: (value) => (typeof value === 'string' ? base64Problem(value) : MISMATCH),
  duration: (value) => (typeof value === 'string' ? durationProblem(value) : notText(value)),
  fieldsV1: () => undefined,
  float64: (value) => (isJsonNumber(value) ? undefined : MISMATCH),
  int32: (value) => (isInteger(value, 31) ? undefined : MISMATCH),
  int64: (value) => (isInteger(value, 63) ? undefined : MISMATCH),
  intOrString: (value) =>
    typeof value === 'string' || isInteger(value, 31) ? undefined : `${cannotUnmarshal(value)} Go value of type int32`,
  json: () => undefined,
  microTime: (value) => timeProblem(value, '2006-01-02T15:04:05.000000Z07:00'),
  quantity: (value) => (isJsonNumber(value) ? undefined : quantityProblem(textOf(value))),
  rawExtension: () => undefined,
  string: (value) => (typeof value === 'string' ? undefined : MISMATCH),
  time: (value) => timeProblem(value, '2006-01-02T15:04:05Z07:00'),
};

/** Is it an integer of this many bits and a sign? */
function isInteger(value: unknown, bits: number): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(bits + 1, value) === value;
  return Number.isInteger(value) && Number(value) < 2 ** bits && Number(value) >= -(2 ** bits);
}

/** The error about an integer with a fraction or an exponent, which Go refuses even when its value is an integer. */
export function fractionMismatch(literal: string, plan: ScalarPlan, place: Place): string {
  if (plan.scalar === 'intOrString') return `json: cannot unmarshal number ${literal} into Go value of type int32`;
  return mismatch(0, plan, place).replace('number 0', () => `number ${literal}`);
}

function mismatch(value: unknown, plan: DecodePlan, place: Place | undefined): string {
  const where = place === undefined ? 'Go value' : `Go struct field ${place.owner.goName}.${pathOf(place)}`;
  return `${cannotUnmarshal(value, plan)} ${where} of type ${plan.goType}`;
}

function pathOf({ owner, name, above }: Place): string {
  const own = `${inlinedPath(owner, name)}${name}`;
  return above === undefined ? own : `${pathOf(above)}.${own}`;
}

/** The structs that Go inlines, the outermost first, by the struct that has them. Its decoder names them. */
const INLINED: Readonly<Record<string, readonly string[]>> = {
  EphemeralContainer: ['EphemeralContainerCommon'],
  IngressRule: ['IngressRuleValue'],
  NamedRuleWithOperations: ['RuleWithOperations', 'Rule'],
  PersistentVolumeSpec: ['PersistentVolumeSource'],
  Probe: ['ProbeHandler'],
  RuleWithOperations: ['Rule'],
  Volume: ['VolumeSource'],
};
const REFERENCE = ['LocalObjectReference'];
const DEVICES = ['DeviceConfiguration'];

function inlinedPath({ goName, byName }: StructPlan, name: string): string {
  const depth = byName.get(name)?.inlined ?? 0;
  if (depth === 0) return '';
  const structs = INLINED[goName] ?? (name === 'opaque' ? DEVICES : REFERENCE);
  return `${structs.slice(0, depth).join('.')}.`;
}

function cannotUnmarshal(value: unknown, plan?: DecodePlan): string {
  const wantsNumber = plan?.is === 'scalar' && NUMBERS.has(plan.scalar);
  const shown = isJsonNumber(value) && wantsNumber ? ` ${value}` : '';
  return `json: cannot unmarshal ${jsonType(value)}${shown} into`;
}

const NUMBERS: ReadonlySet<ScalarType> = new Set(['float64', 'int32', 'int64', 'intOrString'] as const);

function notText(value: unknown): string {
  return `${cannotUnmarshal(value)} Go value of type string`;
}

function base64Problem(text: string): string | undefined {
  const byte = base64Fault(withoutLineBreaks(text));
  return byte === undefined ? undefined : `illegal base64 data at input byte ${byte}`;
}

/** The position of the first character that is not base64, or of wrong padding. */
function base64Fault(text: string): number | undefined {
  const legal = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const rest = legal % 4;
  if (legal === text.length) return rest === 0 ? undefined : legal - rest;
  if (rest < 2 || text[legal] !== '=') return legal;
  const end = legal + 4 - rest;
  const padding = /^=*/.exec(text.slice(legal, end))?.[0].length ?? 0;
  return legal + padding === end && end === text.length ? undefined : legal + padding;
}

/** What a client sent for a time may be any text of any length. */
function quoted(text: string): string {
  return quoteCut(text, 1024);
}

/** Longer text is no time. A fraction may have any number of digits. */
const TIME_MAX = 256;

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(.*)$/;
const ZONE = /^(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function timeProblem(value: unknown, layout: string): string | undefined {
  if (typeof value !== 'string') return notText(value);
  const rest = value.length > TIME_MAX ? undefined : RFC3339.exec(value)?.[1];
  const cannotParse = (part: string, as: string): string =>
    `parsing time ${quoted(value)} as ${quoted(layout)}: cannot parse ${quoted(part)} as "${as}"`;
  if (rest === undefined || Number.isNaN(Date.parse(value))) return cannotParse(value, '2006');
  // Go requires all six digits of a MicroTime; clients in other languages may send three.
  const micro = layout.includes('.');
  if (micro && !/^\.\d{6}(?!\d)/.test(rest)) return cannotParse(rest, '.000000');
  return ZONE.test(rest) ? undefined : cannotParse(rest, 'Z07:00');
}
