import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import type { AccessAttributes } from '../../contract/authorization.ts';
import { FakeLoop } from './fake-loop.fixture.ts';
import { FlowControl } from './flow-control.ts';
import type { FlowTicket } from './flow-ticket.ts';
import { LoopGate } from './loop-gate.ts';

function attributes(name: string): AccessAttributes {
  const resource = { group: '', version: 'v1', resource: 'configmaps', subresource: '', namespace: '', name: '' };
  return { user: { name, groups: [] }, verb: 'list', isResource: true, path: '/api/v1/configmaps', ...resource };
}

it('a request has waited until its first turn of the event loop, also when it had a seat at once', async () => {
  const clock = new FakeClock();
  const loop = new FakeLoop();
  const gate = new LoopGate(loop);
  const control = new FlowControl({ read: () => ({ schemas: [], levels: [] }), totalSeats: 100, clock, gate });
  const enter = (name: string): FlowTicket => {
    const ticket = control.ticket(attributes(name), 0, false) ?? expect.fail('the request is not limited');
    expect(ticket.enter({ waitMs: 1000, onGone: () => undefined })).toBeUndefined();
    return ticket;
  };
  // She computes for 300 ms, and the quiet user waits for her.
  expect(enter('eve').firstTurn()).toBeUndefined();
  const ann = enter('ann').firstTurn();
  expect(ann).toBeInstanceOf(Promise);
  const [counts] = control.counts;
  const waits = counts?.waits ?? expect.fail('nothing is counted');
  const waited = (): number => waits.counts.reduce((sum, count) => sum + count, 0);
  loop.compute(300);
  await clock.advance(300);
  expect([waited(), waits.sum]).toEqual([1, 0]);
  await loop.run();
  await ann;
  expect(waited()).toBe(2);
  expect(waits.sum).toBeCloseTo(0.3);
  expect(control.filterSeconds.sum).toBeCloseTo(0.3);
  control.close();
});
