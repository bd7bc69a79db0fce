import { describe, expect, it } from 'vitest';
import { InProcessServer } from '../start/in-process-server.fixture.ts';

describe('warnings about an object', () => {
  it('reach the client with the answer, and with a refusal that comes after them', async () => {
    await using server = await InProcessServer.start();
    const body = { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], externalIPs: ['1.2.3.4'] }, odd: 1 };
    const path = '/api/v1/namespaces/default/services';
    const expected = [
      '299 - "unknown field \\"odd\\""',
      '299 - "spec.externalIPs is deprecated and may no longer be implemented in some clusters"',
    ].join(', ');
    const made = await server.ask('POST', path, body);
    expect([made.status, made.headers['warning']]).toStrictEqual([201, expected]);
    const refused = await server.ask('POST', path, body);
    expect([refused.status, refused.headers['warning']]).toStrictEqual([409, expected]);
    const label = { metadata: { labels: { a: 'b' } } };
    const patched = await server.ask('PATCH', `${path}/a`, label, { type: 'application/merge-patch+json' });
    expect(patched.headers['warning']).toBe(expected.split(', ')[1]);
  });
});
