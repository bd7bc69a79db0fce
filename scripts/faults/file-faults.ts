import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultRuns } from './fault-runs.ts';
import { isSyntax, plantedFaults } from './planted-faults.mjs';

/** Tests that stand beside a file are quick: what takes longer is a loop without end. */
const LIMIT_MS = 30_000;

/** The test files that are named after a source. */
export function namedTests(root: string, file: string): readonly string[] {
  const name = file.replace(/\.ts$/u, '');
  return [`${name}.test.ts`, `${name}.prop.test.ts`].filter((test) => existsSync(join(root, test)));
}

/** Plants every fault of one file and shows it to these tests alone. Gives the number of those that they miss. */
export async function examineFile(
  root: string,
  file: string,
  tests: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  const source = readFileSync(join(root, file), 'utf8');
  const runs = new FaultRuns([], {});
  let planted = 0;
  let missed = 0;
  try {
    const clean = await runs.run({ source, files: [file], tests }, 600_000);
    const failed = clean?.tests.find((one) => one.failed !== undefined);
    if (clean === undefined || failed !== undefined || clean.tests.length === 0)
      throw new Error(`without a fault: ${failed?.failed ?? 'no end, or no test'}`);
    for (const { line, start, end, replacement, what } of plantedFaults(source).faults) {
      const faulty = source.slice(0, start) + replacement + source.slice(end);
      if (!isSyntax(faulty)) continue;
      planted += 1;
      const run = await runs.run({ source: faulty, files: [file], tests }, LIMIT_MS);
      const isFound = run === undefined || run.errors.length > 0 || run.tests.some((one) => one.failed !== undefined);
      if (isFound) continue;
      missed += 1;
      say(`MISS  ${file}:${line} ${what}`);
    }
  } finally {
    runs.close();
  }
  say(`${planted - missed} of ${planted} faults in ${file} are found by ${tests.join(', ')}`);
  return missed;
}
