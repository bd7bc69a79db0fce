import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { FakeClock } from '@listwatch/api/fake-clock';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { FlowControl } from '../access/flow/flow-control.ts';
import { type Fixture, Fixtures, jsonResponse } from './http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const EVERYBODY = [{ kind: 'Group', group: { name: '*' } }];
const PATHS = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
/** One level without seats for everybody. */
const OBJECTS = {
  schemas: [
    {
      apiVersion: '',
      kind: 'FlowSchema',
      metadata: { name: 'none' },
      spec: {
        matchingPrecedence: 2,
        priorityLevelConfiguration: { name: 'none' },
        rules: [{ subjects: EVERYBODY, nonResourceRules: PATHS }],
      },
    },
  ],
  levels: [
    {
      apiVersion: '',
      kind: 'PriorityLevelConfiguration',
      metadata: { name: 'none' },
      spec: {
        type: 'Limited',
        limited: { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } },
      },
    },
  ],
};

async function start(clock: FakeClock): Promise<Fixture> {
  return fixtures.start(() => jsonResponse('{}'), {
    clock,
    flowControl: new FlowControl({ read: () => OBJECTS, totalSeats: 600, clock }),
    authorizer: { authorize: () => ({ allowed: true }) },
  });
}

describe('after a 429', () => {
  it('the next request of an HTTP/1.1 connection is read a second later, and the connection stays', async () => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const socket = connectTls({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca });
    await once(socket, 'secureConnect');
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const count = (): number => text.split('HTTP/1.1 429').length - 1;
    const request = 'GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer plain-token\r\n\r\n';
    socket.write(request);
    await vi.waitFor(() => expect(count()).toBe(1), 10_000);
    socket.write(request);
    // Another connection is answered meanwhile, so the server had its chance.
    for (let turn = 0; turn < 3; turn += 1) expect((await fixture.ask('/readyz')).status).toBe(200);
    expect(count()).toBe(1);
    await clock.advance(1000);
    await vi.waitFor(() => expect(count()).toBe(2), 10_000);
    socket.destroy();
  });

  it('the next streams of an HTTP/2 connection wait', async () => {
    const clock = new FakeClock();
    const fixture = await start(clock);
    const session = connectHttp2(`https://127.0.0.1:${fixture.port}`, { ca: fixture.ca });
    const statuses: unknown[] = [];
    const ask = (): void => {
      const stream = session.request({ ':path': '/version', authorization: 'Bearer plain-token' });
      stream.on('response', (headers) => statuses.push(headers[':status'])).resume();
    };
    ask();
    await vi.waitFor(() => expect(statuses).toEqual([429]), 10_000);
    ask();
    for (let turn = 0; turn < 3; turn += 1) expect((await fixture.ask('/readyz')).status).toBe(200);
    expect(statuses).toEqual([429]);
    await clock.advance(1000);
    await vi.waitFor(() => expect(statuses).toEqual([429, 429]), 10_000);
    session.destroy();
  });
});
