import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';

/** The status of an answer without a body to a request with one; undefined when the stream is closed without an answer. */
async function statusOf(session: ClientHttp2Session, token: string): Promise<number | undefined> {
  const stream = session.request(
    { ':method': 'DELETE', ':path': '/openapi/v3/apis/nope/v1', authorization: `Bearer ${token}` },
    { endStream: false },
  );
  let status: number | undefined;
  stream.on('response', (headers) => {
    status = headers[':status'];
  });
  stream.resume();
  stream.end(Buffer.alloc(300, ' '));
  await once(stream, 'close');
  return status;
}

it('an answer without a body is not overtaken by the end of its stream', async () => {
  await using env = await startTestServer({ listen: true, controllers: [] });
  const [, token = ''] = /token: (\S+)/u.exec(env.kubeconfig) ?? [];
  const session = connect(env.url, { rejectUnauthorized: false });
  const counts = new Map<number | undefined, number>();
  for (let batch = 0; batch < 80; batch += 1) {
    const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf(session, token)));
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  session.close();
  expect([...counts]).toEqual([[404, 4000]]);
}, 60_000);
