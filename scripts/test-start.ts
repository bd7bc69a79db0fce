// `npm run test:start`: the first commands of README.md, word for word, in a clone that nobody has used: each terminal is a shell of its own,
// and nobody has told kubectl of a cluster before. Needs kubectl, a free port 6443, and what npm ci downloads.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { terminalsOf } from './readme-terminals.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'listwatch-start-'));
const clone = join(scratch, 'listwatch');
const home = join(scratch, 'home');
/** A clone on a slow line: npm ci, the build, the start. */
const LIMIT_MS = 600_000;

interface Terminal {
  readonly shell: ChildProcess;
  readonly said: () => string;
}

/** What npm of this run has set, and where this machine's clusters are, is not what a newcomer has. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_|^LISTWATCH_|^KUBE/u.test(name));
  return Object.fromEntries(own);
}

function open(commands: readonly string[], env: NodeJS.ProcessEnv): Terminal {
  // Detached: what it starts ends with it.
  const shell = spawn('sh', ['-c', commands.join('\n')], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (more: Buffer) => (said += more.toString()));
  return { shell, said: () => said };
}

async function until(what: string, { shell, said }: Terminal, text: RegExp): Promise<void> {
  const began = performance.now();
  while (!text.test(said())) {
    if (shell.exitCode !== null || performance.now() - began > LIMIT_MS)
      throw new Error(`${what}: nothing like ${String(text)} (exit code ${shell.exitCode})\n${said()}`);
    await delay(50);
  }
  console.log(`ok   ${what} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

async function close({ shell }: Terminal): Promise<void> {
  if (shell.exitCode !== null || shell.pid === undefined) return;
  const ended = once(shell, 'exit');
  process.kill(-shell.pid, 'SIGTERM');
  await ended;
}

const terminals: Terminal[] = [];
try {
  const { status, stderr } = spawnSync('git', ['clone', '--quiet', root, clone], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  mkdirSync(home);
  const [first = [], second = [], third = []] = terminalsOf(readFileSync(join(clone, 'README.md'), 'utf8'));
  const stranger = { ...environment(), HOME: home };
  const server = open(first, environment());
  terminals.push(server);
  await until(first.join('; '), server, /Ready at/u);
  await until('with a link to the console', server, /consoleLink|Console, by a link/u);
  const watch = open(second, stranger);
  terminals.push(watch);
  await until(second.join('; '), watch, /kube-root-ca\.crt/u);
  const kubectl = open(third, stranger);
  terminals.push(kubectl);
  await until(third.join('; '), kubectl, /configmap\/hello created/u);
  await until('the watch shows it', watch, /hello/u);
} catch (error) {
  console.error(`FAIL ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  for (const terminal of terminals.toReversed()) await close(terminal);
  rmSync(scratch, { recursive: true, force: true });
}
