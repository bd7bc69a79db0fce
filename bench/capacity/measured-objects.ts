/** What objects cost a server: memory, the create, and the load at the start. */

import { startEtcd } from '@listwatch/conformance/parts';
import { configMap, configMapPath, NAMESPACE, payloadOf, seedWith } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { type Engine, type OwnServer, startOwnServer } from '../server/own-server.ts';
import { costOf, cpuMicros } from '../server/process-facts.ts';
import { record } from '../server/result.ts';
import { settledBytes } from '../server/settled-bytes.ts';
import { inScratch } from '../storage/scratch.ts';

const OBJECTS = 30_000;
/** The engine and the JIT are warm after these. */
const WARM_UP = 4000;

/** Of one size, each for one object. */
export interface MeasuredObjects {
  /** As JSON on the wire. */
  readonly size: number;
  readonly baseBytes: number;
  readonly bytes: number;
  readonly createMicros: number;
  readonly loadMicros: number;
}

/** Creates them, starts the server again and looks at what it holds then: all of the objects and none of the changes. */
export async function measureObjects(storage: Engine, size: number): Promise<MeasuredObjects> {
  const etcd = storage === 'etcd' ? await startEtcd() : undefined;
  let measured: MeasuredObjects | undefined;
  await inScratch(async (folder) => {
    const endpoints = etcd && [etcd.endpoint];
    const start = (): Promise<OwnServer> => startOwnServer({ folder, storage, endpoints });
    let server = await start();
    const empty = { bytes: await settledBytes(server), micros: 0, ms: server.readyMs };
    await server.stop();
    server = await start();
    empty.micros = cpuMicros(server.pid);
    const payload = payloadOf(size);
    const make = (i: number): readonly [string, string] => [configMapPath(), configMap(i, 0, NAMESPACE, payload)];
    await seedWith(server, WARM_UP, make);
    const { serverMicros } = await costOf(server.pid, () =>
      seedWith(server, OBJECTS - WARM_UP, (i) => make(i + WARM_UP)),
    );
    await server.stop();
    server = await start();
    const micros = cpuMicros(server.pid);
    const bytes = await settledBytes(server);
    measured = {
      size: (await listBytes(server)) / OBJECTS,
      baseBytes: empty.bytes,
      bytes: (bytes - empty.bytes) / OBJECTS,
      createMicros: serverMicros / (OBJECTS - WARM_UP),
      loadMicros: (micros - empty.micros) / OBJECTS,
    };
    const { name, readyMs } = server;
    record({ name }, { bench: `memory, object of ${size}`, value: measured.bytes, unit: 'bytes', ...measured });
    record({ name }, { bench: `create, object of ${size}`, value: measured.createMicros, unit: 'us CPU' });
    record(
      { name },
      { bench: `start, object of ${size}`, value: measured.loadMicros, unit: 'us CPU', readyMs, emptyMs: empty.ms },
    );
    await server.stop();
  });
  await etcd?.stop();
  if (measured === undefined) throw new Error('nothing was measured');
  return measured;
}

async function listBytes(server: OwnServer): Promise<number> {
  return withConnections(server, 'h1', 1, async ([connection]) => {
    const answer = await connection?.ask({ path: configMapPath() });
    return answer?.bytes ?? 0;
  });
}
