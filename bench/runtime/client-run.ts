/** One run of a client in a process of its own, so that its CPU and its peak are its own. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOST_MS = 120_000;

/** A client that is measured. */
export interface BenchClient {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** What a client says of itself at its end. */
export interface ClientRun {
  readonly objects: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Runs it to its end. Rejects when it fails, or does not see all `objects`. */
export async function runClient({ name, command, args }: BenchClient, objects: number): Promise<ClientRun> {
  const { stdout } = await run(command, [...args], { timeout: MOST_MS, maxBuffer: 1e8 });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own programs, checked below
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ClientRun;
  if (result.objects !== objects) throw new Error(`${name} saw ${result.objects} of ${objects} objects`);
  return result;
}
