import { describe, expect, it } from 'vitest';
import type { EndSignal } from '../host.ts';
import { onSignal, type ServePhase, type SignalAction } from './signal-plan.ts';

const TABLE: Readonly<Record<ServePhase, Readonly<Record<EndSignal, SignalAction>>>> = {
  starting: { SIGINT: { type: 'exit', code: 130 }, SIGTERM: { type: 'exit', code: 143 } },
  serving: { SIGINT: { type: 'drain' }, SIGTERM: { type: 'drain' } },
  draining: { SIGINT: { type: 'exit', code: 130 }, SIGTERM: { type: 'exit', code: 143 } },
};
const PHASES: readonly ServePhase[] = ['starting', 'serving', 'draining'];
const SIGNALS: readonly EndSignal[] = ['SIGINT', 'SIGTERM'];

describe.each(PHASES)('a server that is %s', (phase) => {
  it.each(SIGNALS)('answers %s as the table says', (signal) => {
    expect(onSignal(phase, signal)).toEqual(TABLE[phase][signal]);
  });
});
