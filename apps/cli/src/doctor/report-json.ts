/** The report for `-o json`. Its shape is documented and only grows. */

import { printableJson } from '@listwatch/api/internal';
import { isWrong, type Verdict, worst } from './finding.ts';
import type { CheckReport, DoctorRun } from './run-checks.ts';

/** Everything that is known at the end of a run. */
export interface DoctorReport {
  readonly server: string;
  readonly checks: readonly CheckReport[];
  readonly requests: number;
  /** How long the run took. */
  readonly ms: number;
  readonly verdict: Verdict;
}

/** Puts a report together. */
export function doctorReport(server: string, { checks, requests }: DoctorRun, ms: number): DoctorReport {
  return { server, checks, requests, ms, verdict: worst(checks.map(({ verdict }) => verdict)) };
}

/** The exit code: 1 for a `warn` or a `fail`. */
export function reportExitCode({ verdict }: DoctorReport): 0 | 1 {
  return isWrong(verdict) ? 1 : 0;
}

/** One JSON document, without its end; control characters of the server are escaped. */
export function reportJson({ server, verdict, requests, ms, checks }: DoctorReport): string {
  const document = {
    formatVersion: 1,
    server,
    verdict,
    requests,
    ms: Math.round(ms),
    checks: checks.map((check) => ({
      name: check.name,
      verdict: check.verdict,
      ms: Math.round(check.ms),
      requests: check.requests,
      findings: check.findings.map((finding) => ({
        verdict: finding.verdict,
        summary: finding.summary,
        advice: finding.advice,
        data: finding.data,
      })),
    })),
  };
  return printableJson(JSON.stringify(document, rounded, 2));
}

/** Three digits are more than a measurement of milliseconds or a share has. */
function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 1000) / 1000 : value;
}
