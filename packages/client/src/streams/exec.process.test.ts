import { FakeClock } from '@listwatch/api/fake-clock';
import {
  exitStatus,
  finish,
  messageBytes,
  type PeerConnection,
  runCommand,
  type StreamPeer,
  type StreamPeerOptions,
  startStreamPeer,
} from '@listwatch/conformance/kubelet';
import { eventually } from '@listwatch/conformance/storage';
import { WebSocket } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../cluster.ts';
import { connect } from '../connect.ts';
import { createCluster } from '../create-cluster.ts';
import { createFetchTransport } from '../transport/carriers/fetch-transport.ts';
import { attach, exec } from './exec.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function start(
  onConnection: StreamPeerOptions['onConnection'],
  options: Omit<StreamPeerOptions, 'onConnection'> = {},
): Promise<{ peer: StreamPeer; cluster: Cluster }> {
  const peer = await startStreamPeer({ ...options, onConnection });
  const cluster = await connect({ server: peer.url, token: 'secret' });
  cleanups.push(
    () => peer.close(),
    () => cluster.close(),
  );
  return { peer, cluster };
}

/** Waits until a number is the same in fifty looks in a row. */
async function standsStill(what: string, read: () => number): Promise<void> {
  let before = -1;
  let same = 0;
  await eventually(what, () => {
    same = read() === before ? same + 1 : 0;
    before = read();
    return same === 50;
  });
}

const pod = { namespace: 'default', name: 'web' };
const shell = (script: string): readonly string[] => ['sh', '-c', script];

/** Three megabytes on stderr before a word on stdout. */
async function unevenOutput(connection: PeerConnection): Promise<void> {
  for (let count = 0; count < 100; count += 1) await connection.send(2, Buffer.alloc(30_000));
  await connection.send(1, 'done');
  await finish(connection);
}

