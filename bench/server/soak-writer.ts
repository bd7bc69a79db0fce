/** Writes at a steady rate: updates, with now and then a create and a delete. */

import type { Connection } from './connection.ts';
import { configMap, configMapPath, OBJECTS, objectName } from './objects.ts';
import { openConnection } from './open-connection.ts';
import type { Target } from './target.ts';

/** A writer that goes on until it is stopped. */
export interface SoakWriter {
  readonly writes: number;
  /** Resolves when the last write has been answered. Rejects when one was refused. */
  stop(): Promise<void>;
}

/** Every so many updates an object comes and one goes. */
const CHURN = 10;

/** Starts it. */
export async function startWriter(target: Target, perSecond: number): Promise<SoakWriter> {
  const connection = await openConnection(target, 'h1');
  let writes = 0;
  const stopping = new AbortController();
  const done = run();
  // Heard of by `stop`; until then it is not unhandled.
  done.catch(() => undefined);
  return {
    get writes() {
      return writes;
    },
    stop: async () => {
      stopping.abort();
      await done.finally(() => connection.close());
    },
  };

  async function run(): Promise<void> {
    const started = performance.now();
    for (let i = 0; !stopping.signal.aborted; i += 1) {
      writes += await writeOnce(connection, i);
      const early = (writes / perSecond) * 1000 - (performance.now() - started);
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    }
  }
}

/** One turn, and how many changes it made. */
async function writeOnce(connection: Connection, i: number): Promise<number> {
  if (i % CHURN === CHURN - 1) {
    const name = OBJECTS + i;
    await expect(connection, { method: 'POST', path: configMapPath(), body: configMap(name) });
    await expect(connection, { method: 'DELETE', path: configMapPath(objectName(name)) });
    return 2;
  }
  const object = i % OBJECTS;
  await expect(connection, { method: 'PUT', path: configMapPath(objectName(object)), body: configMap(object, i + 1) });
  return 1;
}

async function expect(connection: Connection, question: Parameters<Connection['ask']>[0]): Promise<void> {
  const { status, body } = await connection.ask({ ...question, keep: true });
  if (status >= 300) throw new Error(`${question.method} ${question.path} was answered with ${status}: ${body}`);
}
