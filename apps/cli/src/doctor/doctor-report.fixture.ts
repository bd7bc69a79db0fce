/** Reads the JSON report that a run has written. */

import type { FakeHost } from '../fake-host.fixture.ts';
import type { Verdict } from './finding.ts';

/** The parts of the report that tests look at. */
export interface WrittenReport {
  readonly formatVersion: number;
  readonly server: string;
  readonly verdict: Verdict;
  readonly requests: number;
  readonly checks: readonly {
    readonly name: string;
    readonly verdict: Verdict;
    readonly findings: readonly { readonly verdict: Verdict; readonly summary: string; readonly advice?: string }[];
  }[];
}

export function reportOf({ written }: Pick<FakeHost, 'written'>): WrittenReport {
  return JSON.parse(written.stdout);
}

/** Verdicts by check. */
export function verdictsOf(host: Pick<FakeHost, 'written'>): Readonly<Record<string, Verdict>> {
  return Object.fromEntries(reportOf(host).checks.map(({ name, verdict }) => [name, verdict]));
}

/** The sentences of one check. */
export function summariesOf(host: Pick<FakeHost, 'written'>, check: string): string {
  const found = reportOf(host).checks.find(({ name }) => name === check);
  return (found?.findings ?? []).map(({ summary, advice = '' }) => `${summary} ${advice}`).join('\n');
}
