import { createMemoryEngine } from '@listwatch/storage';
import { expect, it } from 'vitest';
import { createApiServer } from '../index.ts';

it('an authorizer that fails is answered with 500 in plain text, and reported once with the id of the request', async () => {
  const reported: unknown[] = [];
  await using server = createApiServer({
    engine: createMemoryEngine(),
    authorizer: { authorize: () => Promise.reject(new Error('the <directory> is down')) },
    onError: (error, { auditId }) => reported.push([String(error), auditId]),
  });
  await server.start();
  const path = '/api/v1/pods?limit=1&x=%3C<b>';
  const answer = await server.handle({ method: 'GET', path, headers: {} }, { user: { name: 'bob', groups: [] } });
  const parts: Uint8Array[] = [];
  for await (const part of answer.body) parts.push(part);
  expect([answer.status, answer.headers['content-type'], Buffer.concat(parts).toString()]).toEqual([
    500,
    'text/plain; charset=utf-8',
    // What the client and the authorizer say is no HTML for a browser.
    'Internal Server Error: "/api/v1/pods?limit=1&amp;x=%3C&lt;b&gt;": the &lt;directory&gt; is down\n',
  ]);
  expect(reported).toEqual([['Error: the <directory> is down', answer.headers['audit-id']]]);
});
