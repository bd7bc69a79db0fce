/** One run of a client in a process of its own, so that its CPU and its peak are its own. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOST_MS = 300_000;

/** A program that is measured. */
export interface BenchClient {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** A client of this folder, as it is shipped: built, and told that it is in production like every other. */
export function nodeClient(name: string, file: string, ...args: readonly string[]): BenchClient {
  const script = fileURLToPath(new URL(`clients/${file}`, import.meta.url));
  return { name, command: process.execPath, args: ['--expose-gc', script, ...args] };
}

export const CLIENT_ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' };

/** Runs it to its end, and gives what it says of itself in its last line. Rejects when it fails. */
export async function runClient({ command, args }: BenchClient): Promise<Readonly<Record<string, number>>> {
  const { stdout } = await run(command, [...args], { timeout: MOST_MS, maxBuffer: 1e8, env: CLIENT_ENVIRONMENT });
  return lastLine(stdout);
}

/** The numbers in the last line of an output. */
export function lastLine(output: string): Readonly<Record<string, number>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own programs
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, number>;
}
