/** `getFullYear`, `getHours` and the other parts of timestamps and durations. */
import { DURATION, INT, STRING, TIMESTAMP } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import { type CelDuration, type CelResult, type CelTimestamp, intValue } from '../values/cel-value.ts';
import type { CallContext, FunctionDeclaration, Overload } from './cel-library.ts';
import { type DateParts, dateParts } from './go-literals.ts';
import { zoneOffset } from './time-zones.ts';

type Part = (parts: DateParts, nanos: number) => number;

function timestampOverloads(id: string, part: Part): readonly Overload[] {
  return [
    {
      id,
      member: true,
      args: [TIMESTAMP],
      result: INT,
      call: ({ seconds, nanos }: CelTimestamp) => part(dateParts(seconds), nanos),
    },
    {
      id: `${id}_with_tz`,
      member: true,
      args: [TIMESTAMP, STRING],
      result: INT,
      call: ({ seconds, nanos }: CelTimestamp, zone: string, context: CallContext): CelResult => {
        const offset = zoneOffset(zone, seconds, context);
        return offset instanceof CelError ? offset : part(dateParts(seconds + offset), nanos);
      },
    },
  ];
}

function durationOverload(id: string, unit: bigint): Overload {
  return {
    id,
    member: true,
    args: [DURATION],
    result: INT,
    call: ({ nanoseconds }: CelDuration) => intValue(nanoseconds / unit) ?? 0,
  };
}

function getter(name: string, id: string, part: Part, duration?: Overload): FunctionDeclaration {
  const overloads = timestampOverloads(id, part);
  return { name, overloads: duration === undefined ? overloads : [...overloads, duration] };
}

/** The parts of timestamps and durations. */
export const TIME_FUNCTIONS: readonly FunctionDeclaration[] = [
  getter('getFullYear', 'timestamp_to_year', ({ year }) => year),
  getter('getMonth', 'timestamp_to_month', ({ month }) => month - 1),
  getter('getDayOfYear', 'timestamp_to_day_of_year', ({ dayOfYear }) => dayOfYear),
  getter('getDayOfMonth', 'timestamp_to_day_of_month', ({ day }) => day - 1),
  getter('getDate', 'timestamp_to_day_of_month_1_based', ({ day }) => day),
  getter('getDayOfWeek', 'timestamp_to_day_of_week', ({ weekday }) => weekday),
  getter(
    'getHours',
    'timestamp_to_hours',
    ({ hour }) => hour,
    durationOverload('duration_to_hours', 3_600_000_000_000n),
  ),
  getter(
    'getMinutes',
    'timestamp_to_minutes',
    ({ minute }) => minute,
    durationOverload('duration_to_minutes', 60_000_000_000n),
  ),
  getter(
    'getSeconds',
    'timestamp_to_seconds',
    ({ second }) => second,
    durationOverload('duration_to_seconds', 1_000_000_000n),
  ),
  getter(
    'getMilliseconds',
    'timestamp_to_milliseconds',
    (_parts, nanos) => Math.floor(nanos / 1_000_000),
    durationOverload('duration_to_milliseconds', 1_000_000n),
  ),
];