describe('exec', () => {
  it('runs a command and gives its output and its exit code as values', async () => {
    const { peer, cluster } = await start(runCommand);
    const session = await exec(cluster, pod, { command: shell('echo out; echo err >&2; exit 3'), container: 'main' });
    expect(await session.output()).toEqual({ code: 3, stdout: 'out\n', stderr: 'err\n' });
    const [connection] = peer.connections;
    expect(connection?.path).toBe('/api/v1/namespaces/default/pods/web/exec');
    expect(String(connection?.query)).toBe(
      'command=sh&command=-c&command=echo+out%3B+echo+err+%3E%262%3B+exit+3&container=main&stdout=true&stderr=true',
    );
    expect(connection?.headers).toMatchObject({ authorization: 'Bearer secret', 'user-agent': 'listwatch' });
  });

  it('sends an input and its end, which only version 5 can', async () => {
    const { cluster } = await start(runCommand);
    const session = await exec(cluster, pod, { command: ['sort'], stdin: ['b\n', Buffer.from('a\n')] });
    expect(await session.output()).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' });
  });

  it('with version 4 the end of an input is refused, because the command would wait for ever', async () => {
    const { cluster } = await start(runCommand, { protocols: ['v4.channel.k8s.io'] });
    const session = await exec(cluster, pod, { command: ['cat'], stdin: 'x' });
    await expect(session.output()).rejects.toMatchObject({ code: 'NO_HALF_CLOSE' });
  });

  it('writes and reads in turn, as a person at a terminal', async () => {
    const { cluster } = await start(runCommand);
    const session = await exec(cluster, pod, { command: ['cat'], stdin: true });
    const lines = session.stdout.lines()[Symbol.asyncIterator]();
    for (const word of ['one', 'two']) {
      await session.stdin.write(`${word}\n`);
      expect(await lines.next()).toEqual({ done: false, value: word });
    }
    await session.stdin.end();
    expect(await lines.next()).toEqual({ done: true, value: undefined });
    expect(await session.wait()).toEqual({ code: 0 });
    await expect(session.stdin.write('more')).rejects.toThrow('stdin has ended');
  });

  it('wait throws away what nobody reads', async () => {
    const { cluster } = await start(runCommand);
    const session = await exec(cluster, pod, { command: shell('head -c 5000000 /dev/zero') });
    expect(await session.wait()).toEqual({ code: 0 });
  });

  it('a command that cannot be run is the StatusError of the kubelet', async () => {
    const { cluster } = await start((connection) => {
      void finish(connection, { reason: 'InternalError', code: 500, message: 'executable file not found' });
    });
    const session = await exec(cluster, pod, { command: ['nothing'] });
    await expect(session.wait()).rejects.toMatchObject({ code: 'STATUS', message: 'executable file not found' });
  });

  it('a handshake that is refused is the StatusError of the server', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'Forbidden',
      code: 403,
      message: 'no',
    };
    const { cluster } = await start(() => {}, { refuse: () => ({ code: 403, body: JSON.stringify(status) }) });
    await expect(exec(cluster, pod, { command: ['ls'] })).rejects.toMatchObject({ reason: 'Forbidden', message: 'no' });
  });

  it('a command is never started twice: a connection that breaks in the handshake is an error at once', async () => {
    let handshakes = 0;
    const { cluster } = await start(() => {}, {
      refuse: () => {
        handshakes += 1;
        return 'cut';
      },
    });
    await expect(exec(cluster, pod, { command: ['ls'] })).rejects.toMatchObject({ code: 'CLOSED' });
    expect(handshakes).toBe(1);
  });

  it('the signal ends the session with its reason, and the connection', async () => {
    const { peer, cluster } = await start(runCommand);
    const controller = new AbortController();
    const session = await exec(cluster, pod, { command: ['sleep', '60'], signal: controller.signal });
    const reading = session.stdout.text();
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await expect(session.wait()).rejects.toBe(reason);
    await eventually('the connection is gone', () => peer.openSockets === 0);
  });

  it('the end of a scope and of the cluster cut the connection', async () => {
    const { peer, cluster } = await start(runCommand);
    {
      await using session = await exec(cluster, pod, { command: ['sleep', '60'] });
      expect(session).toBeDefined();
    }
    await eventually('the connection is gone', () => peer.openSockets === 0);
    const session = await exec(cluster, pod, { command: ['sleep', '60'] });
    await cluster.close();
    await expect(session.wait()).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
  });

  it('sizes go to the terminal, the last of a flood at least, and one at a time', async () => {
    const sizes: string[] = [];
    const { cluster } = await start((connection) => {
      connection.socket.on('message', (data) => {
        sizes.push(messageBytes(data).subarray(1).toString());
        if (sizes.at(-1) === '{"Width":9999,"Height":24}') void finish(connection);
      });
    });
    const session = await exec(cluster, pod, { command: ['sh'], stdin: true, tty: { columns: 80, rows: 24 } });
    for (let columns = 1; columns < 10_000; columns += 1) session.resize({ columns, rows: 24 });
    expect(await session.wait()).toEqual({ code: 0 });
    expect(sizes[0]).toBe('{"Width":80,"Height":24}');
    expect(sizes.length).toBeLessThan(10);
    expect(() => session.resize({ columns: 0, rows: 1 })).toThrow(RangeError);
  });

  it('a terminal has no stderr of its own', async () => {
    const { peer, cluster } = await start((connection) => void finish(connection));
    await (await attach(cluster, pod, { tty: true, stdin: true })).wait();
    expect([peer.connections[0]?.path, String(peer.connections[0]?.query)]).toEqual([
      '/api/v1/namespaces/default/pods/web/attach',
      'stdin=true&stdout=true&tty=true',
    ]);
  });

  it('works with the WebSocket of a browser, and asks in plain HTTP why it was refused', async () => {
    let refused = false;
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
      message: 'gone',
    };
    const { peer } = await start(runCommand, {
      refuse: () => (refused ? { code: 404, body: '' } : undefined),
      onRequest: (_, response) => {
        response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(status));
      },
    });
    const transport = createFetchTransport({
      server: peer.url,
      webSocket: (url, protocols) => new WebSocket(url, [...protocols]),
    });
    cleanups.push(() => transport.close());
    const cluster = createCluster(transport, { server: peer.url });
    const session = await exec(cluster, pod, { command: ['sort'], stdin: 'b\na\n' });
    expect(await session.output()).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' });
    refused = true;
    await expect(exec(cluster, pod, { command: ['ls'] })).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'gone',
    });
  });

  it.each([
    ['no command', { command: [] }],
    ['an unknown option', { command: ['ls'], workdir: '/' }],
    ['a limit of nothing', { command: ['ls'], maxUnreadBytes: 0 }],
  ])('%s is refused before anything is sent', async (_, options) => {
    const { peer, cluster } = await start(runCommand);
    await expect(exec(cluster, pod, options)).rejects.toThrow(/command|unknown option|maxUnreadBytes/u);
    expect(peer.connections).toEqual([]);
  });
});

