/** What single writes cost, with nobody who watches. */

import { atRate } from '../server/at-rate.ts';
import { configMap, configMapPath, create, largePod, NAMESPACE, objectName, spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { costOf } from '../server/process-facts.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';

const WRITES = 4000;
const WRITERS = 16;
const ROUNDS = 4;
const UPDATED = 100;
/** Single writes, as production has them. */
const LONE_RATE = 40;
const LONE_SECONDS = 10;

/** The path of the Pods of a bench, or of one. */
export function podPath(name?: string): string {
  return `/api/v1/namespaces/${NAMESPACE}/pods${name === undefined ? '' : `/${name}`}`;
}

let version = 0;

/** A patch that changes a label of a Pod, and nothing else. */
export function podPatch(i: number): { method: string; path: string; contentType: string; body: string } {
  version += 1;
  return {
    method: 'PATCH',
    path: podPath(objectName(i)),
    contentType: 'application/merge-patch+json',
    body: `{"metadata":{"labels":{"version":"${version}"}}}`,
  };
}

/** A replace of a ConfigMap and a patch of a Pod. */
export async function benchWrites(target: Target): Promise<void> {
  await withConnections(target, 'h1', WRITERS, async (writers) => {
    await spread(writers, UPDATED, (writer, i) => create(writer, podPath(), largePod(i)));
    const lone = async (name: string, ask: (i: number) => object & { readonly path: string }): Promise<void> => {
      const start = performance.now();
      const count = LONE_RATE * LONE_SECONDS;
      const schedule = { count, due: (i: number) => start + (i * 1000) / LONE_RATE, now: () => performance.now() };
      const { serverMicros } = await costOf(target.pid, () =>
        atRate(writers, schedule, (writer, i) => writer.ask(ask(i % UPDATED))),
      );
      record(target, { bench: `${name}, alone`, value: serverMicros / count, unit: 'us CPU' });
    };
    const bench = async (name: string, ask: (i: number) => object & { readonly path: string }): Promise<void> => {
      const micros: number[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const { serverMicros } = await costOf(target.pid, () =>
          spread(writers, WRITES, async (writer, i) => {
            const { status } = await writer.ask(ask(i % UPDATED));
            if (status !== 200) throw new Error(`a write was answered with ${status}`);
          }),
        );
        // The first round warms up.
        if (round > 0) micros.push(serverMicros / WRITES);
      }
      record(target, { bench: name, value: middle(micros), unit: 'us CPU' });
      await lone(name, ask);
    };
    await bench('replace', (i) => {
      version += 1;
      return { method: 'PUT', path: configMapPath(objectName(i)), body: configMap(i, version) };
    });
    await bench('patch of a Pod', podPatch);
  });
}
