import { expect, it } from 'vitest';
import { nextShutdownState, type ShutdownInput, type ShutdownState } from './shutdown-state.ts';

const TABLE: Readonly<Record<ShutdownState, Readonly<Record<ShutdownInput, ShutdownState>>>> = {
  serving: { close: 'leaving', delayOver: 'serving', drained: 'serving' },
  leaving: { close: 'closed', delayOver: 'draining', drained: 'leaving' },
  draining: { close: 'closed', delayOver: 'draining', drained: 'closed' },
  closed: { close: 'closed', delayOver: 'closed', drained: 'closed' },
};

it('goes one way only', () => {
  for (const state of ['serving', 'leaving', 'draining', 'closed'] as const) {
    for (const input of ['close', 'delayOver', 'drained'] as const) {
      expect(nextShutdownState(state, input), `${state} + ${input}`).toBe(TABLE[state][input]);
    }
  }
});