describe('a hostile or slow other side', () => {
  it('a frame of 100 MB ends the session, and is not kept', async () => {
    const { cluster } = await start((connection) => void connection.send(1, Buffer.alloc(100_000_000)));
    const session = await exec(cluster, pod, { command: ['x'] });
    await expect(session.output()).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('an error channel without an end, text, and unknown channels', async () => {
    const endless = await start(async (connection) => {
      while (connection.socket.readyState === 1) await connection.send(3, Buffer.alloc(32_000));
    });
    await expect((await exec(endless.cluster, pod, { command: ['x'] })).wait()).rejects.toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringContaining('the error channel does not end'),
    });
    const talking = await start(({ socket }) => socket.send('text'));
    await expect((await exec(talking.cluster, pod, { command: ['x'] })).wait()).rejects.toMatchObject({
      code: 'PROTOCOL',
    });
    const unknown = await start(async (connection) => {
      for (let channel = 5; channel < 255; channel += 1) await connection.send(channel, Buffer.alloc(30_000));
      await finish(connection, exitStatus(4));
    });
    expect(await (await exec(unknown.cluster, pod, { command: ['x'] })).output()).toMatchObject({
      code: 4,
      stdout: '',
    });
  });

  it('a connection that is cut in the middle is CLOSED, after what came before it', async () => {
    const { cluster } = await start(async (connection) => {
      await connection.send(1, 'half');
      connection.socket.terminate();
    });
    const session = await exec(cluster, pod, { command: ['x'] });
    const chunks: string[] = [];
    const reading = (async () => {
      for await (const chunk of session.stdout) chunks.push(Buffer.from(chunk).toString());
    })();
    await expect(reading).rejects.toMatchObject({ code: 'CLOSED', message: expect.stringContaining('pods/exec web') });
    expect(chunks).toEqual(['half']);
  });

  it('a goodbye without a report of the end is no success', async () => {
    const { cluster } = await start(({ socket }) => socket.close(1000));
    await expect((await exec(cluster, pod, { command: ['x'] })).wait()).rejects.toMatchObject({
      code: 'CLOSED',
      message: expect.stringContaining('before the command did'),
    });
  });

  it('a pod that writes faster than it is read is held back', async () => {
    let sent = 0;
    const { cluster } = await start(async (connection) => {
      const chunk = Buffer.alloc(32_000);
      while (sent < 64_000_000) {
        await connection.send(1, chunk);
        sent += chunk.length;
      }
      await finish(connection);
    });
    const session = await exec(cluster, pod, { command: ['x'] });
    const reader = session.stdout[Symbol.asyncIterator]();
    await reader.next();
    await standsStill('the sender stands still', () => sent);
    // What the sockets of both sides hold, and not the whole of it.
    expect(sent).toBeLessThan(32_000_000);
    let read = 0;
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) read += next.value.length;
    expect([read + 32_000, await session.wait()]).toEqual([64_000_000, { code: 0 }]);
  });

  it('one stream that is not read does not stop another one, up to a limit', async () => {
    const { cluster } = await start((connection) => void unevenOutput(connection));
    const session = await exec(cluster, pod, { command: ['x'] });
    expect(await session.stdout.text()).toBe('done');
    expect((await session.stderr.bytes()).length).toBe(3_000_000);
    const limited = await exec(cluster, pod, { command: ['x'], maxUnreadBytes: 1_000_000 });
    await expect(limited.stdout.text()).rejects.toMatchObject({
      code: 'UNREAD',
      message: expect.stringContaining('of stderr were not read'),
    });
  });

  it('a pod that does not read its input holds the writer back', async () => {
    const { cluster } = await start(({ socket }) => socket.pause());
    const session = await exec(cluster, pod, { command: ['x'], stdin: true });
    let written = 0;
    const writing = (async () => {
      for (;;) {
        await session.stdin.write(Buffer.alloc(1_000_000));
        written += 1;
      }
    })();
    await standsStill('the writer stands still', () => written);
    expect(written).toBeLessThan(100);
    session.close();
    await expect(writing).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
  });

  it('a connection that falls silent is noticed by a ping that nobody answers', async () => {
    const clock = new FakeClock();
    const peer = await startStreamPeer({
      onConnection: ({ socket }) => {
        // The library answers pings by itself, unless it does not read.
        socket.pause();
      },
    });
    const cluster = await connect({ server: peer.url, clock });
    cleanups.push(
      () => peer.close(),
      () => cluster.close(),
    );
    const session = await exec(cluster, pod, { command: ['x'] });
    const ended = session.wait();
    const outcome = expect(ended).rejects.toMatchObject({ code: 'IDLE_TIMEOUT' });
    await clock.advance(30_000);
    await clock.advance(15_000);
    await outcome;
  });

  it('a handshake that is not answered ends after its time', async () => {
    const clock = new FakeClock();
    let asked = false;
    const peer = await startStreamPeer({
      onConnection: () => {},
      refuse: () => {
        asked = true;
        return 'silence';
      },
    });
    const cluster = await connect({ server: peer.url, clock, headersTimeoutMs: 1000 });
    cleanups.push(
      () => peer.close(),
      () => cluster.close(),
    );
    const opening = exec(cluster, pod, { command: ['x'] });
    const outcome = expect(opening).rejects.toMatchObject({ code: 'HEADERS_TIMEOUT' });
    await eventually('it is asked for', () => asked);
    await clock.advance(1000);
    await outcome;
  });
});
