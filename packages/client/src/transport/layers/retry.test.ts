import { FakeClock } from '@listwatch/api/fake-clock';
import { rejection, rest } from '@listwatch/conformance/transport';
import { describe, expect, it } from 'vitest';
import type { Transport, TransportRequest } from '../transport.ts';
import { TransportError, type TransportErrorCode } from '../transport-error.ts';
import { type RetryOptions, retry } from './retry.ts';

type Answer = TransportErrorCode | readonly [status: number, retryAfter?: string];

/** A server that gives these answers in their order, the last one for ever. */
function scripted(answers: readonly Answer[], clock: FakeClock, options: Partial<RetryOptions> = {}) {
  const seen: { readonly at: number; readonly body: string }[] = [];
  let bodiesRead = 0;
  // Bare, and not a loopback: that reads ahead, and the test could not tell who read.
  const inner: Transport = {
    name: 'scripted',
    send: async ({ body }) => {
      const answer = answers[Math.min(seen.length, answers.length - 1)] ?? [200];
      seen.push({ at: clock.now(), body: Buffer.from(body ?? []).toString() });
      if (typeof answer === 'string') throw new TransportError(answer, `${answer} at attempt ${seen.length}`);
      const [status, after] = answer;
      return {
        status,
        headers: after === undefined ? {} : { 'retry-after': after },
        body: (async function* () {
          yield Buffer.from(String(status));
          bodiesRead += 1;
        })(),
      };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return { transport: retry({ clock, ...options })(inner), seen, bodiesRead: () => bodiesRead };
}

const request = (method: TransportRequest['method'], path = '/pods'): TransportRequest => ({
  method,
  path,
  headers: {},
  body: method === 'GET' ? undefined : Buffer.from('{}'),
});

/** Sends, and lets as much time pass as the retries want. */
async function outcome(transport: Transport, sent: TransportRequest, clock: FakeClock): Promise<string> {
  const result = transport.send(sent).then(
    async (response) => rest(response),
    (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
  );
  await clock.advance(100_000);
  return result;
}

describe('retry', () => {
  const again: Answer[] = [
    [429, '2'],
    [500, '2'],
    [503, '2'],
  ];
  it.each(
    again.flatMap((answer) =>
      (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => [answer, method] as const),
    ),
  )('%j to a %s is sent again after its seconds, with its body', async (answer, method) => {
    const clock = new FakeClock();
    const { transport, seen } = scripted([answer, [200]], clock);
    expect(await outcome(transport, request(method), clock)).toBe('200');
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBe(2000);
    expect(seen.map(({ body }) => body)).toEqual(method === 'GET' ? ['', ''] : ['{}', '{}']);
  });

  it.each<[number, string | undefined]>([
    [429, undefined],
    [500, undefined],
    [503, 'Wed, 21 Oct 2026 07:28:00 GMT'],
    [503, '1.5'],
    [503, '-1'],
    [404, '1'],
    [409, '1'],
    [307, '1'],
    [429, '601'],
    [503, '999999999'],
  ])('%s with Retry-After %s is an answer like any other', async (status, after) => {
    const clock = new FakeClock();
    const { transport, seen } = scripted([after === undefined ? [status] : [status, after]], clock);
    expect(await outcome(transport, request('GET'), clock)).toBe(String(status));
    expect(seen.length).toBe(1);
  });

  it.each([
    [0, 1],
    [1, 2],
    [99, 3],
  ])('a request that may be repeated %s times is sent %s times', async (maxRetries, count) => {
    const clock = new FakeClock();
    const { transport, seen } = scripted([[429, '2']], clock, { maxRetries: 2 });
    expect(await outcome(transport, { ...request('POST'), maxRetries }, clock)).toBe('429');
    expect(seen.length).toBe(count);
  });

  it.each<[TransportErrorCode, TransportRequest['method'], string, boolean]>([
    ['CLOSED', 'GET', '/pods', true],
    ['CLOSED', 'GET', '/pods?watch=true', true],
    ['CLOSED', 'POST', '/pods', false],
    ['CLOSED', 'DELETE', '/pods/a', false],
    ['HEADERS_TIMEOUT', 'GET', '/pods', false],
    ['HEADERS_TIMEOUT', 'GET', '/pods?watch=1', true],
    ['HEADERS_TIMEOUT', 'PUT', '/pods/a', false],
    ['CONNECT', 'GET', '/pods', false],
    ['CONNECT', 'GET', '/pods?watch=true', false],
    ['PROTOCOL', 'GET', '/pods', false],
  ])('%s of a %s of %s: sent again is %s', async (code, method, path, repeated) => {
    const clock = new FakeClock();
    const { transport, seen } = scripted([code, [200]], clock);
    expect(await outcome(transport, request(method, path), clock)).toBe(repeated ? '200' : code);
    expect(seen.length).toBe(repeated ? 2 : 1);
    if (repeated) expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBe(1000);
  });

  it('gives up after ten repetitions, with the last answer', async () => {
    const clock = new FakeClock();
    const { transport, seen } = scripted([[503, '1']], clock);
    expect(await outcome(transport, request('GET'), clock)).toBe('503');
    expect(seen.length).toBe(11);
  });

  it('tells of the attempt before when that failed in another way, and keeps the code of the last', async () => {
    const clock = new FakeClock();
    const { transport } = scripted(['CLOSED', 'CONNECT'], clock);
    const sending = transport.send(request('GET'));
    sending.catch(() => {});
    await clock.advance(10_000);
    expect(await rejection(sending)).toMatchObject({
      code: 'CONNECT',
      message: 'CONNECT at attempt 2 (the attempt before: CLOSED at attempt 1)',
    });
  });

  it('reads what it throws away, so that the connection is free', async () => {
    const clock = new FakeClock();
    const { transport, bodiesRead } = scripted([[429, '1'], [429, '1'], [200]], clock);
    const sending = transport.send(request('GET'));
    await clock.advance(10_000);
    await sending;
    expect(bodiesRead()).toBe(2);
  });

  it('an abort ends the wait with the signal’s own reason and leaves no timer', async () => {
    const clock = new FakeClock();
    const { transport, seen } = scripted([[503, '60']], clock);
    const controller = new AbortController();
    const sending = transport.send({ ...request('GET'), signal: controller.signal });
    sending.catch(() => {});
    await clock.advance(1000);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await rejection(sending)).toBe(reason);
    expect([seen.length, clock.pending]).toEqual([1, 0]);
  });

  it('asks the rate limit before each repetition, after its delay', async () => {
    const clock = new FakeClock();
    const asked: number[] = [];
    const start = clock.now();
    const beforeRetry = async (): Promise<void> => void asked.push(clock.now() - start);
    const { transport } = scripted([[503, '3'], [503, '4'], [200]], clock, { beforeRetry });
    expect(await outcome(transport, request('GET', '/pods?watch=true'), clock)).toBe('200');
    expect(asked).toEqual([3000, 7000]);
  });
});
