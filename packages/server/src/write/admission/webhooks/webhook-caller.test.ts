import { setMaxListeners } from 'node:events';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it, vi } from 'vitest';
import { compileWebhook } from './compiled-webhook.ts';
import { WebhookCaller } from './webhook-caller.ts';

const PLACES = 64;
const LIVE = new AbortController().signal;
setMaxListeners(0, LIVE);

it('encodes the review of a call when the call has a place, not while it waits for one', async () => {
  const clock = new FakeClock();
  const answers: (() => void)[] = [];
  const body = Buffer.from('{}');
  const caller = new WebhookCaller({
    clock,
    resolveService: () => ({ host: '', port: 0 }),
    isOwn: () => false,
    inProcess: () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ status: 200, contentType: 'application/json', retryAfter: '', body }));
      }),
  });
  const clientConfig = { url: 'https://hook.example.com/a' };
  const hook = compileWebhook('validating', 'c', { name: 'a.hook.example.com', clientConfig }, 0);
  let encoded = 0;
  const encode = (): Buffer => {
    encoded += 1;
    return body;
  };
  const calls = Array.from({ length: PLACES + 6 }, () =>
    caller.call(hook, { body: encode, remainingMs: Infinity, signal: LIVE }),
  );
  await vi.waitFor(() => expect(answers).toHaveLength(PLACES));
  expect([encoded, caller.totalLoad()]).toEqual([PLACES, { inFlight: PLACES, waiting: 6 }]);
  answers[0]?.();
  await vi.waitFor(() => expect(encoded).toBe(PLACES + 1));
  await vi.waitFor(() => {
    for (const answer of answers) answer();
    expect(answers).toHaveLength(PLACES + 6);
  });
  expect(await Promise.all(calls)).toEqual(Array.from({ length: PLACES + 6 }, () => ({})));
});

it('a call whose request has ended is ended with the reason, and gives its place back', async () => {
  const caller = new WebhookCaller({
    clock: new FakeClock(),
    resolveService: () => ({ host: '', port: 0 }),
    isOwn: () => false,
    inProcess: () => new Promise(() => undefined),
  });
  const clientConfig = { url: 'https://hook.example.com/a' };
  const hook = compileWebhook('validating', 'c', { name: 'a.hook.example.com', clientConfig }, 0);
  const gone = new AbortController();
  const call = caller.call(hook, { body: () => Buffer.from('{}'), remainingMs: Infinity, signal: gone.signal });
  expect(caller.load(hook)).toEqual({ inFlight: 1, waiting: 0 });
  const reason = new Error('the client has gone');
  gone.abort(reason);
  await expect(call).rejects.toBe(reason);
  expect(caller.load(hook)).toEqual({ inFlight: 0, waiting: 0 });
});
