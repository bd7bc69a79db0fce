import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import type { AccessAttributes } from '../../contract/authorization.ts';
import { FlowControl } from './flow-control.ts';
import { flowOverview } from './flow-overview.ts';

function attributes(name: string): AccessAttributes {
  const resource = { group: '', version: 'v1', resource: 'configmaps', subresource: '', namespace: '', name: '' };
  const path = '/api/v1/configmaps';
  return { user: { name, groups: [] }, verb: 'list', isResource: true, path, ...resource };
}

it('shows levels and flows: who uses the loop, and who holds seats without using it', () => {
  const control = new FlowControl({
    read: () => ({ schemas: [], levels: [] }),
    totalSeats: 100,
    clock: new FakeClock(),
  });
  const enter = (name: string, loopMs: number): void => {
    const ticket = control.ticket(attributes(name), 0, false) ?? expect.fail('the request is not limited');
    expect(ticket.enter({ waitMs: 1000, onGone: () => undefined })).toBeUndefined();
    ticket.charge(loopMs);
  };
  for (let user = 0; user < 30; user += 1) enter(`user-${user}`, 100 * (user + 1));
  for (let request = 0; request < 40; request += 1) enter('eve', 0);
  const { levels, flows } = flowOverview(control);
  expect(levels.find(({ name }) => name === 'catch-all')).toMatchObject({ seats: 100, seatsInUse: 70, waiting: 0 });
  expect(flows).toHaveLength(20);
  expect(flows[0]).toMatchObject({ distinguisher: 'user-29', seatsInUse: 1, executing: 1, waitingSeconds: null });
  expect(flows.find(({ distinguisher }) => distinguisher === 'eve')).toMatchObject({ seatsInUse: 40, loopShare: 0 });
  control.close();
});
