import type { WatchEvent } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps } from '../../test/config-maps.ts';
import { ScriptedBody, ScriptedTransport } from '../../test/scripted-transport.ts';
import type { WatchQuery, WatchStream } from '../cluster.ts';
import { createCluster } from '../create-cluster.ts';
import { TransportError } from '../transport/transport-error.ts';

const added = (name: string): string => `{"type":"ADDED","object":{"metadata":{"name":"${name}"}}}\n`;
const bookmark = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}\n';

interface Opened {
  readonly stream: WatchStream<ConfigMap>;
  readonly body: ScriptedBody;
  readonly clock: FakeClock;
  readonly transport: ScriptedTransport;
}

function watching(query: WatchQuery<ConfigMap> = {}, body = new ScriptedBody()): Opened {
  const clock = new FakeClock();
  const transport = new ScriptedTransport({ body });
  const cluster = createCluster(transport, { server: 'https://test', clock });
  return { stream: cluster.watch(configMaps, query), body, clock, transport };
}

async function gather(stream: AsyncIterable<WatchEvent<ConfigMap>>): Promise<string[]> {
  const names: string[] = [];
  for await (const { type, object } of stream) names.push(type === 'ADDED' ? object.metadata.name : type);
  return names;
}

/** Resolves to how a promise was rejected; attached at once, so that no rejection goes unhandled. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error,
  );
}

describe('one reader', () => {
  test('nothing is sent before the first event is asked for', async () => {
    const { stream, transport, body } = watching();
    const events = stream[Symbol.asyncIterator]();
    expect(transport.requests).toEqual([]);
    expect(stream.opened).toBe(false);
    body.write(added('a'));
    await events.next();
    expect(transport.requests.map(({ path }) => path)).toEqual(['/api/v1/configmaps?watch=true']);
    expect(stream.opened).toBe(true);
  });

  test('a second reader is refused', () => {
    const { stream } = watching();
    stream[Symbol.asyncIterator]();
    expect(() => stream[Symbol.asyncIterator]()).toThrow(TypeError);
  });

  test('break closes the exchange', async () => {
    const { stream, body, clock } = watching({ timeoutSeconds: 300 });
    body.write(added('a') + added('b'));
    for await (const event of stream) {
      expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
      break;
    }
    expect(body.isClosed).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('return ends a reader that waits, and so does disposing of the stream', async () => {
    for (const end of ['return', 'dispose'] as const) {
      const { stream, body, clock } = watching({ timeoutSeconds: 300 });
      const events = stream[Symbol.asyncIterator]();
      const next = events.next();
      await clock.advance(0);
      expect(body.asked).toBe(1);
      await (end === 'return' ? events.return?.() : stream[Symbol.asyncDispose]());
      await expect(next).resolves.toEqual({ done: true, value: undefined });
      expect(body.isClosed).toBe(true);
      expect(clock.pending).toBe(0);
    }
  });

  test('a stream that was disposed of before it was read sends nothing', async () => {
    const { stream, transport } = watching();
    await stream[Symbol.asyncDispose]();
    expect(await gather(stream)).toEqual([]);
    expect(transport.requests).toEqual([]);
  });

  test('bytes are pulled only when an event is asked for', async () => {
    const { stream, body, clock } = watching();
    body
      .write(added('a') + added('b'))
      .write(added('c'))
      .end();
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await events.next();
    await clock.advance(0);
    expect(body.asked).toBe(1);
    await events.next();
    expect(body.asked).toBe(2);
  });
});

describe('ends', () => {
  test('a server that ends the watch between two events ends the stream', async () => {
    expect(await gather(watching({}, new ScriptedBody(added('a'), '\n').end()).stream)).toEqual(['a']);
  });

  test('an ERROR event is given, and the stream ends after it', async () => {
    const error = '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","code":410,"reason":"Expired"}}';
    const { stream, body } = watching({}, new ScriptedBody(error + added('a')));
    expect(await gather(stream)).toEqual(['ERROR']);
    expect(body.isClosed).toBe(true);
  });

  test('an end in the middle of an event is CLOSED, after the events before it', async () => {
    const { stream } = watching({}, new ScriptedBody(added('a') + added('b').slice(0, 20)).end());
    const names: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { type } of stream) names.push(type);
    };
    expect(await failure(read())).toMatchObject({ code: 'CLOSED' });
    expect(names).toEqual(['ADDED']);
  });

  test('a connection that breaks is what the transport says, with the watch that it is about', async () => {
    const broken = new TransportError('CLOSED', 'reset by peer');
    const { stream } = watching({ namespace: 'ns' }, new ScriptedBody(added('a'), broken));
    expect(await failure(gather(stream))).toMatchObject({
      code: 'CLOSED',
      message: 'watch configmaps in ns at https://test: reset by peer',
      cause: broken,
    });
  });

  test.each([
    ['with the newline', '{"type":"ADDED","object":{"metadata":{"name":"cut\n'],
    ['with the frame behind it', `{"type":"ADDED","object":{"metadata":{"name":"cut${added('b')}`],
    ['with the second frame behind it', `{"type":"ADDED","object":{"metadata":{"labels":${added('b')}${added('c')}`],
  ])('a frame that was cut fails with PROTOCOL, %s, and what came before it is told', async (_, text) => {
    const { stream, body } = watching();
    const names: string[] = [];
    const ended = failure(
      (async () => {
        for await (const event of stream) if (event.type === 'ADDED') names.push(event.object.metadata.name);
      })(),
    );
    body.write(added('a'));
    for (const piece of text.match(/[^]{1,7}/gu) ?? []) body.write(piece);
    expect(await ended).toMatchObject({ code: 'PROTOCOL' });
    expect(names).toEqual(['a']);
    expect(body.isClosed).toBe(true);
  });

  test('a frame larger than maxObjectBytes fails, and the error names the option', async () => {
    const body = new ScriptedBody();
    const cluster = createCluster(new ScriptedTransport({ body }), { server: 'https://test', maxObjectBytes: 100 });
    const ended = failure(gather(cluster.watch(configMaps)));
    body.write(added('x'.repeat(100)));
    expect(await ended).toMatchObject({ code: 'PROTOCOL', message: expect.stringContaining('maxObjectBytes (100)') });
  });

  test('an event that is none fails with PROTOCOL and closes the exchange', async () => {
    const { stream, body } = watching({}, new ScriptedBody(`${added('a')}{"type":"GONE","object":{}}`));
    expect(await failure(gather(stream))).toMatchObject({ code: 'PROTOCOL' });
    expect(body.isClosed).toBe(true);
  });

  test('a refusal is a StatusError, and the stream was never open', async () => {
    const body = '{"kind":"Status","apiVersion":"v1","status":"Failure","code":410,"reason":"Expired"}';
    const transport = new ScriptedTransport({ status: 410, body });
    const stream = createCluster(transport, { server: 'https://test' }).watch(configMaps);
    expect(await failure(gather(stream))).toMatchObject({ code: 'STATUS', reason: 'Expired' });
    expect(stream.opened).toBe(false);
  });
});

describe('abort', () => {
  test('before the start: the reason, and nothing is sent', async () => {
    const reason = new Error('enough');
    const { stream, transport } = watching({ signal: AbortSignal.abort(reason) });
    expect(await failure(gather(stream))).toBe(reason);
    expect(transport.requests).toEqual([]);
  });

  test('while it waits: the reason, at once, and the signal is let go of', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const { stream, body, clock } = watching({ signal: controller.signal, timeoutSeconds: 300 });
    const ended = failure(gather(stream));
    await clock.advance(0);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    expect(body.isClosed).toBe(true);
    expect(clock.pending).toBe(0);
  });
});

/** Gives one event, and then nothing more, whatever the signal says. */
async function* deaf(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(bookmark);
  await new Promise(() => {});
}

