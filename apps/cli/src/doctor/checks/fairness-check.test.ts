import type { FlowFacts, FlowUseFacts } from '@listwatch/api/console';
import { expect, it } from 'vitest';
import { fairnessFindings } from './fairness-check.ts';

const LEVEL = { name: 'global-default', seats: 56, seatsInUse: 42, waiting: 0, rejected: 0, loopShare: 0.9 };

function flow(distinguisher: string, facts: Partial<FlowUseFacts>): FlowUseFacts {
  const where = { level: 'global-default', schema: 'global-default' };
  return {
    ...where,
    distinguisher,
    loopShare: 0,
    executing: 0,
    seatsInUse: 0,
    waiting: 0,
    waitingSeconds: null,
    ...facts,
  };
}

const facts = (waiting: number, ...flows: FlowUseFacts[]): FlowFacts => ({ levels: [{ ...LEVEL, waiting }], flows });

it('the doctor names the user who uses most of the event loop', () => {
  expect(fairnessFindings(facts(0, flow('eve', { loopShare: 0.8 }), flow('ann', { loopShare: 0.1 })))).toMatchObject([
    { verdict: 'warn', summary: 'eve (FlowSchema global-default) uses 80 % of the event loop.' },
  ]);
});

it('the doctor names the user who holds the seats that others wait for, not the one who computes', () => {
  const busy = flow('busy', { loopShare: 0.3, executing: 1, seatsInUse: 1 });
  const elsewhere = { ...flow('far', { seatsInUse: 90 }), level: 'workload-low' };
  expect(fairnessFindings(facts(22, busy, elsewhere, flow('eve', { executing: 41, seatsInUse: 41 })))).toMatchObject([
    {
      verdict: 'warn',
      summary:
        'eve (FlowSchema global-default) holds 41 of 56 seats. 22 requests wait for a seat of the level global-default.',
      data: { user: 'eve' },
    },
  ]);
});

it('the doctor says that a level has no seats to give', () => {
  const none = { levels: [{ ...LEVEL, seats: 0, waiting: 1 }], flows: [flow('ann', { waiting: 1 })] };
  expect(fairnessFindings(none)).toMatchObject([
    { verdict: 'warn', summary: '1 request waits for a seat of the level global-default, which has 0.' },
  ]);
});

it('the doctor is content while nobody waits and nobody uses most of the loop', () => {
  expect(fairnessFindings(facts(0, flow('ann', { loopShare: 0.2 })))).toMatchObject([{ verdict: 'ok' }]);
  expect(fairnessFindings({ levels: [], flows: [] })).toMatchObject([{ verdict: 'ok' }]);
});
