import { describe, expect, it } from 'vitest';
import {
  type FailoverInput,
  type FailoverState,
  serversToProbe,
  serversToTry,
  startFailover,
  stepFailover,
} from './failover-state.ts';

const failed = (server: number, now: number, random = 0): FailoverInput => ({ type: 'failed', server, now, random });
const answered = (server: number): FailoverInput => ({ type: 'answered', server });
const probed = (server: number): FailoverInput => ({ type: 'probed', server });

function run(...inputs: readonly FailoverInput[]): FailoverState {
  return inputs.reduce(stepFailover, startFailover(3));
}

function untilOf(state: FailoverState, server: number): number | undefined {
  const found = state[server];
  return found?.type === 'down' ? found.until : undefined;
}

describe('the choice among servers', () => {
  it('prefers the first, and each that is up to those that are down', () => {
    expect(serversToTry(run())).toEqual([0, 1, 2]);
    expect(serversToTry(run(failed(0, 0)))).toEqual([1, 2, 0]);
    expect(serversToTry(run(failed(1, 0)))).toEqual([0, 2, 1]);
  });

  it('leaves none out: of those that are down the one that is probed soonest comes first', () => {
    expect(serversToTry(run(failed(0, 20), failed(1, 10), failed(2, 30)))).toEqual([1, 0, 2]);
  });

  it('goes back to a server of higher preference when it answers a probe', () => {
    const probing = run(failed(0, 0), probed(0));
    expect(serversToTry(probing)).toEqual([1, 2, 0]);
    expect(serversToTry(stepFailover(probing, answered(0)))).toEqual([0, 1, 2]);
  });
});

describe('the pauses of a server that is down', () => {
  it('double with each failed probe up to 30 s, and begin anew after an answer', () => {
    let state = run(failed(0, 0));
    const pauses = [untilOf(state, 0)];
    for (let probe = 0; probe < 8; probe += 1) {
      const now = untilOf(state, 0) ?? expect.fail('it is not down');
      state = [probed(0), failed(0, now)].reduce(stepFailover, state);
      pauses.push((untilOf(state, 0) ?? 0) - now);
    }
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    const again = [answered(0), failed(0, 1_000_000)].reduce(stepFailover, state);
    expect(untilOf(again, 0)).toBe(1_000_500);
  });

  it('have a jitter of up to their own length', () => {
    expect(untilOf(run(failed(0, 0, 0.5)), 0)).toBe(750);
  });

  it('do not grow when the other streams of the same server break, too', () => {
    const state = run(failed(0, 0));
    expect(stepFailover(state, failed(0, 400))).toBe(state);
  });

  it('end with one probe, not one for each request', () => {
    const state = run(failed(0, 0));
    expect(serversToProbe(state, 499)).toEqual([]);
    expect(serversToProbe(state, 500)).toEqual([0]);
    expect(serversToProbe(stepFailover(state, probed(0)), 500)).toEqual([]);
  });
});

it('an input about a server that is not there changes nothing', () => {
  const state = run();
  expect(stepFailover(state, failed(7, 0))).toBe(state);
});
