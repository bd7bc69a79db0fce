import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface EndedProcess {
  readonly passed: boolean;
  /** What went wrong besides its exit code: it could not be started, or left programs running. */
  readonly problem: string | undefined;
}

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** A file descriptor. */
  readonly output: number;
  /** Ends it and everything that it has started. */
  readonly signal: AbortSignal;
  /** How long processes have between SIGTERM and SIGKILL, and to follow a check that has ended. */
  readonly graceMs: number;
}

interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly state: string;
  readonly program: string;
}

/**
 * Runs a program to its end as a process group of its own: a signal that only this process gets would leave the program running. What
 * is left of it then is ended, too, and is a failure: the next check would find its ports and processors taken.
 */
export async function runProcess(
  [program, ...args]: readonly [string, ...string[]],
  options: ProcessOptions,
): Promise<EndedProcess> {
  const { cwd, env, output, signal, graceMs } = options;
  const isWindows = process.platform === 'win32';
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', output, output],
    detached: !isWindows,
    shell: isWindows,
  });
  let stopped: Promise<void> | undefined;
  const stop = (): void => {
    stopped = stopTree(child, graceMs);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    // It rejects when the program cannot be started.
    const [code]: unknown[] = await once(child, 'exit');
    await stopped;
    const left = signal.aborted ? [] : await stopLeftovers(child, graceMs);
    if (left.length === 0) return { passed: code === 0, problem: undefined };
    return { passed: false, problem: `left running: ${left.map((one) => `${one.program} (${one.pid})`).join(', ')}` };
  } catch (error) {
    return { passed: false, problem: String(error) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Ends a process with all that it has started, also what has left its group. */
async function stopTree({ pid }: ChildProcess, graceMs: number): Promise<void> {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    return;
  }
  await stopAll(treeOf(pid), graceMs);
  // What was started meanwhile.
  for (const one of groupOf(pid)) send(one, 'SIGKILL');
}

async function stopLeftovers({ pid }: ChildProcess, graceMs: number): Promise<readonly ListedProcess[]> {
  if (pid === undefined || process.platform === 'win32') return [];
  const left = await lastingProcesses(() => groupOf(pid), graceMs);
  await stopAll(left, graceMs);
  return left;
}

async function stopAll(processes: readonly ListedProcess[], graceMs: number): Promise<void> {
  for (const one of processes) send(one, 'SIGTERM');
  for (const one of await lastingProcesses(() => stillRunning(processes), graceMs)) send(one, 'SIGKILL');
}

/** What is there after some time; as soon as there is nothing, nothing. */
async function lastingProcesses(
  list: () => readonly ListedProcess[],
  graceMs: number,
): Promise<readonly ListedProcess[]> {
  const began = performance.now();
  let found = list();
  while (found.length > 0 && performance.now() - began < graceMs) {
    await delay(50);
    found = list();
  }
  return found;
}

function send({ pid }: ListedProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** The same number and the same program: a number may have been given to another one. */
function stillRunning(processes: readonly ListedProcess[]): readonly ListedProcess[] {
  const now = listProcesses();
  return processes.filter(({ pid, program }) => now.some((one) => one.pid === pid && one.program === program));
}

/** The group, and all descendants: shells and servers that were started detached have groups of their own. */
function treeOf(root: number): readonly ListedProcess[] {
  const all = listProcesses();
  const found = new Set(all.filter(({ pid, group }) => pid === root || group === root));
  for (const { pid } of found) for (const one of all) if (one.parent === pid) found.add(one);
  return [...found];
}

function groupOf(leader: number): readonly ListedProcess[] {
  return listProcesses().filter(({ group }) => group === leader);
}

/** Every process but those that have ended and that nobody has asked about yet. */
function listProcesses(): readonly ListedProcess[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,state=,comm='], { encoding: 'utf8' });
  const found = [...(stdout ?? '').matchAll(/^ *(\d+) +(\d+) +(\d+) +(\S+) +(.*)$/gmu)];
  return found
    .map(([, pid, parent, group, state = '', program = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      state,
      program,
    }))
    .filter(({ state }) => !state.startsWith('Z'));
}
