import { beforeEach, describe, expect, it } from 'vitest';
import type { ReadCall } from '../contract/verb.ts';
import { VerbFixture } from '../write/verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';

let server: VerbFixture;
let version: string;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
  const made = await server.ok('POST', MAPS, { body: { metadata: { name: 'a' }, data: { k: '<&>' } } });
  version = made.metadata.resourceVersion;
});

describe('get', () => {
  it.each(['', '?resourceVersion=', '?resourceVersion=0', '?resourceVersion=1', '?resourceVersion=003'])(
    '%s answers with the object',
    async (query) => {
      const { status, body } = await server.call('GET', `${MAPS}/a${query}`);
      expect([status, body.kind, body.metadata.resourceVersion, body.data]).toEqual([
        200,
        'ConfigMap',
        version,
        { k: '<&>' },
      ]);
    },
  );

  it('a missing object is 404, in a missing namespace too', async () => {
    for (const path of [`${MAPS}/nope`, '/api/v1/namespaces/nowhere/configmaps/nope']) {
      expect(await server.call('GET', path)).toMatchObject({
        status: 404,
        body: { message: 'configmaps "nope" not found', details: { name: 'nope', kind: 'configmaps' } },
      });
    }
  });

  it.each(['abc', '-1', '1.5'])('the version %s is 500 without a reason, as Kubernetes has it', async (text) => {
    const { status, body } = await server.call('GET', `${MAPS}/a?resourceVersion=${text}`);
    const message = `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;
    expect([status, body.message, body.reason]).toEqual([500, message, undefined]);
  });

  it('a version that has not happened yet is 504 and asks to come back', async () => {
    const { status, body } = await server.call('GET', `${MAPS}/a?resourceVersion=1000`);
    expect([status, body.message, body.details]).toEqual([
      504,
      `Timeout: Too large resource version: 1000, current: ${version}`,
      {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    ]);
  });

  it('export is no longer supported: 400', async () => {
    expect((await server.call('GET', `${MAPS}/a?export=true`)).status).toBe(400);
    expect((await server.call('GET', `${MAPS}/a?export=false`)).status).toBe(200);
  });

  it('can be pretty: two spaces and no newline at the end', async () => {
    const { text } = await server.call('GET', `${MAPS}/a`, { form: { pretty: true } });
    expect(text).toMatch(/^\{\n {2}"kind": "ConfigMap",\n/);
    expect(text).toMatch(/\n\}$/);
  });

  it('an answer in another form is left to whoever knows it', async () => {
    const answered: string[] = [];
    const answer = (call: ReadCall, served: Buffer): never => {
      answered.push(call.form.as, served.toString());
      throw new Error('enough');
    };
    const table = new VerbFixture(server.context.store.engine, { kinds: { answer } });
    await expect(table.call('GET', `${MAPS}/a`, { form: { as: 'table' } })).rejects.toThrow('enough');
    expect(answered).toEqual(['table', (await server.call('GET', `${MAPS}/a`)).text.trimEnd()]);
  });
});
