import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { FakeClock } from '@listwatch/api/fake-clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TokenWebhookAuthenticator } from './token-webhook-authenticator.ts';

let server: Server;
let url: string;
let clock: FakeClock;
let asked: { readonly target: string | undefined; readonly review: { spec: { token: string } } }[];
let answer: () => readonly [number, unknown];

beforeEach(async () => {
  clock = new FakeClock();
  asked = [];
  answer = () => [200, { status: {} }];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked.push({ target: request.url, review: JSON.parse(body) });
      const [status, value] = answer();
      response.writeHead(status, { location: url }).end(typeof value === 'string' ? value : JSON.stringify(value));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/review`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const make = (more: object = {}): TokenWebhookAuthenticator =>
  new TokenWebhookAuthenticator({ url, ...more }, ['api'], clock);

describe('the token webhook', () => {
  it('is asked with a TokenReview, once for all who wait, and then again after the TTL', async () => {
    const user = { username: 'ann', uid: '7', groups: ['g'], extra: { k: ['v'] } };
    answer = () => [200, { status: { authenticated: true, user, audiences: ['api'] } }];
    const webhook = make({ cacheTtlMs: 1000 });
    const expected = { name: 'ann', uid: '7', groups: ['g'], extra: { k: ['v'] } };
    expect(await Promise.all([webhook.authenticate({ token: 't' }), webhook.authenticate({ token: 't' })])).toEqual([
      expected,
      expected,
    ]);
    expect(asked).toEqual([
      {
        target: '/review?timeout=30s',
        review: {
          kind: 'TokenReview',
          apiVersion: 'authentication.k8s.io/v1beta1',
          metadata: {},
          spec: { token: 't', audiences: ['api'] },
          status: { user: {} },
        },
      },
    ]);
    // A clock that is set does not keep an answer alive.
    clock.set(clock.now() - 3_600_000);
    await clock.advance(999);
    await webhook.authenticate({ token: 't' });
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    await webhook.authenticate({ token: 't' });
    expect(asked).toHaveLength(2);
    expect(webhook.counts).toEqual({ hits: 1, misses: 3, size: 1, fetches: 2, answered: 2, failed: 0, active: 0 });
    webhook.close();
  });

  it('keeps that a token is unknown, and not that the webhook had an error', async () => {
    const webhook = make();
    expect(await webhook.authenticate({ token: 'x' })).toBeUndefined();
    expect(await webhook.authenticate({ token: 'x' })).toBeUndefined();
    expect(asked).toHaveLength(1);
    answer = () => [200, { status: { error: 'directory is down' } }];
    await expect(webhook.authenticate({ token: 'y' })).rejects.toThrow('directory is down');
    await expect(webhook.authenticate({ token: 'y' })).rejects.toThrow('directory is down');
    expect(asked).toHaveLength(3);
    expect(webhook.counts).toMatchObject({ answered: 1, failed: 2 });
    webhook.close();
  });

  it('does not take a token for other audiences, nor a user without a name', async () => {
    const webhook = make({ version: 'v1' });
    answer = () => [200, { status: { authenticated: true, user: { username: 'a' }, audiences: ['other'] } }];
    expect(await webhook.authenticate({ token: '1' })).toBeUndefined();
    answer = () => [200, { status: { authenticated: true, user: {} } }];
    expect(await webhook.authenticate({ token: '2' })).toBeUndefined();
    answer = () => [200, { status: { authenticated: true, user: { username: 'a' } } }];
    expect(await webhook.authenticate({ token: '3' })).toEqual({ name: 'a', groups: [] });
    webhook.close();
  });

  it('is asked again after a 500, five times in all, and not after a 400 or a redirect', async () => {
    const webhook = make();
    answer = () => [500, 'no'];
    const refused = expect(webhook.authenticate({ token: 'x' })).rejects.toThrow('answered 500');
    // Pauses of 500 ms and more: what is asked before they are over is the attempt before.
    await expect.poll(() => asked.length).toBe(1);
    await clock.advance(499);
    expect(asked).toHaveLength(1);
    await expect.poll(async () => (await clock.advance(500), asked.length)).toBe(5);
    await refused;
    expect(asked).toHaveLength(5);
    for (const status of [400, 302]) {
      answer = () => [status, 'no'];
      await expect(webhook.authenticate({ token: 'x' })).rejects.toThrow(`answered ${status}`);
    }
    expect(asked).toHaveLength(7);
    webhook.close();
  });

  it('cannot fill the memory with an answer, nor be sent a token of any size', async () => {
    const webhook = make();
    answer = () => [200, `"${'x'.repeat(1024 * 1024)}"`];
    await expect(webhook.authenticate({ token: 'x' })).rejects.toThrow('more than 1048576 bytes');
    answer = () => [200, 'not json'];
    await expect(webhook.authenticate({ token: 'x' })).rejects.toThrow('did not answer with JSON');
    expect(await webhook.authenticate({ token: 'x'.repeat(64 * 1024 + 1) })).toBeUndefined();
    expect(asked).toHaveLength(2);
    webhook.close();
  });

  it('is asked about a bounded number of tokens at one time, and gives up after 30 seconds', async () => {
    server.removeAllListeners('request');
    const webhook = make();
    const waiting = Array.from({ length: 400 }, (_, index) => webhook.authenticate({ token: `t${index}` }));
    const ended = Promise.allSettled(waiting);
    await expect(webhook.authenticate({ token: 'one more' })).rejects.toThrow('too many tokens');
    for (let attempt = 1; attempt <= 5; attempt += 1) await clock.advance(40_000);
    await expect.poll(async () => (await clock.advance(40_000), webhook.counts.active)).toBe(0);
    expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
    webhook.close();
  });
});
