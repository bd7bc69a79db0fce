import type { FlowFacts } from '@listwatch/api/console';
import { expect, it } from 'vitest';
import { fairnessFinding } from './fairness-check.ts';

const LEVEL = { name: 'global-default', seats: 56, seatsInUse: 42, waiting: 0, rejected: 0, loopShare: 0.9 };
const FLOW = {
  level: 'global-default',
  schema: 'global-default',
  distinguisher: 'eve',
  loopShare: 0.8,
  executing: 42,
  waiting: 22,
  waitingSeconds: 3,
};
const facts = (waiting: number, loopShare: number): FlowFacts => ({
  levels: [{ ...LEVEL, waiting }],
  flows: [{ ...FLOW, loopShare }],
});

it('the doctor names the user who takes the server from others', () => {
  expect(fairnessFinding(facts(22, 0.8))).toMatchObject({
    verdict: 'warn',
    summary: 'eve (FlowSchema global-default) uses 80 % of the event loop. 22 requests wait for a seat.',
  });
});

it('the doctor is content while nobody waits and nobody uses most of the loop', () => {
  expect(fairnessFinding(facts(0, 0.2)).verdict).toBe('ok');
  expect(fairnessFinding({ levels: [], flows: [] }).verdict).toBe('ok');
});
