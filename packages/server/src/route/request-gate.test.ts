import { failure } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { type PassOptions, PassRequest, type RequestGate } from '../contract/request-gate.ts';
import { deferred, Fixtures, jsonResponse } from '../wire/http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';

/** Passes secrets on, and says what it was given. */
class OtherServer implements RequestGate {
  readonly passed: PassOptions[] = [];
  answer: RequestGate['pass'] = async (incoming, reply) => {
    reply.send({ status: 203, headers: { 'x-other': 'yes' } }, Buffer.from(incoming.target));
  };

  passes: RequestGate['passes'] = ({ target }) => (target.includes('secrets') ? 'not relayed' : undefined);

  pass: RequestGate['pass'] = (incoming, reply, options) => {
    this.passed.push(options);
    return this.answer(incoming, reply, options);
  };
}

it('what the gate passes on is neither authenticated nor given headers: the other server judges it', async () => {
  const gate = new OtherServer();
  const handler = vi.fn(() => jsonResponse('{}'));
  const fixture = await fixtures.start(handler, { gate });
  const target = '/api/v1/namespaces/default/secrets?limit=1&limit=2&x=%2e';
  const answer = await fixture.ask(target, { headers: { authorization: 'Bearer of-the-other-server' } });
  expect([answer.status, answer.body, answer.headers['x-other']]).toEqual([203, target, 'yes']);
  expect(answer.headers).not.toHaveProperty('audit-id');
  expect(answer.headers).not.toHaveProperty('cache-control');
  expect(gate.passed.map(({ reason }) => reason)).toEqual(['not relayed']);
  expect(handler).not.toHaveBeenCalled();
});

it('what the gate does not pass on is judged here, and its answer made here', async () => {
  const gate = new OtherServer();
  const fixture = await fixtures.start(() => jsonResponse('{"here":true}'), { gate });
  expect((await fixture.ask(PATH, { headers: { authorization: 'Bearer nope' } })).status).toBe(401);
  expect((await fixture.ask(PATH)).body).toBe('{"here":true}');
  expect(gate.passed).toEqual([]);
});

it('a handler that passes a request on is asked only for users who may make it', async () => {
  const gate = new OtherServer();
  const handler = vi.fn(() => Promise.reject(new PassRequest('kind is not loaded')));
  const fixture = await fixtures.start(handler, { gate });
  expect((await fixture.ask(PATH, { headers: { authorization: 'Bearer plain-token' } })).status).toBe(403);
  expect(gate.passed).toEqual([]);
  expect((await fixture.ask(PATH)).status).toBe(203);
  expect(gate.passed.map(({ reason }) => reason)).toEqual(['kind is not loaded']);
});

it('a handler that passes a request on is a failure of a server without a gate', async () => {
  const fixture = await fixtures.start(() => Promise.reject(new PassRequest('nowhere')));
  expect((await fixture.ask(PATH)).status).toBe(500);
});

it('a request that cannot be passed on gets the failure as a Status', async () => {
  const gate = new OtherServer();
  gate.answer = () =>
    Promise.reject(failure({ code: 504, reason: 'Timeout', message: 'the upstream server cannot be reached' }));
  const fixture = await fixtures.start(() => Promise.reject(new PassRequest('after all')), { gate });
  for (const target of [PATH, '/api/v1/secrets']) {
    const answer = await fixture.ask(target);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 504, message: 'the upstream server cannot be reached' });
  }
});

it('a client that goes away ends the exchange, and a request that is passed on has no deadline', async () => {
  const clock = new FakeClock();
  const gate = new OtherServer();
  const begun = deferred<AbortSignal>();
  gate.answer = async (_incoming, _reply, { signal }) => {
    begun.resolve(signal);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  };
  const fixture = await fixtures.start(() => jsonResponse('{}'), { gate, clock });
  const session = fixture.http2();
  const stream = session.request({ ':path': '/api/v1/secrets' });
  stream.on('error', () => {});
  const signal = await begun.promise;
  await clock.advance(120_000);
  expect(signal.aborted).toBe(false);
  stream.close();
  await vi.waitFor(() => expect(signal.aborted).toBe(true), { timeout: 20_000 });
  session.destroy();
});