function watchingDeaf(query: WatchQuery<ConfigMap>): Pick<Opened, 'clock' | 'stream'> {
  const clock = new FakeClock();
  const transport = new ScriptedTransport();
  transport.send = () => Promise.resolve({ status: 200, headers: {}, body: deaf() });
  return { clock, stream: createCluster(transport, { server: 'https://test', clock }).watch(configMaps, query) };
}

describe('a transport that is deaf', () => {
  test('holds nobody back who waits, nor who comes to wait later', async () => {
    for (const isWaiting of [true, false]) {
      const reason = new Error('enough');
      const controller = new AbortController();
      const { stream, clock } = watchingDeaf({ signal: controller.signal });
      const events = stream[Symbol.asyncIterator]();
      await events.next();
      const waiting = isWaiting ? failure(events.next()) : undefined;
      await clock.advance(0);
      controller.abort(reason);
      expect(await (waiting ?? failure(events.next()))).toBe(reason);
    }
  });

  test('is given up like any other', async () => {
    const { stream, clock } = watchingDeaf({});
    const ended = failure(gather(stream));
    await clock.advance(90_000);
    expect(await ended).toMatchObject({ code: 'IDLE_TIMEOUT' });
  });
});

describe('liveness', () => {
  test('a server that does not end the watch at its time is given up after the margin', async () => {
    const { stream, clock, body } = watching({ timeoutSeconds: 300, deadlineMarginMs: 2000 });
    const ended = failure(gather(stream));
    await clock.advance(301_999);
    expect(body.isClosed).toBe(false);
    await clock.advance(1);
    expect(await ended).toMatchObject({ code: 'IDLE_TIMEOUT', message: expect.stringContaining('300000') });
    expect(body.isClosed).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test.each([-3_600_000, 3_600_000])(
    'silence is noticed in its time when the clock is set by %i ms meanwhile',
    async (ms) => {
      const { stream, clock, body } = watching({ timeoutSeconds: 300, heartbeatMs: 70_000 });
      const ended = failure(gather(stream));
      body.write(bookmark);
      await clock.advance(10_000);
      clock.set(clock.now() + ms);
      body.write(added('a'));
      await clock.advance(69_999);
      expect(body.isClosed).toBe(false);
      await clock.advance(1);
      expect(await ended).toMatchObject({ code: 'IDLE_TIMEOUT' });
    },
  );

  test('once bookmarks have been seen, a silent connection is noticed within the heartbeat', async () => {
    const { stream, clock, body } = watching({ timeoutSeconds: 300, heartbeatMs: 70_000 });
    const ended = failure(gather(stream));
    await clock.advance(60_000);
    body.write(bookmark);
    await clock.advance(69_999);
    expect(body.isClosed).toBe(false);
    await clock.advance(1);
    expect(await ended).toMatchObject({ code: 'IDLE_TIMEOUT', message: expect.stringContaining('70000') });
  });

  test('every event is a sign of life', async () => {
    const { stream, clock, body } = watching({ heartbeatMs: 70_000 });
    const names = gather(stream);
    body.write(bookmark);
    for (const name of ['a', 'b', 'c']) {
      await clock.advance(69_999);
      body.write(added(name));
    }
    await clock.advance(0);
    body.end();
    expect(await names).toEqual(['BOOKMARK', 'a', 'b', 'c']);
  });

  test('bytes that are no event are no sign of life, however many come', async () => {
    const { stream, clock, body } = watching({ heartbeatMs: 70_000 });
    const ended = failure(gather(stream));
    body.write(`${bookmark}{"type":"ADDED","object":{"metadata":{"name":"a","labels":`);
    await clock.advance(35_000);
    body.write(' ');
    await clock.advance(34_999);
    expect(body.isClosed).toBe(false);
    await clock.advance(1);
    expect(await ended).toMatchObject({ code: 'IDLE_TIMEOUT' });
  });

  test('silence is noticed as soon after much has come as after little', async () => {
    const { stream, clock, body } = watching({ heartbeatMs: 70_000 });
    const ended = failure(gather(stream));
    body.write(bookmark);
    for (const name of ['a', 'b', 'c']) {
      await clock.advance(50_000);
      body.write(added(name));
    }
    await clock.advance(69_999);
    expect(body.isClosed).toBe(false);
    await clock.advance(1);
    expect(await ended).toMatchObject({ code: 'IDLE_TIMEOUT' });
  });

  test('the bookmark that ends the initial events promises no other: after it a server may be silent', async () => {
    const { stream, clock, body } = watching({ heartbeatMs: 70_000 });
    const names = gather(stream);
    const annotations = '{"k8s.io/initial-events-end":"true"}';
    body.write(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7","annotations":${annotations}}}}\n`);
    await clock.advance(600_000);
    body.write(added('a'));
    await clock.advance(0);
    body.end();
    expect(await names).toEqual(['BOOKMARK', 'a']);
  });

  test('a server without bookmarks may be silent', async () => {
    const { stream, clock, body } = watching();
    const names = gather(stream);
    body.write(added('a'));
    await clock.advance(86_400_000);
    body.end();
    expect(await names).toEqual(['a']);
  });

  test('a reader that is slow does not take its own time for the silence of the server', async () => {
    const { stream, clock, body } = watching({ timeoutSeconds: 300, heartbeatMs: 70_000 });
    body.write(bookmark);
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await clock.advance(3_600_000);
    body.write(added('late')).end();
    expect(await events.next()).toMatchObject({ value: { type: 'ADDED' } });
    await clock.advance(3_600_000);
    expect(await events.next()).toMatchObject({ done: true });
  });

  test.each([[{ heartbeatMs: -1 }], [{ heartbeatMs: Number.NaN }], [{ deadlineMarginMs: Infinity }]])(
    '%j is refused before anything is sent',
    (query) => {
      expect(() => watching(query)).toThrow(RangeError);
    },
  );
});
