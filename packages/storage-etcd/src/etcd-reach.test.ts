import { describe, expect, it } from 'vitest';
import { type EtcdReach, type ReachInput, type ReachState, stepReach } from './etcd-reach.ts';

const answered = (endpoint: string): ReachInput => ({ type: 'answered', endpoint });
const failed = (endpoint: string): ReachInput => ({ type: 'failed', endpoint, reason: `${endpoint} refused` });

/** What is told of these inputs, one every 200 ms, of a cluster of three members. */
function told(...inputs: readonly ReachInput[]): readonly EtcdReach[] {
  let state: ReachState = { type: 'serving', endpoint: 'a' };
  return inputs.flatMap((input, at) => {
    const step = stepReach(state, input, 3, at * 200);
    state = step.state;
    return step.told ?? [];
  });
}

describe('people are told of the reach of etcd', () => {
  it('nothing while it answers, and nothing when a connection breaks and is opened again', () => {
    expect(told(answered('a'), failed('a'), answered('a'), failed('a'), failed('a'), answered('a'))).toEqual([]);
  });

  it('that another member is used, and why', () => {
    const moved = { type: 'moved', from: 'a', endpoint: 'b', reason: 'a refused' };
    expect(told(failed('a'), answered('b'), failed('a'), answered('b'))).toEqual([moved]);
  });

  it('once that no member serves, and once that one does again, with the time between', () => {
    const inputs = [failed('a'), failed('b'), failed('c'), failed('a'), failed('b'), answered('c'), answered('c')];
    expect(told(...inputs)).toEqual([
      { type: 'lost', reason: 'a refused' },
      { type: 'back', endpoint: 'c', downMs: 1000 },
    ]);
  });

  it('nothing when all members fail for a moment', () => {
    expect(told(failed('a'), failed('b'), failed('c'), answered('a'))).toEqual([]);
  });

  it('that the login is refused, although only one member was asked', () => {
    const refused: ReachInput = { type: 'refused', endpoint: 'a', reason: 'invalid user ID or password' };
    expect(told(refused, refused, refused, refused, refused, answered('a'))).toEqual([
      { type: 'lost', reason: 'invalid user ID or password' },
      { type: 'back', endpoint: 'a', downMs: 1000 },
    ]);
  });
});
