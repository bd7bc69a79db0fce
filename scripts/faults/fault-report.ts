/** What became of one fault. */
export interface FaultOutcome {
  readonly id: string;
  readonly where: string;
  readonly what: string;
  /** How many test files ran the place. */
  readonly tests: number;
  readonly seconds: number;
  /** The test that failed, undefined when none did. */
  readonly found: string | undefined;
}

export const REPORT_HEAD: readonly string[] = [
  '| area | faults there | planted | found | rate | took |',
  '| --- | --- | --- | --- | --- | --- |',
];

/** A line of the table, and the rate in it. */
export function areaRow(
  name: string,
  outcomes: readonly FaultOutcome[],
  all: number,
  seconds: number,
): { readonly row: string; readonly percent: number } {
  const found = outcomes.filter((one) => one.found !== undefined).length;
  const percent = outcomes.length === 0 ? 100 : (100 * found) / outcomes.length;
  const took = `${Math.round(seconds / 60)} min`;
  return { row: `| ${name} | ${all} | ${outcomes.length} | ${found} | ${percent.toFixed(0)} % | ${took} |`, percent };
}

/** The faults that no test noticed, for those who write the tests. */
export function survivorList(name: string, outcomes: readonly FaultOutcome[]): string {
  const missed = outcomes.filter((one) => one.found === undefined);
  if (missed.length === 0) return '';
  const lines = missed.map(({ where, what, tests }) => {
    const ran = tests === 0 ? 'no test runs it' : `${tests} test files ran it`;
    return `- \`${where}\` ${what} (${ran})`;
  });
  return [`Not found in ${name}:`, '', ...lines, ''].join('\n');
}
