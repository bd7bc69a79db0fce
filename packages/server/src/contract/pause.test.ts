import { afterEach, expect, it, vi } from 'vitest';
import { FakeLoop } from '../access/flow/fake-loop.fixture.ts';
import { LoopGate } from '../access/flow/loop-gate.ts';
import { type LoopClaim, LoopFlow, LoopLevel } from '../access/flow/loop-share.ts';
import { LoopPace, type Pause, pauseOf } from './pause.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['a request that is alone in the gate', false],
  ['an exempt request', true],
])('what %s computes after a break is counted as its own', async (_name, isExempt) => {
  const loop = new FakeLoop();
  const gate = new LoopGate(loop);
  const claim: LoopClaim = { flow: new LoopFlow(new LoopLevel(1, isExempt)), spentMs: 0 };
  const pause = pauseOf({ turn: () => gate.turn(claim), throwIfAborted: () => undefined });
  void gate.turn(claim);
  loop.compute(1);
  const paused = pause();
  await loop.run();
  expect(claim.spentMs).toBe(1);
  await paused;
  loop.compute(1);
  await loop.run();
  expect(claim.spentMs).toBe(2);
});

it('a break ends with the error of a request that has ended meanwhile', async () => {
  const gone = new Error('the client has gone');
  const throwIfAborted = (): void => {
    throw gone;
  };
  await expect(pauseOf({ throwIfAborted })()).rejects.toBe(gone);
});

it('a loop has a break for each slice of time, and none before', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let breaks = 0;
  const pause: Pause = async () => {
    breaks += 1;
  };
  const pace = new LoopPace(pause);
  const steps = async (count: number, ms: number): Promise<void> => {
    for (let step = 0; step < count; step += 1) {
      now += ms;
      await pace.step();
    }
  };
  await steps(16, 0.1);
  expect(breaks).toBe(0);
  await steps(8, 0.1);
  expect(breaks).toBe(1);
  await steps(80, 1);
  expect(breaks).toBe(11);
});
