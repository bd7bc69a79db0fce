// `npm run test:faults [-- AREA...]`: plants faults in the code, one at a time, and says which of them the tests notice.
// `--sample N` faults of each area (40), `--seed N` draws others, `--goal PERCENT` (90) decides about the end, `--resume` runs
// only what no test had noticed, or what was not run. The table is .listwatch/faults/report.md.
// `--file FILE [TEST...]`: every fault of one file, shown to the tests that are named after it, or to these.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULT_AREAS, type FaultArea, GROUP_TESTS } from './fault-areas.ts';
import { areaRow, type FaultOutcome, REPORT_HEAD, survivorList } from './fault-report.ts';
import { FaultRuns } from './fault-runs.ts';
import {
  countFaults,
  faultySource,
  filesBelow,
  isSource,
  isTest,
  type SampledFault,
  sampleFaults,
} from './fault-sample.ts';
import { examineFile, namedTests } from './file-faults.ts';
import { TestMap } from './test-map.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    goal: { type: 'string', default: '90' },
    resume: { type: 'boolean', default: false },
    file: { type: 'string' },
  },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
if (values.file !== undefined) {
  const tests = positionals.length > 0 ? positionals : namedTests(root, values.file);
  if (tests.length === 0) throw new RangeError(`no test is named after ${values.file}: name those that should notice`);
  process.exit((await examineFile(root, values.file, tests, (line) => console.log(line))) === 0 ? 0 : 1);
}
const folder = join(root, '.listwatch', 'faults');
const unknown = positionals.filter((name) => !FAULT_AREAS.some((area) => area.name === name));
if (unknown.length > 0)
  throw new RangeError(
    `no area is called ${unknown.join(', ')}; there are ${FAULT_AREAS.map(({ name }) => name).join(', ')}`,
  );
if (!values.resume) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const rows: string[] = [];
const lists: string[] = [];
let worst = 100;
for (const area of FAULT_AREAS) {
  if (positionals.length > 0 && !positionals.includes(area.name)) continue;
  const began = performance.now();
  const sources = filesBelow(root, area.sources, isSource);
  const outcomes = await examine(area, sources);
  const { row, percent } = areaRow(area.name, outcomes, countFaults(root, sources), (performance.now() - began) / 1000);
  worst = Math.min(worst, percent);
  rows.push(row);
  lists.push(survivorList(area.name, outcomes));
  writeFileSync(join(folder, 'report.md'), [...REPORT_HEAD, ...rows, '', ...lists].join('\n'));
  console.log(row);
}
console.log(readFileSync(join(folder, 'report.md'), 'utf8'));
console.log(`the least that was found in an area: ${worst.toFixed(0)} % (goal ${values.goal} %)`);
process.exitCode = worst >= Number(values.goal) ? 0 : 1;

async function examine(area: FaultArea, sources: readonly string[]): Promise<readonly FaultOutcome[]> {
  const faults = sampleFaults(root, sources, Number(values.sample), Number(values.seed));
  console.log(`${area.name}: ${faults.length} faults in ${sources.length} files`);
  const map = await mapOf(area.group);
  const file = join(folder, `${area.name}.json`);
  const before: readonly FaultOutcome[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const outcomes: FaultOutcome[] = [];
  const runs = new FaultRuns([], {});
  try {
    await checkRuns(faults, map, runs);
    for (const fault of faults) {
      const known = before.find(({ id, found }) => id === fault.id && found !== undefined);
      const outcome = known ?? (await plant(fault, map, runs));
      outcomes.push(outcome);
      if (known !== undefined) continue;
      writeFileSync(
        file,
        JSON.stringify([...outcomes, ...before.filter(({ id }) => !outcomes.some((one) => one.id === id))]),
      );
      console.log(
        `${outcome.found === undefined ? 'MISS ' : 'found'} ${outcome.seconds.toFixed(0)} s ${outcome.where} ${outcome.what} <- ${outcome.found ?? `${outcome.tests} test files`}`,
      );
    }
    await checkFinders(outcomes, faults, runs);
  } finally {
    runs.close();
  }
  return outcomes;
}

async function mapOf(group: FaultArea['group']): Promise<TestMap> {
  const map = new TestMap(root, join(folder, `${group}.map.json`));
  const members = FAULT_AREAS.filter((one) => one.group === group).flatMap(({ sources }) => sources);
  const tests = filesBelow(root, GROUP_TESTS[group], isTest);
  await map.update(tests, filesBelow(root, members, isSource), (line) => console.log(line));
  return map;
}

/** Without a fault nothing may be found, and a file that cannot be loaded must be: else a broken runner would look like good tests. */
async function checkRuns(faults: readonly SampledFault[], map: TestMap, runs: FaultRuns): Promise<void> {
  const fault = faults.find((one) => map.testsFor(one).length > 0);
  if (fault === undefined) throw new Error('no test runs any of the places');
  const { file, source } = fault;
  const tests = map.testsFor(fault);
  const run = await runs.run({ source, files: [file], tests }, 600_000);
  const failed = run?.tests.find((one) => one.failed !== undefined);
  if (run === undefined || failed !== undefined || run.errors.length > 0)
    throw new Error(`tests of ${file} fail without a fault: ${failed?.failed ?? run?.errors.join(', ') ?? 'no end'}`);
  // A fault that nobody could miss: tests that load what is built, or what a process before them has loaded, would show it.
  const broken = await runs.run({ source: `${source}\nthrow new Error('planted');\n`, files: [file], tests }, 600_000);
  const isSeen =
    broken === undefined || broken.errors.length > 0 || broken.tests.some((one) => one.failed !== undefined);
  if (!isSeen) throw new Error(`what is planted in ${file} does not reach its tests: do they load what is built?`);
}

/** Tests that have found faults pass without one: else what they found was the machine, or the fault before. */
async function checkFinders(
  outcomes: readonly FaultOutcome[],
  [fault]: readonly SampledFault[],
  runs: FaultRuns,
): Promise<void> {
  const finders = new Set(outcomes.flatMap(({ found = '' }) => /^(\S+\.test\.ts): /u.exec(found)?.[1] ?? []));
  if (fault === undefined || finders.size === 0) return;
  const { file, source } = fault;
  const run = await runs.run({ source, files: [file], tests: [...finders] }, 600_000);
  const failed = run?.tests.find((one) => one.failed !== undefined);
  if (run === undefined || failed !== undefined || run.errors.length > 0)
    throw new Error(`a test that found faults fails without one, too: ${failed?.file} ${failed?.failed ?? 'no end'}`);
}

async function plant(fault: SampledFault, map: TestMap, runs: FaultRuns): Promise<FaultOutcome> {
  const { id, file, line, what } = fault;
  const tests = map.testsFor(fault);
  const began = performance.now();
  const described = { id, where: `${file}:${line}`, what, tests: tests.length };
  if (tests.length === 0) return { ...described, seconds: 0, found: undefined };
  const run = await runs.run(
    { source: faultySource(fault), files: [file], tests },
    30_000 + 3_000 * map.secondsOf(tests),
  );
  const seconds = (performance.now() - began) / 1000;
  const failed = run?.tests.find((one) => one.failed !== undefined);
  const found =
    run === undefined ? 'no end' : failed === undefined ? run.errors[0] : `${failed.file}: ${failed.failed}`;
  return { ...described, seconds, found };
}
