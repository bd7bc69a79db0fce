/** What a request pays that is alone in the gate for loop time: `loop-gate.ts`. Goal: at most 1 us. */

import { LoopGate } from '../../packages/server/src/access/flow/loop-gate.ts';
import { LoopFlow, LoopLevel } from '../../packages/server/src/access/flow/loop-share.ts';
import { report } from '../storage/measure.ts';

const TURNS = 200_000;
const gate = new LoopGate();
const flow = new LoopFlow(new LoopLevel(20, false));

/** CPU of this process in microseconds for each turn; every turn has a drain of its own. */
async function cost(turn: () => Promise<void> | undefined): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < TURNS; index += 1) {
    const waiting = turn();
    if (waiting !== undefined) await waiting;
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TURNS;
}

const nothing = (): undefined => undefined;
const alone = (): Promise<void> | undefined => gate.turn({ flow, spentMs: 0 });
for (const warm of [nothing, alone]) await cost(warm);
const rounds = [];
for (let round = 0; round < 5; round += 1) rounds.push((await cost(alone)) - (await cost(nothing)));
report({ bench: 'loop-gate-alone', value: Math.min(...rounds), unit: 'us', goal: { atMost: 1 } });
