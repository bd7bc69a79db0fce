/** What a get or a write costs more that passes through the relay. */

import type { Connection } from '../server/connection.ts';
import { configMap, configMapPath, objectName } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { costOf } from '../server/process-facts.ts';
import { digits, middle, percentile99, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import type { RelayStage } from './relay-stage.ts';
import { ServedRelay } from './served-relay.ts';

const TIMES = 1000;
const ROUNDS = 5;
const GOAL_ADDED_MS = 0.5;
const GOAL_MICROS = 150;

type Ask = (connection: Connection, i: number) => Promise<number>;

const get: Ask = async (connection) => (await connection.ask({ path: configMapPath(objectName(1)) })).status;

/** One at a time over one HTTP/2 connection, directly and through the relay in turn. */
export async function benchPassed({ upstream, plan }: RelayStage): Promise<void> {
  await using relay = new ServedRelay(plan);
  await relay.start();
  let version = Date.now() % 1e8;
  const put: Ask = async (connection) => {
    version += 1;
    const path = configMapPath(objectName(1));
    return (await connection.ask({ method: 'PUT', path, body: configMap(1, version) })).status;
  };
  for (const [name, ask] of [
    ['get', get],
    ['put', put],
  ] as const) {
    await compare(name, ask, upstream.target, relay.target);
  }
}

async function compare(name: string, ask: Ask, server: Target, relay: Target): Promise<void> {
  const direct: number[] = [];
  const relayed: number[] = [];
  const micros: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const straight = await ms(server, ask);
    let passed: readonly number[] = [];
    const { serverMicros } = await costOf(relay.pid, async () => {
      passed = await ms(relay, ask);
    });
    // The first round warms up.
    if (round === 0) continue;
    direct.push(...straight);
    relayed.push(...passed);
    micros.push(serverMicros / TIMES);
  }
  const facts = {
    direct: digits(middle(direct)),
    relayed: digits(middle(relayed)),
    directP99: digits(percentile99(direct)),
    relayedP99: digits(percentile99(relayed)),
  };
  const added = middle(relayed) - middle(direct);
  const goal = { atMost: GOAL_ADDED_MS };
  record(relay, { bench: `passed ${name}, added, p50`, value: added, unit: 'ms', goal, ...facts });
  const most = { atMost: GOAL_MICROS };
  record(relay, { bench: `passed ${name}, relay`, value: middle(micros), unit: 'us CPU', goal: most });
}

function ms(target: Target, ask: Ask): Promise<readonly number[]> {
  return withConnections(target, 'h2', 1, async ([connection]) => {
    const all: number[] = [];
    if (connection === undefined) return all;
    for (let i = 0; i < TIMES; i += 1) {
      const started = performance.now();
      const status = await ask(connection, i);
      if (status !== 200) throw new Error(`a request was answered with ${status}`);
      all.push(performance.now() - started);
    }
    return all;
  });
}
