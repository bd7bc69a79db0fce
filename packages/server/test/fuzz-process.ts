/** Starts the fuzzed server in a process of its own. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BodyShape, FuzzedServer, FuzzedServerReport, ShapedKind } from '@listwatch/conformance/fuzz';
import type { ServerTarget } from '@listwatch/conformance/server';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import type { DecodePlan } from '@listwatch/schema';
import { createRegistry } from '../src/kinds/resource-registry.ts';

const CHILD = fileURLToPath(new URL('fuzz-child.ts', import.meta.url));

/** The kinds of our server, with what it decodes them by. */
export async function servedKinds(): Promise<readonly ShapedKind[]> {
  const registry = [...createRegistry()];
  await BUILT_IN_SCHEMAS.loadAll(registry.map(({ data }) => data.type));
  return registry.map(({ resource: { group, version, plural, kind, namespaced }, plan }) => ({
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    plural,
    namespaced,
    shape: bodyShape(plan()),
  }));
}

function bodyShape(plan: DecodePlan): BodyShape {
  switch (plan.is) {
    case 'scalar':
      return plan.scalar;
    case 'form':
      return 'any';
    case 'list':
      return { list: bodyShape(plan.item) };
    case 'map':
      return { map: bodyShape(plan.item) };
    case 'struct':
      // Types refer to themselves, so fields are looked up when they are filled.
      return {
        get fields() {
          return Object.fromEntries(plan.fields.map((field) => [field.name, bodyShape(field.plan)]));
        },
      };
  }
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
      const report = message<FuzzedServerReport>(child);
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
