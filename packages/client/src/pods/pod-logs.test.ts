import { isBadRequest } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { ScriptedBody, ScriptedTransport } from '../../test/scripted-transport.ts';
import { createCluster } from '../create-cluster.ts';
import { isTransportError, TransportError } from '../transport/transport-error.ts';
import { type LogStream, type PodLogOptions, podLogs } from './pod-logs.ts';

const target = { name: 'web-1', namespace: 'n' };
const headers = { 'content-type': 'text/plain' };

/** A stream of logs whose server answers with this body. */
function open(
  body: ScriptedBody,
  options?: PodLogOptions,
): { readonly logs: LogStream; readonly transport: ScriptedTransport } {
  const transport = new ScriptedTransport({ headers, body });
  return { logs: podLogs(createCluster(transport, { server: 'https://test' }), target, options), transport };
}

async function all<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const read: T[] = [];
  for await (const value of values) read.push(value);
  return read;
}

describe('the request', () => {
  it('has what was asked for, and is sent with the first read', async () => {
    const { logs, transport } = open(new ScriptedBody().end(), {
      container: 'c',
      follow: true,
      previous: true,
      timestamps: true,
      sinceTime: new Date('2024-01-02T03:04:05Z'),
      tailLines: 0,
      limitBytes: 9,
    });
    expect(transport.requests).toEqual([]);
    await all(logs);
    expect(transport.requests[0]?.path).toBe(
      '/api/v1/namespaces/n/pods/web-1/log?container=c&follow=true&previous=true&timestamps=true' +
        '&sinceTime=2024-01-02T03%3A04%3A05.000Z&tailLines=0&limitBytes=9',
    );
  });

  it('of logs that are followed may be silent for ever, before the headers and after', async () => {
    const followed = open(new ScriptedBody().end(), { follow: true });
    await all(followed.logs);
    expect(followed.transport.requests[0]).toMatchObject({ headersTimeoutMs: 0, idleTimeoutMs: undefined });
    const once = open(new ScriptedBody().end());
    await all(once.logs);
    expect(once.transport.requests[0]).toMatchObject({ idleTimeoutMs: 60_000 });
    expect(once.transport.requests[0]).not.toHaveProperty('headersTimeoutMs');
  });

  it.each<[object, object, string]>([
    [target, { tailLines: -1 }, 'tailLines must be a whole number of at least 0'],
    [target, { limitBytes: 0 }, 'limitBytes must be'],
    [target, { sinceSeconds: 1.5 }, 'sinceSeconds must be'],
    [target, { sinceSeconds: 1, sinceTime: new Date() }, 'not both'],
    [target, { sinceTime: 'yesterday' }, 'sinceTime is not a time: "yesterday"'],
    [target, { tail: 1 }, 'unknown option "tail" of podLogs'],
    [{ name: '../x' }, {}, 'name "../x"'],
    [{ name: 'a', namespace: '..' }, {}, 'namespace ".."'],
    [{ name: '' }, {}, 'name ""'],
  ])('%j %j is refused at the call', (pod, options, message) => {
    const cluster = createCluster(new ScriptedTransport(), { server: 'test' });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript may pass anything
    expect(() => podLogs(cluster, pod as typeof target, options)).toThrow(message);
  });
});

describe('a stream of logs', () => {
  it('gives bytes that stay as they are, and ends with the answer', async () => {
    const memory = Buffer.from('first');
    const body = new ScriptedBody(memory);
    const iterator = open(body).logs[Symbol.asyncIterator]();
    const { value: first } = await iterator.next();
    memory.fill('x');
    body.write('second').end();
    expect([first, (await iterator.next()).value].map((bytes) => new TextDecoder().decode(bytes))).toEqual([
      'first',
      'second',
    ]);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('gives lines, with the last one even if it has no end', async () => {
    expect(await all(open(new ScriptedBody('a\nb', 'c\r\n\n', 'd').end()).logs.lines())).toEqual(['a', 'bc', '', 'd']);
  });

  it('gives a line of 100 MB in pieces', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(0x61);
    const body = new ScriptedBody(...Array.from({ length: 100 }, () => piece)).end();
    let [count, longest] = [0, 0];
    for await (const line of open(body).logs.lines({ maxLineBytes: 64 * 1024 })) {
      count += line.length;
      longest = Math.max(longest, line.length);
    }
    expect([count, longest]).toEqual([100 * 1024 * 1024, 64 * 1024]);
  });

  it('reads no further than its reader', async () => {
    const body = new ScriptedBody('a\n', 'b\n', 'c\n');
    const iterator = open(body).logs.lines()[Symbol.asyncIterator]();
    await iterator.next();
    expect(body.asked).toBe(1);
    await iterator.return?.();
  });

  it('is closed when its reader leaves', async () => {
    for (const lines of [false, true]) {
      const body = new ScriptedBody('a\n');
      const { logs } = open(body, { follow: true });
      for await (const _ of lines ? logs.lines() : logs) break;
      expect(body.isClosed).toBe(true);
    }
  });

  it('is closed by return while a read waits, and that read ends', async () => {
    const body = new ScriptedBody('a\nb');
    const iterator = open(body, { follow: true }).logs.lines()[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(body.isClosed).toBe(true);
  });

  it('is closed by dispose, before and after it was opened', async () => {
    const unread = open(new ScriptedBody());
    await unread.logs[Symbol.asyncDispose]();
    expect(await all(unread.logs)).toEqual([]);
    expect(unread.transport.requests).toEqual([]);
    const body = new ScriptedBody('a');
    {
      await using logs = open(body).logs;
      await logs[Symbol.asyncIterator]().next();
    }
    expect(body.isClosed).toBe(true);
  });

  it('ends with the reason of its signal, before and during a read', async () => {
    const stop = new AbortController();
    const body = new ScriptedBody('a\nhalf');
    const iterator = open(body, { signal: stop.signal }).logs.lines()[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(body.isClosed).toBe(true);
    await expect(all(open(new ScriptedBody(), { signal: stop.signal }).logs)).rejects.toThrow('enough');
  });

  it('that breaks gives what has arrived, and then the error with its name', async () => {
    const body = new ScriptedBody('a\nhalf', new TransportError('CLOSED', 'cut off'));
    const iterator = open(body).logs.lines()[Symbol.asyncIterator]();
    expect([(await iterator.next()).value, (await iterator.next()).value]).toEqual(['a', 'half']);
    await expect(iterator.next()).rejects.toMatchObject({
      code: 'CLOSED',
      message: 'get pods/log web-1 in n at https://test: cut off',
    });
  });

  it('has one reader', () => {
    const { logs } = open(new ScriptedBody());
    logs.lines();
    expect(() => logs[Symbol.asyncIterator]()).toThrow(TypeError);
    expect(() => logs.lines()).toThrow('one reader');
    expect(() => open(new ScriptedBody()).logs.lines({ maxLineBytes: 3 })).toThrow(RangeError);
  });

  it('that the server refuses fails with its Status', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      code: 400,
      reason: 'BadRequest',
      message: 'a container name must be specified',
    };
    const transport = new ScriptedTransport({ status: 400, body: JSON.stringify(status) });
    const logs = podLogs(createCluster(transport, { server: 'test' }), target);
    await expect(all(logs)).rejects.toSatisfy(isBadRequest);
  });

  it('that is the page of a proxy is no log', async () => {
    const transport = new ScriptedTransport({ headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' });
    const logs = podLogs(createCluster(transport, { server: 'test' }), target);
    await expect(all(logs)).rejects.toSatisfy((error) => isTransportError(error, 'PROTOCOL'));
  });
});
