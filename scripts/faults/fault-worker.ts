// Runs tests for `find-faults.ts`, which starts it and can kill it: a fault may be a loop without end.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { SOURCE_EDITS, type SourceEdits, withHits } from './fault-plugin.ts';
import type { FaultRequest, TestRun } from './fault-runs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isCounting = process.argv.includes('--count');
let current: FaultRequest | undefined;
let order: readonly string[] = [];

const edits: SourceEdits = {
  isTouched: (id) => current?.files.some((file) => join(root, file) === id) === true,
  edited(id, source) {
    if (!edits.isTouched(id)) return undefined;
    return current?.source ?? withHits(source, id.slice(root.length));
  },
};
Reflect.set(globalThis, SOURCE_EDITS, edits);

/** The order of the request: the tests that are likely to notice first. */
class RequestedOrder {
  async sort<T extends { readonly moduleId: string }>(specs: T[]): Promise<T[]> {
    return specs.toSorted((a, b) => order.indexOf(a.moduleId) - order.indexOf(b.moduleId));
  }
  async shard<T>(specs: T[]): Promise<T[]> {
    return specs;
  }
}

const vitest = await createVitest('test', {
  config: 'scripts/faults/vitest.config.ts',
  root,
  watch: false,
  bail: isCounting ? 0 : 1,
  reporters: [{}],
  sequence: { sequencer: RequestedOrder },
});
await vitest.standalone();

process.on('message', (request: FaultRequest) => {
  void run(request).then((answer) => process.send?.(answer));
});
// Who started it was interrupted: nobody else would end it.
process.once('disconnect', () => process.exit());
process.send?.({ ready: true });

async function run(request: FaultRequest): Promise<TestRun> {
  const began = Date.now();
  current = request;
  order = request.tests.map((test) => join(root, test));
  for (const file of request.files) vitest.invalidateFile(join(root, file));
  const specs = (await vitest.getRelevantTestSpecifications([...request.tests])).filter(({ moduleId }) =>
    order.includes(moduleId),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs);
  // What comes next has to see these files as they are.
  for (const file of request.files) vitest.invalidateFile(join(root, file));
  const tests = testModules
    .filter(({ moduleId }) => order.includes(moduleId))
    .map((module) => {
      const failures = [...module.children.allTests('failed')];
      // A file that was not reached after another one failed still has what the run before found in it.
      const failed = failures.find((test) => (test.diagnostic()?.startTime ?? 0) >= began);
      const isBroken = failures.length === 0 && module.state() === 'failed';
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      return {
        file: module.moduleId.slice(root.length),
        state: module.state(),
        seconds: (duration + collectDuration + setupDuration) / 1000,
        failed: failed?.fullName ?? (isBroken ? (module.errors()[0]?.message ?? 'failed') : undefined),
      };
    });
  return { tests, errors: unhandledErrors.map(String) };
}
