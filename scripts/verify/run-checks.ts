import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckOutcome, type CheckState, outcomeTable, remainingChecks, withOutcome } from './check-outcomes.ts';
import type { LongCheck } from './long-checks.ts';

export interface RunOptions {
  readonly root: string;
  /** Run also what has passed on this tree. */
  readonly again: boolean;
  /** Every check that there is, for the table. */
  readonly names: readonly string[];
  readonly say: (line: string) => void;
}

/** Runs checks one after the other and writes down each end at once; gives the names of those that failed. */
export async function runChecks(checks: readonly LongCheck[], options: RunOptions): Promise<readonly string[]> {
  const { root, again, names, say } = options;
  const folder = join(root, '.listwatch', 'verify');
  mkdirSync(folder, { recursive: true });
  const tree = treeOf(root);
  const file = join(folder, 'state.json');
  let state = readState(file);
  const remaining = again ? checks : remainingChecks(checks, state, tree);
  for (const { name } of checks.filter((check) => !remaining.includes(check))) say(`ok    ${name} (earlier)`);
  const failed: string[] = [];
  for (const check of remaining) {
    say(`start ${check.name}: ${check.command.join(' ')}`);
    const outcome = await runCheck(check, root, folder);
    state = withOutcome(state, tree, outcome);
    // Renamed, so that an interruption leaves the state before or the state after.
    writeFileSync(`${file}.new`, JSON.stringify(state, null, 2));
    renameSync(`${file}.new`, file);
    writeFileSync(join(folder, 'report.md'), outcomeTable(state, names));
    say(`${outcome.passed ? 'ok   ' : 'FAIL '} ${check.name} (${outcome.seconds.toFixed(0)} s): ${outcome.lastLine}`);
    if (!outcome.passed) failed.push(check.name);
  }
  say(`${checks.length - failed.length} passed, ${failed.length} failed; ${join(folder, 'report.md')}`);
  return failed;
}

async function runCheck({ name, command, env }: LongCheck, root: string, folder: string): Promise<CheckOutcome> {
  const log = join(folder, `${name}.log`);
  const out = openSync(log, 'w');
  const started = performance.now();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', out, out],
    shell: process.platform === 'win32',
  });
  // It rejects when the program cannot be started.
  const ended = await once(child, 'exit').then(
    ([code]: unknown[]) => ({ passed: code === 0, problem: undefined }),
    (error: unknown) => ({ passed: false, problem: String(error) }),
  );
  closeSync(out);
  return {
    name,
    passed: ended.passed,
    seconds: (performance.now() - started) / 1000,
    endedAt: new Date().toISOString(),
    log,
    lastLine: ended.problem ?? readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '',
  };
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
