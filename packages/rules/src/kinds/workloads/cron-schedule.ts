/** Checks the schedule of a CronJob. The messages are those of the Go library that Kubernetes uses. */

import { quote } from '@listwatch/api';
import { isTimeZone } from './time-zone.ts';

interface CronField {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly CronField[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = '@every ';

/** The problem of a schedule such as `0,30 8-18 * * MON-FRI`; undefined if it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=/.exec(schedule)?.[0];
  if (zone === undefined) return partsProblem(schedule);
  const end = schedule.indexOf(' ');
  if (end < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
  const name = schedule.slice(zone.length, end);
  if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`;
  return partsProblem(schedule.slice(end).trim());
}

function partsProblem(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return descriptorProblem(schedule);
  const parts = schedule.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${parts.length}: [${parts.join(' ')}]`;
  }
  for (const [index, field] of FIELDS.entries()) {
    for (const range of (parts[index] ?? '').split(',').filter((one) => one !== '')) {
      const problem = rangeProblem(range, field);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(schedule: string): string | undefined {
  if (DESCRIPTORS.includes(schedule)) return undefined;
  if (!schedule.startsWith(EVERY)) return `unrecognized descriptor: ${schedule}`;
  const text = schedule.slice(EVERY.length);
  if (/^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return undefined;
  return `failed to parse duration ${schedule}: time: invalid duration ${quote(text)}`;
}

/** `*`, `5`, `5-9`, each with `/step`. */
function rangeProblem(expression: string, field: CronField): string | undefined {
  const [range = '', step, ...further] = expression.split('/');
  if (further.length > 0) return `too many slashes: ${expression}`;
  const limits = limitsOf(range, field, step !== undefined);
  if (typeof limits === 'string') return limits === HYPHENS ? `${HYPHENS}: ${expression}` : limits;
  const size = step === undefined ? 1 : readNumber(step);
  if (typeof size === 'string') return size;
  const [start, end] = limits;
  if (start < field.min) return `beginning of range (${start}) below minimum (${field.min}): ${expression}`;
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return size === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

const HYPHENS = 'too many hyphens';

function limitsOf(range: string, field: CronField, hasStep: boolean): readonly [number, number] | string {
  const [low = '', high, ...further] = range.split('-');
  if (low === '*' || low === '?') return [field.min, field.max];
  const start = readName(low, field);
  if (typeof start === 'string') return start;
  if (further.length > 0) return HYPHENS;
  // `5/10` means every tenth value from 5 on.
  if (high === undefined) return [start, hasStep ? field.max : start];
  const end = readName(high, field);
  return typeof end === 'string' ? end : [start, end];
}

function readName(text: string, { names, min }: CronField): number | string {
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? readNumber(text) : index + min;
}

function readNumber(text: string): number | string {
  const parsing = `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}`;
  if (!/^[+-]?\d+$/.test(text)) return `${parsing}: invalid syntax`;
  const value = Number(text);
  if (Math.abs(value) > 2 ** 63) return `${parsing}: value out of range`;
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}
