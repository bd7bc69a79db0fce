import { eventually } from '@listwatch/conformance/storage';
import { describe, expect, it } from 'vitest';
import { AuditedServer } from './audited-server.fixture.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const TRAIL = '/debug/audit?group=&resource=secrets&namespace=default&name=s';
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: 'hush' } };

describe('/debug/audit', () => {
  it('tells whoever may get it who did what to an object, and nothing of the object', async () => {
    await using server = await AuditedServer.start({ rules: [{ level: 'RequestResponse' }] });
    await server.ask('POST', SECRETS, secret, { 'user-agent': 'kubectl/v1.36' });
    await server.ask('DELETE', `${SECRETS}/s`, undefined, { authorization: 'Bearer bob-token' });
    // A record gets its code after the answer is sent: a client can be faster.
    const { entries, text } = await eventually('both records have their code', async () => {
      const answer = await server.ask('GET', TRAIL);
      expect(answer.status).toBe(200);
      const found: readonly Record<string, unknown>[] = JSON.parse(answer.text).entries;
      return found.every(({ code }) => code !== 0) && { entries: found, text: answer.text };
    });
    expect(entries.map(({ user, verb, code, userAgent }) => [user, verb, code, userAgent])).toEqual([
      ['bob', 'delete', 403, ''],
      ['ada', 'create', 201, 'kubectl/v1.36'],
    ]);
    expect(text).not.toContain(Buffer.from('hush').toString('base64'));
  });

  it('is refused to everybody else, also to the user of a token', async () => {
    await using server = await AuditedServer.start({ rules: [{ level: 'Metadata' }] });
    const bob = await server.ask('GET', TRAIL, undefined, { authorization: 'Bearer bob-token' });
    const nobody = await server.ask('GET', TRAIL, undefined, { authorization: '' });
    expect([bob.status, nobody.status]).toEqual([403, 403]);
  });

  it('is not there without a log that can be read, and needs the name of an object', async () => {
    await using legacy = await AuditedServer.start({ rules: [{ level: 'Metadata' }], log: { format: 'legacy' } });
    expect((await legacy.ask('GET', TRAIL)).status).toBe(404);
    await using server = await AuditedServer.start({ rules: [{ level: 'Metadata' }] });
    expect((await server.ask('GET', '/debug/audit?resource=secrets')).status).toBe(400);
    expect((await server.ask('POST', TRAIL)).status).toBe(405);
  });
});
