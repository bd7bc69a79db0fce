import { once } from 'node:events';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';

/** The status of an answer without a body to a request with one; undefined when the stream is closed without an answer. */
async function statusOf(session: ClientHttp2Session, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  const stream = session.request(headers, { endStream: false });
  let status: number | undefined;
  stream.on('response', (answered) => {
    status = answered[':status'];
  });
  stream.resume();
  stream.end(Buffer.alloc(300, ' '));
  await once(stream, 'close');
  return status;
}

it.each([
  ['a body of no bytes', 404, { ':method': 'DELETE', ':path': '/openapi/v3/apis/nope/v1' }],
  ['no body at all', 304, { ':method': 'GET', ':path': '/openapi/v2', 'if-none-match': '*' }],
])(
  'an answer with %s is not overtaken by the end of its stream',
  async (_, expected, request) => {
    await using env = await startTestServer({ listen: true, controllers: [] });
    const [, token = ''] = /token: (\S+)/u.exec(env.kubeconfig) ?? [];
    const session = connect(env.url, { rejectUnauthorized: false });
    const headers = { ...request, authorization: `Bearer ${token}` };
    const counts = new Map<number | undefined, number>();
    for (let batch = 0; batch < 80; batch += 1) {
      const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf(session, headers)));
      for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    session.close();
    expect([...counts]).toEqual([[expected, 4000]]);
  },
  60_000,
);
