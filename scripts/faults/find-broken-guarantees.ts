// `npm run test:guarantees [-- PART...]`: breaks each guarantee of a relay in the code, one at a time, and says which test notices it.
// With words it breaks only those whose guarantee has one of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FaultRuns, type TestRun } from './fault-runs.ts';
import { BROKEN_GUARANTEES, type BrokenGuarantee } from './relay-guarantees.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LIMIT_MS = 600_000;
const words = process.argv.slice(2);
const chosen = BROKEN_GUARANTEES.filter(
  ({ guarantee }) => words.length === 0 || words.some((word) => guarantee.includes(word)),
);
if (chosen.length === 0) throw new RangeError(`no guarantee is called ${words.join(', ')}`);

const runs = new FaultRuns([], {});
/** Tests that pass while nothing is broken. */
const passing = new Set<string>();
let missed = 0;
try {
  for (const broken of chosen) {
    const found = await noticed(broken);
    if (found === undefined) missed += 1;
    console.log(
      `${found === undefined ? 'MISS ' : 'found'} ${broken.guarantee}: ${broken.mistake} <- ${found ?? broken.test}`,
    );
  }
} finally {
  runs.close();
}
console.log(`${chosen.length - missed} of ${chosen.length} mistakes are found`);
process.exitCode = missed === 0 ? 0 : 1;

/** The first test that fails because of it. Throws when it fails without it, too. */
async function noticed({ file, from, to, test }: BrokenGuarantee): Promise<string | undefined> {
  const source = readFileSync(join(root, file), 'utf8');
  const request = { files: [file], tests: [test] };
  const whole = passing.has(test) ? undefined : failureOf(await runs.run({ ...request, source }, LIMIT_MS));
  if (whole !== undefined) throw new Error(`${test} fails although nothing is broken: ${whole}`);
  passing.add(test);
  return failureOf(await runs.run({ ...request, source: source.replace(from, () => to) }, LIMIT_MS));
}

function failureOf(run: TestRun | undefined): string | undefined {
  if (run === undefined) return 'the run did not end';
  if (run.tests.length === 0) throw new Error('no test was run');
  const [failed] = run.tests.flatMap(({ failed: name }) => name ?? []);
  return failed ?? run.errors[0];
}
