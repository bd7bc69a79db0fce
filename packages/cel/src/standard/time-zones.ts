/** Offsets of time zones, by IANA name or as `+01:00`. */
import { CelError } from '../values/cel-error.ts';
import type { CallContext } from './cel-library.ts';

const MAX_CACHED = 64;
/** Asking Intl for the parts of a date takes about this many steps. */
const INTL_STEPS = 200;

const formatters: Map<string, Intl.DateTimeFormat | CelError> = new Map();

/** The seconds east of UTC at a time. */
export function zoneOffset(zone: string, seconds: number, context: CallContext): number | CelError {
  // An expression must not depend on the machine: `Local` is UTC, as on most servers.
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  const colon = zone.indexOf(':');
  if (colon >= 0) return fixedOffset(zone, colon);
  context.work(INTL_STEPS);
  const formatter = formatterOf(zone, context);
  if (formatter instanceof CelError) return formatter;
  const parts = new Map(formatter.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]));
  const at = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local = new Date(0);
  local.setUTCFullYear(at('year'), at('month') - 1, at('day'));
  local.setUTCHours(at('hour'), at('minute'), at('second'));
  return local.getTime() / 1000 - seconds;
}

function formatterOf(zone: string, context: CallContext): Intl.DateTimeFormat | CelError {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  context.work(INTL_STEPS * 50);
  const made = zone.length > 64 ? unknownZone(zone) : makeFormatter(zone);
  if (formatters.size >= MAX_CACHED) {
    const oldest = formatters.keys().next();
    if (oldest.done !== true) formatters.delete(oldest.value);
  }
  formatters.set(zone, made);
  return made;
}

function makeFormatter(zone: string): Intl.DateTimeFormat | CelError {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return unknownZone(zone);
  }
}

function unknownZone(zone: string): CelError {
  return new CelError(`unknown time zone ${zone}`);
}

function fixedOffset(zone: string, colon: number): number | CelError {
  const hours = atoi(zone.slice(0, colon));
  if (hours instanceof CelError) return hours;
  const minutes = atoi(zone.slice(colon + 1));
  if (minutes instanceof CelError) return minutes;
  return (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60;
}

function atoi(text: string): number | CelError {
  if (!/^[+-]?\d{1,15}$/u.test(text))
    return new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}
