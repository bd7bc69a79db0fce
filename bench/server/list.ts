/** LIST: all of 5 000 ConfigMaps, 50 by a label, and a page of 500. */

import type { Connection, Protocol } from './connection.ts';
import { configMapPath, OBJECTS } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { costOf } from './process-facts.ts';
import { digits, middle, record } from './result.ts';
import type { Target } from './target.ts';

const ROUNDS = 7;
const PROTOCOLS: readonly Protocol[] = ['h1', 'h2'];
/** HTTP/2 may cost this much more. */
const H2_RATIO = 1.5;

interface ListCase {
  readonly bench: string;
  readonly path: string;
  /** So many that the CPU of a round is well above the clock's hundredth of a second. */
  readonly times: number;
  readonly atMost: number;
  readonly leastBytes: number;
}

const CASES: readonly ListCase[] = [
  { bench: 'list', path: configMapPath(), times: 30, atMost: 12, leastBytes: OBJECTS * 1500 },
  {
    bench: 'list-selected',
    path: `${configMapPath()}?labelSelector=group%3Dgroup-7`,
    times: 400,
    atMost: 0.7,
    leastBytes: 50 * 1500,
  },
  { bench: 'list-page', path: `${configMapPath()}?limit=500`, times: 150, atMost: 2, leastBytes: 500 * 1500 },
];

/** Server CPU in milliseconds for one of each. */
export async function benchList(target: Target, protocols: readonly Protocol[] = PROTOCOLS): Promise<void> {
  for (const listCase of CASES) {
    const costs = { h1: 0, h2: 0 };
    for (const protocol of protocols) {
      costs[protocol] = await withConnections(target, protocol, 1, ([connection]) =>
        measure(target, protocol, connection, listCase),
      );
    }
    const { bench } = listCase;
    if (protocols.length < 2) continue;
    record(target, { bench: `${bench} h2/h1`, value: costs.h2 / costs.h1, unit: 'ratio', goal: { atMost: H2_RATIO } });
  }
}

async function measure(
  target: Target,
  protocol: Protocol,
  connection: Connection | undefined,
  { bench, path, times, atMost, leastBytes }: ListCase,
): Promise<number> {
  const run = async (): Promise<void> => {
    for (let i = 0; i < times; i += 1) {
      const answer = await connection?.ask({ path });
      if (answer?.status !== 200 || answer.bytes < leastBytes) {
        throw new Error(`${path}: ${answer?.status}, ${answer?.bytes} bytes`);
      }
    }
  };
  await run();
  const server: number[] = [];
  const client: number[] = [];
  const wall: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { serverMicros, clientMicros, ms } = await costOf(target.pid, run);
    server.push(serverMicros / times / 1000);
    client.push(clientMicros / times / 1000);
    wall.push(ms / times);
  }
  record(target, {
    bench: `${bench} ${protocol}`,
    value: middle(server),
    unit: 'ms CPU',
    goal: protocol === 'h1' ? { atMost } : undefined,
    least: digits(Math.min(...server)),
    wallMs: digits(middle(wall)),
    clientCpuMs: digits(middle(client)),
  });
  return middle(server);
}
