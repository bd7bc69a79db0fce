/** What many runs of the cluster had in common, as docs/guarantees.md shows it: `node ... apps/cli/test/cluster-summary.ts RUNS.jsonl`. */

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ClusterRunSummary } from '@listwatch/conformance/cluster';

/** The sums, and for each type of fault how often it came and how long all took to have everything again. */
export function summaryText(runs: readonly ClusterRunSummary[]): string {
  const sum = (of: (run: ClusterRunSummary) => number): string =>
    runs.reduce((total, run) => total + of(run), 0).toLocaleString('en');
  const times = new Map<string, number[]>();
  for (const { faults, recoveryMs } of runs) {
    for (const [index, fault] of faults.entries()) {
      const [type = ''] = fault.split(' ');
      times.set(type, [...(times.get(type) ?? []), recoveryMs[index] ?? Number.NaN]);
    }
  }
  const rows = [...times].map(([type, list]) => {
    const sorted = list.toSorted((a, b) => a - b);
    const [median, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    return `| ${type} | ${sorted.length} | ${seconds(median)} | ${seconds(longest)} |`;
  });
  const clean = runs.filter(({ violations }) => violations.length === 0).length;
  return [
    `${runs.length} runs, ${clean} clean; ${sum((run) => run.operations)} operations, ${sum((run) => run.unknown)} without an answer; ${sum((run) => run.changes)} changes; ${sum((run) => run.events)} events; ${sum((run) => run.lists)} lists; ${sum((run) => run.relists)} relists`,
    '| fault | times | median | longest |',
    '| ----- | ----- | ------ | ------- |',
    ...rows.toSorted(),
  ].join('\n');
}

function seconds(ms = Number.NaN): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

const [, program = '', file] = process.argv;
if (file !== undefined && import.meta.url === pathToFileURL(program).href) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const runs: readonly (ClusterRunSummary | { readonly error: string })[] = lines.map((line) => JSON.parse(line));
  process.stdout.write(`${summaryText(runs.filter((run) => 'faults' in run))}\n`);
}
