import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckOutcome, type CheckState, outcomeTable, remainingChecks, withOutcome } from './check-outcomes.ts';
import { runProcess } from './check-process.ts';
import { expectationOf, reasonToWait } from './check-times.ts';
import type { LongCheck } from './long-checks.ts';
import { tellingLine } from './telling-line.ts';

const FOLDER = ['.listwatch', 'verify'];

export interface RunOptions {
  readonly root: string;
  /** Run also what has passed on this tree. */
  readonly again: boolean;
  /** Begin no check that would probably end later than this after the start. */
  readonly limitMinutes?: number | undefined;
  /** Every check that there is, for the table. */
  readonly names: readonly string[];
  readonly say: (line: string) => void;
  /** Interrupts: the running check is ended and counts as not run. */
  readonly signal: AbortSignal;
  /** How long processes have between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

/** Runs checks one after the other and writes down each end at once; gives the names of those that failed. */
export async function runChecks(checks: readonly LongCheck[], options: RunOptions): Promise<readonly string[]> {
  const { root, again, names, say, signal, limitMinutes = Number.POSITIVE_INFINITY } = options;
  const folder = join(root, ...FOLDER);
  mkdirSync(folder, { recursive: true });
  const tree = treeOf(root);
  const file = join(folder, 'state.json');
  let state = readState(file);
  const remaining = again ? checks : remainingChecks(checks, state, tree);
  for (const { name } of checks.filter((check) => !remaining.includes(check))) say(`ok    ${name} (earlier)`);
  if (remaining.length > 0) say(expectationOf(remaining, state?.seconds ?? {}));
  const began = performance.now();
  const failed: string[] = [];
  const left: string[] = [];
  for (const check of remaining) {
    const leftSeconds = limitMinutes * 60 - (performance.now() - began) / 1000;
    const reason = signal.aborted ? 'interrupted' : reasonToWait(check, state?.seconds ?? {}, leftSeconds);
    if (reason !== undefined) {
      left.push(check.name);
      say(`left  ${check.name}: ${reason}`);
      continue;
    }
    say(`start ${check.name}: ${check.command.join(' ')}`);
    const outcome = await runCheck(check, folder, options);
    if (signal.aborted) {
      left.push(check.name);
      say(`left  ${check.name}: interrupted after ${outcome.seconds.toFixed(0)} s; run again to go on with it`);
      continue;
    }
    // Read anew: another run may have written down others meanwhile.
    state = withOutcome(readState(file), tree, outcome);
    // Renamed, so that an interruption leaves the state before or the state after.
    writeFileSync(`${file}.new`, JSON.stringify(state, null, 2));
    renameSync(`${file}.new`, file);
    writeFileSync(join(folder, 'report.md'), outcomeTable(state, names));
    say(`${outcome.passed ? 'ok   ' : 'FAIL '} ${check.name} (${outcome.seconds.toFixed(0)} s): ${outcome.line}`);
    if (!outcome.passed) failed.push(check.name);
  }
  const chosen = checks.map(({ name }) => name);
  if (state?.tree === tree) say(`\n${outcomeTable(state, chosen)}`);
  const passed = checks.length - failed.length - left.length;
  say(`${passed} passed, ${failed.length} failed, ${left.length} left; ${join(folder, 'report.md')}`);
  if (treeOf(root) !== tree) say('The checks have changed the tree, so that the next run starts anew: git status');
  return failed;
}

async function runCheck(
  { name, command, env }: LongCheck,
  folder: string,
  { root, signal, graceMs = 10_000 }: RunOptions,
): Promise<CheckOutcome> {
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'w');
  // Its own, so that an interruption leaves no packed tarballs and no stores behind. Short: paths of sockets have a limit.
  const scratch = mkdtempSync(join(tmpdir(), 'lwv-'));
  const started = performance.now();
  try {
    const own = { TMPDIR: scratch, TEMP: scratch, TMP: scratch };
    const { passed, problem } = await runProcess(command, {
      cwd: root,
      env: { ...process.env, ...own, ...env },
      output,
      signal,
      graceMs,
    });
    const seconds = (performance.now() - started) / 1000;
    const line = problem ?? tellingLine(readFileSync(log, 'utf8'), passed);
    return { name, passed, seconds, endedAt: new Date().toISOString(), load: loadavg()[1] ?? 0, log, line };
  } finally {
    closeSync(output);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** How long checks took in this repository when they last passed. */
export function measuredSeconds(root: string): Readonly<Record<string, number>> {
  return readState(join(root, ...FOLDER, 'state.json'))?.seconds ?? {};
}

function readState(file: string): CheckState | undefined {
  if (!existsSync(file)) return undefined;
  const state: CheckState = JSON.parse(readFileSync(file, 'utf8'));
  return state;
}

/** The commit and what differs from it: a check that passed before an edit says nothing about the tree after it. */
function treeOf(root: string): string {
  const git = (...args: readonly string[]): string =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
  const changes = git('diff', 'HEAD') + git('status', '--porcelain');
  const commit = git('rev-parse', 'HEAD').trim();
  return changes === '' ? commit : `${commit}+${createHash('sha256').update(changes).digest('hex').slice(0, 12)}`;
}
