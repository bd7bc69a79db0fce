import { duration } from './check-outcomes.ts';

export interface TimedCheck {
  readonly name: string;
  /** A guess for the first run, on two cores. */
  readonly minutes?: number;
}

/** How long a check will take: as it last did here, or as its list guesses. */
export function expectedSeconds(
  { name, minutes }: TimedCheck,
  measured: Readonly<Record<string, number>>,
): number | undefined {
  return measured[name] ?? (minutes === undefined ? undefined : minutes * 60);
}

/** Said before the first check: `3 checks, about 4 min 0 s and 1 of unknown length`. */
export function expectationOf(checks: readonly TimedCheck[], measured: Readonly<Record<string, number>>): string {
  const times = checks.map((check) => expectedSeconds(check, measured));
  const known = times.filter((seconds) => seconds !== undefined);
  const parts = [
    ...(known.length === 0 ? [] : [`about ${duration(known.reduce((sum, seconds) => sum + seconds, 0))}`]),
    ...(known.length === times.length ? [] : [`${times.length - known.length} of unknown length`]),
  ];
  return `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}, ${parts.join(' and ')}`;
}

/** Why a check is not begun with `leftSeconds` left of the time that the run has; undefined when it is. */
export function reasonToWait(
  check: TimedCheck,
  measured: Readonly<Record<string, number>>,
  leftSeconds: number,
): string | undefined {
  if (leftSeconds <= 0) return 'the time is over';
  const expected = expectedSeconds(check, measured);
  if (expected === undefined || expected <= leftSeconds) return undefined;
  return `it takes about ${duration(expected)}, and ${duration(leftSeconds)} are left`;
}
