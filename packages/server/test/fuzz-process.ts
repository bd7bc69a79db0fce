/** Starts the fuzzed server in a process of its own. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FuzzedServer, ServerReport, ShapedKind } from '@listwatch/conformance/fuzz';
import type { ServerTarget } from '@listwatch/conformance/server';
import { createRegistry } from '../src/kinds/resource-registry.ts';

const CHILD = fileURLToPath(new URL('fuzz-child.ts', import.meta.url));

/** The kinds of our server, with the shapes that it decodes by. */
export function servedKinds(): readonly ShapedKind[] {
  return [...createRegistry()].map(({ resource: { group, version, plural, kind, namespaced }, shape }) => ({
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    plural,
    namespaced,
    shape,
  }));
}

/** Our server on memory, ready to be attacked. */
export async function startFuzzedServer(): Promise<FuzzedServer> {
  const child = fork(CHILD, { execArgv: ['--conditions=@listwatch/source', '--import', 'tsx'] });
  let exit: string | undefined;
  child.once('exit', (code, signal) => {
    exit = signal ?? `exit code ${code}`;
  });
  // A report that is asked for while the process dies.
  child.on('error', () => undefined);
  const target = await message<ServerTarget>(child);
  return {
    ...target,
    get exit() {
      return exit;
    },
    report() {
      const report = message<ServerReport>(child);
      child.send('report');
      return report;
    },
    async [Symbol.asyncDispose]() {
      if (exit !== undefined) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The next message of the child. Rejects when it ends instead. */
function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error("the server's process has ended"));
    child.once('exit', ended);
    child.once('message', (received) => {
      child.off('exit', ended);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends are in this folder
      resolve(received as T);
    });
  });
}
