import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditEvent, LossesUnderTest } from './audit-event.fixture.ts';
import { auditBatchConfig } from './audit-options.ts';
import { WebhookBackend, type WebhookBackendParts } from './webhook-backend.ts';

let server: Server;
let answer: () => number | undefined = () => 200;
let received: string[][] = [];
let authorizations: (string | undefined)[] = [];

beforeEach(async () => {
  received = [];
  authorizations = [];
  answer = () => 200;
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const list = JSON.parse(Buffer.concat(parts).toString());
      expect([list.kind, list.apiVersion]).toEqual(['EventList', 'audit.k8s.io/v1']);
      received.push(list.items.map(({ auditID }: { auditID: string }) => auditID));
      authorizations.push(request.headers.authorization);
      const status = answer();
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

function portOf(): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

function webhook(
  batch: object = {},
  parts: Partial<WebhookBackendParts> = {},
): { readonly hook: WebhookBackend; readonly under: LossesUnderTest } {
  const under = new LossesUnderTest();
  const { clock, losses } = under;
  const port = portOf();
  const hook = new WebhookBackend({
    target: { url: `http://127.0.0.1:${port}/events` },
    mode: 'batch',
    initialBackoffMs: 10_000,
    batch: auditBatchConfig('webhook', batch),
    truncate: undefined,
    losses,
    clock,
    ...parts,
  });
  return { hook, under };
}

const add = (hook: WebhookBackend, from: number, to: number): void => {
  for (let i = from; i < to; i += 1) expect(hook.take(auditEvent(String(i)))).toBeUndefined();
};

describe('a webhook', () => {
  it('gets events in batches: when there are enough, or when the first has waited long enough', async () => {
    const { hook, under } = webhook({ maxSize: 3 });
    add(hook, 0, 4);
    await expect.poll(() => received).toEqual([['0', '1', '2']]);
    await under.clock.advance(29_999);
    expect(received).toHaveLength(1);
    await under.clock.advance(1);
    await expect.poll(() => received).toEqual([['0', '1', '2'], ['3']]);
    await hook.close();
  });

  it('gets no more batches a second than it may', async () => {
    const { hook, under } = webhook({ maxSize: 1, throttleQps: 10, throttleBurst: 2 });
    add(hook, 0, 4);
    await expect.poll(() => received.length).toBe(2);
    await under.clock.advance(100);
    await expect.poll(() => received.length).toBe(3);
    await under.clock.advance(100);
    await expect.poll(() => received.length).toBe(4);
    await hook.close();
  });

  it('gets all that is left when the server ends', async () => {
    const { hook } = webhook();
    add(hook, 0, 5);
    await hook.close();
    expect(received).toEqual([['0', '1', '2', '3', '4']]);
  });

  it('that refuses gets a list five times, and then it is lost and counted', async () => {
    answer = () => 500;
    const { hook, under } = webhook({ maxSize: 2 });
    add(hook, 0, 2);
    for (const [tries, pause] of [
      [1, 10_000],
      [2, 15_000],
      [3, 22_500],
      [4, 33_750],
    ] as const) {
      await expect.poll(() => received.length).toBe(tries);
      await expect.poll(() => under.clock.pending).toBe(1);
      await under.clock.advance(pause);
    }
    await expect.poll(() => under.counts.errors.get('webhook')).toBe(2);
    expect(received).toHaveLength(5);
    expect(under.told).toEqual([
      "Error in audit plugin 'webhook' affecting 2 audit events: the webhook answered with 500",
    ]);
    await hook.close();
  });

  it('that comes back gets what it has refused', async () => {
    answer = () => (received.length < 3 ? 503 : 200);
    const { hook, under } = webhook({ maxSize: 1 });
    add(hook, 0, 1);
    for (const pause of [10_000, 15_000]) {
      await expect.poll(() => under.clock.pending).toBe(1);
      await under.clock.advance(pause);
    }
    await expect.poll(() => received).toEqual([['0'], ['0'], ['0']]);
    await hook.close();
    expect(under.counts.errors.size).toBe(0);
  });

  it('that never answers stops nobody: the buffer fills, and what comes then is lost and counted', async () => {
    answer = () => undefined;
    const { hook, under } = webhook({ maxSize: 10, bufferSize: 50, throttleQps: 0 });
    add(hook, 0, 1000);
    // Ten batches are on their way, fifty events wait.
    expect(hook.waiting).toBe(50);
    expect(under.counts.errors.get('buffered')).toBe(1000 - 100 - 50);
    expect(under.told).toHaveLength(1);
    const closed = hook.close();
    await expect.poll(() => under.clock.pending).toBeGreaterThan(0);
    await under.clock.advance(10_000);
    await closed;
    expect(under.counts.errors.get('buffered')).toBe(900);
  });

  it('holds little memory for large events', () => {
    const { hook, under } = webhook({ maxSize: 400 });
    const responseObject = `"${'x'.repeat(3_000_000)}"`;
    for (let i = 0; i < 30; i += 1) void hook.take(auditEvent(String(i), { responseObject }));
    expect(hook.waiting).toBe(22);
    expect(under.counts.errors.get('buffered')).toBe(8);
  });

  it('gets large batches in several lists', async () => {
    const truncate = { maxEventSize: 1000, maxBatchSize: 1000 };
    const { hook } = webhook({ maxSize: 4 }, { truncate });
    for (let i = 0; i < 4; i += 1) void hook.take(auditEvent(String(i), { requestObject: `"${'x'.repeat(200)}"` }));
    await expect
      .poll(() => received)
      .toEqual([
        ['0', '1'],
        ['2', '3'],
      ]);
    await hook.close();
  });

  it('that blocks gets each event by itself, with the credentials of this server', async () => {
    const port = portOf();
    const target = { url: `http://127.0.0.1:${port}/`, authorization: () => 'Bearer secret' };
    const { hook } = webhook({}, { mode: 'blocking', target });
    expect(await hook.take(auditEvent('1'))).toBe(true);
    expect([received, authorizations]).toEqual([[['1']], ['Bearer secret']]);
    await hook.close();
  });

  it('that blocks and takes nothing makes answers wait, and what is far too much is lost and counted', async () => {
    answer = () => undefined;
    const { hook, under } = webhook({}, { mode: 'blocking' });
    expect(hook.room()).toBeUndefined();
    const responseObject = `"${'x'.repeat(4 * 1024 * 1024)}"`;
    for (let i = 0; i < 5; i += 1) void hook.take(auditEvent(String(i), { responseObject }));
    expect(hook.room()).toBeInstanceOf(Promise);
    for (let i = 5; i < 20; i += 1) void hook.take(auditEvent(String(i), { responseObject }));
    expect(await hook.take(auditEvent('late'))).toBe(false);
    expect(under.counts.errors.get('webhook')).toBe(5);
    const closed = hook.close();
    await expect.poll(() => under.clock.pending).toBe(2);
    await under.clock.advance(10_000);
    await closed;
    expect(under.counts.errors.get('webhook')).toBe(21);
    expect(hook.room()).toBeUndefined();
    under.losses.close();
    expect(under.told).toEqual([
      "Error in audit plugin 'webhook' affecting 1 audit events: too many events wait for the webhook",
      expect.stringContaining("Error in audit plugin 'webhook' affecting 20 audit events: "),
    ]);
  });

  it('that blocks gets what is on its way before the server ends', async () => {
    const { hook, under } = webhook({}, { mode: 'blocking' });
    for (let i = 0; i < 40; i += 1) void hook.take(auditEvent(String(i)));
    await hook.close();
    expect([received.length, under.counts.errors.size]).toEqual([40, 0]);
  });
});
