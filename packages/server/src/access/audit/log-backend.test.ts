import { describe, expect, it } from 'vitest';
import { auditEvent, LossesUnderTest } from './audit-event.fixture.ts';
import { legacyLine } from './legacy-line.ts';
import { type LineOutput, LogBackend, type LogBackendParts } from './log-backend.ts';

/** An output whose writes end when the test says so. */
class HeldOutput implements LineOutput {
  readonly writes: (readonly string[])[] = [];
  readonly #ends: ((error?: Error) => void)[] = [];

  async open(): Promise<void> {}

  append(lines: readonly string[]): Promise<{ lines: number; error?: unknown }> {
    this.writes.push(lines);
    return new Promise((resolve) => {
      this.#ends.push((error) => resolve(error === undefined ? { lines: lines.length } : { lines: 0, error }));
    });
  }

  async close(): Promise<void> {}

  async end(error?: Error): Promise<void> {
    await expect.poll(() => this.#ends.length).toBeGreaterThan(0);
    this.#ends.shift()?.(error);
  }
}

function backend(parts: Partial<LogBackendParts> = {}): {
  readonly log: LogBackend;
  readonly output: HeldOutput;
  readonly under: LossesUnderTest;
} {
  const output = new HeldOutput();
  const under = new LossesUnderTest();
  const { losses } = under;
  const log = new LogBackend({
    output,
    format: 'json',
    mode: 'blocking',
    bufferSize: 3,
    truncate: undefined,
    losses,
    ...parts,
  });
  return { log, output, under };
}

const idsOf = (lines: readonly string[] = []): readonly string[] => lines.map((line) => JSON.parse(line).auditID);
const isSettled = async (promise: Promise<unknown> | undefined): Promise<boolean> => {
  const pending = Symbol('pending');
  await new Promise(setImmediate);
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
};

describe('a log that blocks', () => {
  it('lets nobody pass before the write, and writes together what came together', async () => {
    const { log, output } = backend();
    const first = log.take(auditEvent('1'));
    const second = log.take(auditEvent('2'));
    expect(await isSettled(first)).toBe(false);
    const third = log.take(auditEvent('3'));
    await output.end();
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(await isSettled(third)).toBe(false);
    await output.end();
    expect(await third).toBe(true);
    expect(output.writes.map(idsOf)).toEqual([['1', '2'], ['3']]);
  });

  it('loses what cannot be written, counts it and tells it once for a while', async () => {
    const { log, output, under } = backend();
    for (let i = 0; i < 3; i += 1) {
      const taken = log.take(auditEvent(String(i)));
      await output.end(new Error('ENOSPC: no space left on device'));
      expect(await taken).toBe(false);
    }
    expect(under.counts.errors.get('log')).toBe(3);
    expect(under.told).toEqual([
      "Error in audit plugin 'log' affecting 1 audit events: ENOSPC: no space left on device",
    ]);
    await under.clock.advance(30_000);
    expect(under.told.slice(1)).toEqual([
      "Error in audit plugin 'log' affecting 2 audit events: ENOSPC: no space left on device",
    ]);
  });

  it('makes answers wait when too much is unwritten, also of events that nobody waits for', async () => {
    const { log, output } = backend();
    expect(log.room()).toBeUndefined();
    const large = 'x'.repeat(6 * 1024 * 1024);
    for (let i = 0; i < 3; i += 1) void log.take(auditEvent(String(i), { responseObject: `"${large}"` }));
    const room = log.room();
    expect(await isSettled(room)).toBe(false);
    await output.end();
    await room;
    expect(log.room()).toBeUndefined();
  });

  it('loses what comes when far too much is unwritten, and counts it', async () => {
    const { log, output, under } = backend();
    const large = 'x'.repeat(16 * 1024 * 1024);
    for (let i = 0; i < 5; i += 1) void log.take(auditEvent(String(i), { responseObject: `"${large}"` }));
    expect(await log.take(auditEvent('late'))).toBe(false);
    expect(under.told).toEqual([
      "Error in audit plugin 'log' affecting 1 audit events: too many events wait to be written",
    ]);
    await output.end();
  });

  it('writes what it has before it closes', async () => {
    const { log, output } = backend();
    void log.take(auditEvent('1'));
    const closed = log.close();
    await output.end();
    await closed;
    expect(output.writes.map(idsOf)).toEqual([['1']]);
  });
});

describe('a log in batches', () => {
  it('lets everybody pass, and loses what a full buffer cannot take', async () => {
    const { log, output, under } = backend({ mode: 'batch' });
    expect(log.take(auditEvent('written'))).toBeUndefined();
    await expect.poll(() => output.writes.length).toBe(1);
    for (let i = 0; i < 5; i += 1) expect(log.take(auditEvent(String(i)))).toBeUndefined();
    expect(log.waiting).toBe(3);
    expect(under.counts.errors.get('buffered')).toBe(2);
    expect(under.told).toEqual([
      "Error in audit plugin 'buffered' affecting 1 audit events: audit buffer queue blocked",
    ]);
    await output.end();
    await output.end();
    await log.close();
    expect(output.writes.map(idsOf)).toEqual([['written'], ['0', '1', '2']]);
  });
});

describe('an event that is too large', () => {
  it('loses its objects and says so; one that is still too large is lost', async () => {
    const { log, output, under } = backend({ truncate: { maxEventSize: 400, maxBatchSize: 1000 } });
    void log.take(auditEvent('short', { requestObject: '{"a":1}' }));
    void log.take(auditEvent('long', { requestObject: `"${'x'.repeat(400)}"`, responseObject: '{}' }));
    expect(log.take(auditEvent('longer', { who: `"requestURI":"${'x'.repeat(400)}"` }))).toBeUndefined();
    await output.end();
    const [short, long] = (output.writes[0] ?? []).map((line) => JSON.parse(line));
    expect([short.requestObject, short.annotations]).toEqual([{ a: 1 }, undefined]);
    expect(long.annotations).toEqual({ 'audit.k8s.io/truncated': 'true' });
    expect([long.requestObject, long.responseObject]).toEqual([undefined, undefined]);
    expect(under.counts.errors.get('truncate')).toBe(1);
  });
});

describe('the legacy format', () => {
  it('is one line of text', () => {
    const object = {
      resource: 'pods',
      namespace: 'au',
      name: '',
      uid: '',
      apiGroup: '',
      apiVersion: 'v1',
      resourceVersion: '',
      subresource: '',
    };
    expect(legacyLine(auditEvent('L1', { stage: 'ResponseComplete', object, code: 403 }))).toBe(
      '2026-11-16T15:22:31.091588000Z AUDIT: id="L1" stage="ResponseComplete" ip="127.0.0.1" method="get" user="ann" ' +
        'groups="\\"devs\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" user-agent="probe" namespace="au" ' +
        'uri="/version" response="403"',
    );
    const bob = { name: 'bob', groups: [] };
    expect(legacyLine(auditEvent('a"\n', { impersonated: bob }))).toContain(
      'id="a\\"\\n" stage="RequestReceived" ip="127.0.0.1" method="get" user="ann" groups="\\"devs\\",\\"system:authenticated\\"" as="bob" asgroups="<none>"',
    );
  });
});
