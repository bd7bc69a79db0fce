import { once } from 'node:events';
import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { eventually } from '@listwatch/conformance/storage';
import { afterEach, expect, it } from 'vitest';
import { EtcdClient } from './etcd-client.ts';
import { resolveEtcdOptions } from './etcd-options.ts';
import { GRPC_STATUS } from './grpc/grpc-error.ts';
import { frameOf } from './grpc/message-frames.ts';

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

interface Member {
  readonly url: string;
  readonly sessions: ServerHttp2Session[];
  /** Whether it answers calls as a member without a leader does. */
  isLost: boolean;
}

/** A member that answers calls of `/unary`, and holds all others open. */
async function member(isLost: boolean): Promise<Member> {
  const server = createServer();
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => sessions.push(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const made: Member = { url: `http://127.0.0.1:${port}`, sessions, isLost };
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    if (headers[':path'] === '/unary') answer(stream, made.isLost);
  });
  cleanups.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return made;
}

function answer(stream: ServerHttp2Stream, isLost: boolean): void {
  const status = isLost ? GRPC_STATUS.UNAVAILABLE : GRPC_STATUS.OK;
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status, 'grpc-message': 'no quorum' }));
  stream.end(isLost ? undefined : frameOf(Buffer.from('answer')));
}

it('a member that answers without serving is left, and used again on the connection that its watches hold open', async () => {
  const [first, second] = await Promise.all([member(false), member(false)]);
  const client = new EtcdClient(resolveEtcdOptions({ endpoints: [first.url, second.url] }));
  const watch = await client.stream('/watch');
  const call = (): Promise<Buffer> => client.call('/unary', Buffer.alloc(0), { write: false });
  for (let round = 0; round < 3; round += 1) {
    first.isLost = true;
    await call();
    expect(client.endpoint).toBe(second.url);
    first.isLost = false;
    second.isLost = true;
    await call();
    expect(client.endpoint).toBe(first.url);
    second.isLost = false;
  }
  expect([first, second].map(({ sessions }) => sessions.length)).toEqual([1, 1]);
  watch.stream.cancel();
  await client.close();
});

it('a member that leaves a call without an answer is left, and no watch holds that connection', async () => {
  const only = await member(false);
  const client = new EtcdClient(resolveEtcdOptions({ endpoints: [only.url], requestTimeout: '200ms' }));
  const { stream } = await client.stream('/watch');
  await expect(client.call('/silence', Buffer.alloc(0), { write: false })).rejects.toThrow('no answer within');
  expect(await stream.next()).toBeUndefined();
  await client.call('/unary', Buffer.alloc(0), { write: false });
  await eventually('one connection is open', () => only.sessions.filter(({ destroyed }) => !destroyed).length === 1);
  await client.close();
});
