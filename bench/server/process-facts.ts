/** What Linux knows of a process: its CPU and its memory, however noisy the machine is. */

import { readFileSync } from 'node:fs';

/** Linux counts CPU in hundredths of a second for everyone who asks. */
const MICROS_PER_TICK = 10_000;
/** Where the fields of `/proc/pid/stat` stand behind the name, which may hold blanks. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Microseconds of CPU that a process has used, all threads. */
export function cpuMicros(pid: number): number {
  return microsIn(`/proc/${pid}/stat`);
}

/** Microseconds of CPU that its first thread has used: in Node, the event loop. */
export function loopMicros(pid: number): number {
  return microsIn(`/proc/${pid}/task/${pid}/stat`);
}

function microsIn(path: string): number {
  const stat = readFileSync(path, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MICROS_PER_TICK;
}

/** The memory of a process, in bytes. */
export interface Resident {
  readonly now: number;
  readonly peak: number;
  /** Without the pages of files that are mapped: those are the kernel's, which takes them back when it needs them. */
  readonly own: number;
}

export function resident(pid: number): Resident {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const read = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`, 'u').exec(status)?.[1]) * 1024;
  return { now: read('VmRSS'), peak: read('VmHWM'), own: read('RssAnon') };
}

/** What a piece of work cost. */
export interface Cost {
  readonly serverMicros: number;
  /** Of this process, to see whether the measuring itself was the limit. */
  readonly clientMicros: number;
  readonly ms: number;
}

/** Runs `work` and tells what it cost the server. */
export async function costOf(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  const server = cpuMicros(pid);
  const client = process.cpuUsage();
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  const used = process.cpuUsage(client);
  return { serverMicros: cpuMicros(pid) - server, clientMicros: used.user + used.system, ms };
}
