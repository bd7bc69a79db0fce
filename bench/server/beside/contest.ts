/** The same work on several servers in turns, and the CPU of ours against that of kube-apiserver's. */

import type { Connection } from '../connection.ts';
import { withConnections } from '../open-connection.ts';
import { costOf } from '../process-facts.ts';
import { digits, middle, record } from '../result.ts';
import type { Target } from '../target.ts';

/** The name of the server that ours are compared with. */
export const JUDGE = 'kube-apiserver';
const ROUNDS = 7;
/** A server is asked so much before it is measured that its compiler has done its work. */
const WARM_UP_ROUNDS = 2;

/** Work that each server does in each round. */
export interface Contest {
  readonly bench: string;
  /** Operations of a round: so many that their CPU is well above the clock's hundredth of a second. */
  readonly times: number;
  /** Our CPU may be this part of kube-apiserver's. */
  readonly atMost: number | ((target: Target) => number);
  /** Rounds before the first that counts. V8 compiles the code of a write for thousands of writes. Default: 2. */
  readonly warmUp?: number | undefined;
  /** Does all operations of one round over one HTTP/2 connection. */
  readonly run: (connection: Connection, round: number) => Promise<void>;
}

/** Runs the rounds: one of each server after the other, so that all meet the same noise. */
export async function compareServers(targets: readonly Target[], contest: Contest): Promise<void> {
  const micros = new Map<Target, number[]>(targets.map((target) => [target, []]));
  const { warmUp = WARM_UP_ROUNDS } = contest;
  for (let round = 0; round < warmUp + ROUNDS; round += 1) {
    for (const [target, results] of micros) {
      const { serverMicros } = await withConnections(target, 'h2', 1, ([connection]) => {
        if (connection === undefined) throw new Error('no connection was opened');
        return costOf(target.pid, () => contest.run(connection, round));
      });
      if (round >= warmUp) results.push(serverMicros / contest.times);
    }
  }
  report(micros, contest);
}

function report(micros: ReadonlyMap<Target, readonly number[]>, { bench, atMost }: Contest): void {
  const judge = [...micros].find(([{ name }]) => name === JUDGE)?.[1];
  for (const [target, results] of micros) {
    record(target, { bench, value: middle(results), unit: 'us CPU', least: digits(Math.min(...results)) });
    if (judge === undefined || target.name === JUDGE) continue;
    record(target, {
      bench: `${bench} / ${JUDGE}`,
      value: middle(results) / middle(judge),
      unit: 'ratio',
      goal: { atMost: typeof atMost === 'number' ? atMost : atMost(target) },
    });
  }
}

/** Asks, and throws unless the answer has the status and at least so many bytes. */
export async function expect(
  connection: Connection,
  question: Parameters<Connection['ask']>[0],
  { status, leastBytes = 0 }: { readonly status: number; readonly leastBytes?: number },
): Promise<void> {
  const answer = await connection.ask({ ...question, keep: leastBytes === 0 });
  if (answer.status === status && answer.bytes >= leastBytes) return;
  const { method = 'GET', path } = question;
  throw new Error(`${method} ${path}: ${answer.status}, ${answer.bytes} bytes ${answer.body.slice(0, 1000)}`);
}

const AT_ONCE = 16;

/** Does `work` for 0 to `count`, several at a time. */
export async function severalAtOnce(
  count: number,
  work: (i: number) => Promise<unknown>,
  atOnce: number = AT_ONCE,
): Promise<void> {
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < count) {
      const i = next;
      next += 1;
      await work(i);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}
