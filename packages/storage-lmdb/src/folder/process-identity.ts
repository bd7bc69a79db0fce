/** Which process this is, in a way that no later process can be mistaken for it. */

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Fields that the system does not tell (they come from Linux' /proc) are empty. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Which start of the machine. */
  readonly boot: string;
  /** Which set of process numbers: containers have their own. */
  readonly namespace: string;
  /** When the process began, in ticks since the machine's start: numbers are reused, this is not. */
  readonly started: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    boot: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: attempt(() => readlinkSync('/proc/self/ns/pid')),
    started: startOf(process.pid),
  };
}

/** Whether `other` lives, seen from `self`; undefined when it lives in a container that cannot be looked into. */
export function isAlive(other: ProcessIdentity, self: ProcessIdentity): boolean | undefined {
  if (other.boot !== self.boot) return false;
  if (other.namespace !== self.namespace) return undefined;
  if (other.boot === '' && other.host !== self.host) return undefined;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return startOf(other.pid) === other.started;
}

/** Field 22 of /proc/PID/stat; the name in field 2 may contain anything, also spaces and brackets. */
function startOf(pid: number): string {
  return attempt(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  });
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
