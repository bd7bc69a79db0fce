import { amount, needs, startEtcd } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { KeptConnection } from './kept-connections/kept-connection.ts';
import { type Door, type ServerProcess, startServer } from './kept-connections/server-process.ts';

/**
 * On each engine, through all doors; 1 500 on three engines. Without `readAsStream` one of 15 requests at a host with TLS was
 * cut, so a hundred of them suffice. `npm run test:connections` sends more.
 */
const REQUESTS = Number(process.env['CONNECTION_REQUESTS'] ?? amount(750, 1500)) / 3;
/** For a busy machine: a quiet one needs five seconds. */
const TIMEOUT_MS = 60_000 + REQUESTS * 60;
const MAPS = '/api/v1/namespaces/default/configmaps';
const SMALLEST = 1024;
const LARGEST = 400 * 1024;

/** As many small ones as large ones: from 1 to 400 KB, each factor equally often. */
function sizeAt(round: number): number {
  // Steps by the golden ratio: neighbours differ, and all sizes come.
  return Math.round(SMALLEST * (LARGEST / SMALLEST) ** ((round * 0.618_034) % 1));
}

function configMap(name: string, size: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { text: 'x'.repeat(size) },
  });
}

/** Writes of all sizes, one right after the other and after reads of all sizes. Returns what was cut. */
async function useAgain({ ca, doors }: ServerProcess, door: Door): Promise<readonly string[]> {
  using connection = new KeptConnection(door, ca);
  const name = `map-${doors.indexOf(door)}`;
  await connection.ask('POST', MAPS, configMap(name, SMALLEST));
  for (let sent = 1, round = 1; sent < REQUESTS / doors.length; sent += 4, round++) {
    const size = sizeAt(round);
    const length = await connection.ask('PUT', `${MAPS}/${name}`, configMap(name, size));
    if (length < size) connection.cut.push(`the answer to a PUT of ${size} bytes has ${length}`);
    await connection.ask('PUT', `${MAPS}/${name}`, configMap(name, sizeAt(round + 1)));
    await connection.ask('GET', `${MAPS}?fieldSelector=metadata.name%3D${name}`);
    await connection.ask('PUT', `${MAPS}/${name}`, configMap(name, 20 * 1024));
  }
  if (connection.connections !== 1) connection.cut.push(`${connection.connections} connections were needed`);
  return connection.cut;
}

/** All doors at one time: the loop must be busy after an answer. */
async function useAllDoors(...engine: readonly string[]): Promise<Record<string, readonly string[]>> {
  await using server = await startServer(...engine);
  const cut = await Promise.all(server.doors.map(async (door) => [door.name, await useAgain(server, door)]));
  return Object.fromEntries(cut);
}

const NONE = {
  'the TLS port': [],
  'the port without TLS': [],
  'a host with TLS': [],
  'a host without TLS': [],
  "the console's door": [],
};

describe('a kept connection, used for small and large requests in turn, is never cut', { timeout: TIMEOUT_MS }, () => {
  it.each(['memory', 'lmdb'])('on %s', async (engine) => {
    expect(await useAllDoors(engine)).toEqual(NONE);
  });

  it('on etcd', needs('etcd'), async () => {
    await using etcd = await startEtcd();
    expect(await useAllDoors('etcd', etcd.endpoint)).toEqual(NONE);
  });
});
