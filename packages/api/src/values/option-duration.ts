/** Durations of options and flags: Go's units from milliseconds, and days. */

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const OPTION = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|[smhd])/g;
/** The longest text that is read. */
const MAX_LENGTH = 256;

/** The milliseconds of a text such as `90s`, `1h30m` or `7d`; undefined for other text. Only 0 may go without a unit. */
export function optionDurationMs(text: string): number | undefined {
  if (text === '0') return 0;
  if (text.length > MAX_LENGTH || !OPTION.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(PART)) total += Number(amount) * (UNIT_MS.get(unit) ?? Number.NaN);
  return Number.isSafeInteger(Math.round(total)) ? total : undefined;
}

/** A duration in its largest whole units: `1h30m`. */
export function optionDurationText(ms: number): string {
  if (ms === 0) return '0s';
  let rest = ms;
  let text = '';
  for (const [unit, factor] of [...UNIT_MS].toReversed()) {
    // A day is written in hours, as the defaults are: 24h.
    if (unit === 'd' && rest < 2 * factor) continue;
    const amount = Math.floor(rest / factor);
    if (amount > 0) text += `${amount}${unit}`;
    rest -= amount * factor;
  }
  return text;
}
