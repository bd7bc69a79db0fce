/** `listwatch serve` as built, with its console: what a user has who follows the README. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../apps/cli/bin/listwatch.js', import.meta.url));

export interface ServedConsole {
  readonly name: string;
  readonly pid: number;
  readonly kubeconfig: string;
  /** A link that logs one browser in. */
  readonly link: string;
  stop(): Promise<void>;
}

/** Starts it in an empty folder, with objects in memory. `profileFolder`: a CPU profile is written there when it stops. */
export async function startServedConsole(folder: string, profileFolder?: string): Promise<ServedConsole> {
  const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const args = ['serve', '--port', '0', '--storage', 'memory', '--controllers=-*'];
  const child = spawn(process.execPath, [...profile, BIN, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { kubeconfig, console: link } = await readyLine(child);
  return {
    name: 'listwatch-memory',
    pid: child.pid ?? 0,
    kubeconfig,
    link,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function readyLine(child: ChildProcess): Promise<{ readonly kubeconfig: string; readonly console: string }> {
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('Ready at')) {
      // Whoever reads no more must let the rest pass: the server would wait for it.
      child.stdout.resume();
      return JSON.parse(line);
    }
  }
  throw new Error('the server ended before it was ready');
}
