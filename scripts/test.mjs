// `npm test`: format, lint and types, then every test; one summary at the end. `npm run check` stops before the tests.
// Tests that need a missing program are skipped and counted at the end. REQUIRED_PARTS (names, separated by commas) makes
// that a failure, so that CI cannot lose tests silently.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countTests, missingParts } from './missing-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const onlyChecks = process.argv.includes('check');
const scratch = mkdtempSync(join(tmpdir(), 'listwatch-test-'));
const report = join(scratch, 'vitest.json');

const BUILD = 'build, with the types of the packages';
const checks = [
  ['format', ['biome', 'check', '.']],
  ['lint', ['oxlint', '--type-aware', '--deny-warnings', '.']],
  [BUILD, ['node', 'scripts/build.mjs']],
  ['types of tests, benches and examples', ['tsc', '-p', 'tsconfig.json']],
  ["types of the console's page", ['tsc', '-p', 'apps/console/page']],
];
const tests = [
  'tests',
  ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
];

/** Runs one step with its output shown as it comes; the answer says whether it went well, and how long it took. */
function run([name, [command, ...args]], env = process.env) {
  console.log(`\n--- ${name}: ${command} ${args.join(' ')}`);
  const started = Date.now();
  const program = command === 'node' ? command : join(root, 'node_modules/.bin', command);
  const { status } = spawnSync(program, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return { name, passed: status === 0, seconds: (Date.now() - started) / 1000 };
}

/** The first lines of a failure: its message and the nearest places of its stack. */
function indented(message) {
  const lines = message.replaceAll(root, '').split('\n');
  return lines
    .slice(0, 12)
    .map((line) => `       ${line.slice(0, 300)}`)
    .join('\n');
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  }
}

const results = checks.map((check) => run(check));
if (!onlyChecks) {
  // Programs that tests start run the build when it is fresh: it starts sooner than the sources.
  const isBuilt = results.every(({ name, passed }) => name !== BUILD || passed);
  results.push(run(tests, isBuilt ? { ...process.env, TEST_BUILD: '1' } : process.env));
}
const vitest = onlyChecks ? undefined : readReport();
rmSync(scratch, { recursive: true });

console.log('\n=== summary');
for (const { name, passed, seconds } of results)
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`);
const assertions = (vitest?.testResults ?? []).flatMap((file) => file.assertionResults);
// The end of a long log is what people look at, and all that some CI systems keep: say there what was wrong, too.
for (const test of assertions.filter(({ status }) => status === 'failed')) {
  console.log(`FAIL ${test.fullName}`);
  for (const message of test.failureMessages ?? []) console.log(indented(message));
}
for (const { name, status, assertionResults } of vitest?.testResults ?? []) {
  const isExplained = assertionResults.some((test) => test.status === 'failed');
  if (status === 'failed' && !isExplained) console.log(`FAIL ${relative(root, name)}, outside of its tests`);
}
const missing = missingParts(assertions);
const required = (process.env.REQUIRED_PARTS ?? '').split(',');
const wanting = missing.filter(({ name }) => required.includes(name));
for (const { name, get, leftOut } of missing)
  console.log(
    `${required.includes(name) ? 'FAIL' : 'skip'} left out ${countTests(leftOut)} for want of ${name}: ${get}`,
  );
const skipped = vitest?.numPendingTests ?? 0;
const otherSkips = skipped - missing.reduce((sum, { leftOut }) => sum + leftOut, 0);
if (otherSkips > 0) console.log(`skip left out ${countTests(otherSkips)} for the reason in the title`);

const checksRun = results.filter(({ name }) => name !== 'tests');
const passed = checksRun.filter((check) => check.passed).length + (vitest?.numPassedTests ?? 0);
let failed = checksRun.filter((check) => !check.passed).length + (vitest?.numFailedTests ?? 0) + wanting.length;
// vitest can fail without a failed test (a file that does not load, an unhandled rejection): that is a failure too.
if (failed === 0 && results.some((result) => !result.passed)) failed = 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
