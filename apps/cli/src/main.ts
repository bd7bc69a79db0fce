/** The command: parses the arguments, runs what they ask for, and returns the exit code. */

import { printable, printableLines } from '@listwatch/api/internal';
import { type Invocation, parseCommandLine } from './command-line.ts';
import { type Host, processHost } from './host.ts';
import { packageVersion } from './package-version.ts';
import { StartError } from './start-error.ts';
import { UsageError } from './usage-error.ts';

/** 0: done. 1: it could not be done. 2: the arguments are wrong. */
export async function run(host: Host): Promise<number> {
  try {
    return await perform(parseCommandLine(host.args, packageVersion()), host);
  } catch (error) {
    // One line each: what a server says is in some of them.
    if (error instanceof UsageError) return complain(host, printable(error.message), 2);
    if (error instanceof StartError) return complain(host, printable(error.message), 1);
    // An unexpected error: a bug report needs its stack.
    return complain(host, printableLines(error instanceof Error ? (error.stack ?? error.message) : String(error)), 1);
  }
}

/** Any long time: the timer only keeps the process alive. */
const HOLD_MS = 60 * 60 * 1000;

/** Runs the command in this process and ends it. */
export async function main(): Promise<void> {
  const host = processHost();
  // Our timers do not keep the process alive: while it waits for etcd, or for its last request, it would exit silently.
  const hold = setInterval(() => {}, HOLD_MS);
  const code = await run(host);
  clearInterval(hold);
  host.exit(code);
}

async function perform(invocation: Invocation, host: Host): Promise<number> {
  switch (invocation.type) {
    case 'print':
      host.stdout.write(invocation.text);
      return 0;
    case 'serve': {
      // Loaded only now, so that help and version print at once.
      const { serve } = await import('./serve/serve.ts');
      return serve(invocation.flags, host);
    }
    case 'watch': {
      const { watch } = await import('./watch/watch-command.ts');
      return watch(invocation.flags, host);
    }
    case 'console': {
      const { consoleOfCluster } = await import('./console/console-command.ts');
      return consoleOfCluster(invocation.flags, host);
    }
    case 'relay': {
      const { relay } = await import('./relay/relay-command.ts');
      return relay(invocation.flags, host);
    }
    case 'doctor': {
      const { doctor } = await import('./doctor/doctor-command.ts');
      return doctor(invocation.flags, host);
    }
    case 'types': {
      const { types } = await import('./types/types-command.ts');
      return types(invocation.flags, host);
    }
    case 'rbac': {
      const { rbac } = await import('./rbac/rbac.ts');
      return rbac(invocation.flags, host);
    }
    case 'user': {
      const { user } = await import('./user/user-actions.ts');
      return user(invocation.flags, host);
    }
    case 'store check': {
      const { storeCheck } = await import('./store/store-check.ts');
      return storeCheck(invocation.flags, host);
    }
  }
}

function complain(host: Host, message: string, code: number): number {
  host.stderr.write(`listwatch: ${message}\n`);
  return code;
}
