import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Json } from '../../../start/in-process-server.fixture.ts';
import { type HookAnswer, HookedServer, patchOf, reviewOf } from './hook-server.fixture.ts';

let hooked: HookedServer;

beforeAll(async () => {
  hooked = await HookedServer.start();
});

afterAll(async () => {
  await hooked[Symbol.asyncDispose]();
});

/** The message of the refusal, without what it begins with. Under Ignore the same failure refuses nothing. */
async function failureOf(
  answer: HookAnswer,
  more: object = {},
  type: 'Mutating' | 'Validating' = 'Mutating',
): Promise<string> {
  const ns = await hooked.namespace();
  hooked.hook.answers['a'] = answer;
  const path = await hooked.configure(type, hooked.hookOf(ns, 'a', more));
  const { status, body } = await hooked.create(ns, 'a');
  expect([status, body.reason]).toEqual([500, 'InternalError']);
  await hooked.server.ok('DELETE', path);
  await hooked.configure(type, hooked.hookOf(ns, 'a', { ...more, failurePolicy: 'Ignore' }));
  expect((await hooked.create(ns, 'b')).status).toBe(201);
  const start = 'Internal error occurred: failed calling webhook "a.hook.example.com": ';
  expect(body.message.startsWith(start)).toBe(true);
  expect(body.details.causes[0].message).toBe(body.message.slice('Internal error occurred: '.length));
  return body.message.slice(start.length).replaceAll(String(hooked.hook.port), 'PORT');
}

/** Answers by hand. */
function raw(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): HookAnswer {
  return (_review, response) => {
    response.writeHead(status, { 'content-type': 'text/plain', ...headers });
    response.end(body);
    return undefined;
  };
}

describe('a webhook that answers', () => {
  it.each<[string, HookAnswer, string]>([
    ['404', raw(404, 'x'), 'failed to call webhook: the server could not find the requested resource'],
    ['500', raw(500, 'broken'), 'an error on the server ("broken") has prevented the request from succeeding'],
    ['a redirect', raw(302, '', { location: '/b' }), 'the server rejected our request for an unknown reason'],
    ['nothing', raw(200, ''), '0-length response with status code: 200 and content type: text/plain'],
    ['no JSON', raw(200, 'hello'), "couldn't get version/kind; json parse error: json: cannot unmarshal string"],
    ['a list', raw(200, '[]'), "couldn't get version/kind; json parse error: json: cannot unmarshal array"],
    ['another kind', raw(200, '{"kind":"Pod","apiVersion":"v1"}'), 'no kind "Pod" is registered for version "v1"'],
    ['another uid', { uid: 'x' }, 'received invalid webhook response: expected response.uid='],
    ['a patch without its type', { allowed: true, patch: 'W10=' }, 'response.patch but not response.patchType'],
    ['a type without a patch', { allowed: true, patchType: 'JSONPatch' }, 'response.patchType but not response.patch'],
    ['another patch', { allowed: true, patch: 'W3t9XQ==', patchType: 'Merge' }, 'unsupported patch type "Merge"'],
    ['no base64', { allowed: true, patch: '!', patchType: 'JSONPatch' }, 'illegal base64 data at input byte 0'],
    ['text for true', { allowed: 'yes' }, 'AdmissionResponse.response.allowed of type bool'],
  ])('%s has failed', async (_, answer, message) => {
    expect(await failureOf(answer)).toContain(message);
  });

  it('a patch to a question about validity has failed', async () => {
    const message = await failureOf(patchOf({ op: 'test', path: '', value: {} }), {}, 'Validating');
    expect(message).toBe('received invalid webhook response: validating webhook may not return response.patch');
  });

  it('in v1beta1 is asked in it, and its uid does not matter', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = { uid: 'x', allowed: true };
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] }));
    expect((await hooked.create(ns, 'a')).status).toBe(201);
    expect(hooked.hook.calls[0]?.apiVersion).toBe('admission.k8s.io/v1beta1');
  });
});

describe('a webhook that cannot be reached', () => {
  it.each<[string, (hooked: HookedServer) => object, string]>([
    [
      'nothing listens',
      ({ hook }) => ({ ...hook.at('a'), url: 'https://127.0.0.1:1/a' }),
      'connect: connection refused',
    ],
    [
      'its authority is unknown',
      ({ hook }) => ({ url: hook.at('a').url }),
      'x509: certificate signed by unknown authority',
    ],
    [
      'the bundle has no certificate',
      ({ hook }) => ({ ...hook.at('a'), caBundle: 'eA==' }),
      'could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
    ],
    [
      'its Service does not exist',
      ({ hook }) => ({ caBundle: hook.caBundle, service: { namespace: 'default', name: 'nosvc', path: '/x' } }),
      'Post "https://nosvc.default.svc:443/x?timeout=10s": service "nosvc" not found',
    ],
    [
      'its Service has a name that no host can have',
      ({ hook }) => ({ caBundle: hook.caBundle, service: { namespace: 'a b', name: 'x\ny', path: '/x' } }),
      'service "x\\ny" not found',
    ],
    [
      'its URL has a port that does not exist',
      ({ hook }) => ({ caBundle: hook.caBundle, url: 'https://127.0.0.1:99999/a' }),
      'could not get REST client: failed calling webhook "a.hook.example.com": Unparsable URL: parse "https://127.0.0.1:99999/a"',
    ],
    [
      'its URL has a host that cannot be read',
      ({ hook }) => ({ caBundle: hook.caBundle, url: 'https://a b/' }),
      'Unparsable URL: parse "https://a b/": invalid host or port',
    ],
  ])('because %s has failed', async (_, clientConfig, message) => {
    expect(await failureOf({}, { clientConfig: clientConfig(hooked) })).toContain(message);
  });

  it('in its time has failed; the time is that of the request where that is less', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = () => undefined;
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { timeoutSeconds: 2 }));
    const asked = hooked.create(ns, 'a');
    await vi.waitFor(() => expect(hooked.hook.calls).toHaveLength(1));
    await hooked.server.clock.advance(2000);
    const { status, body } = await asked;
    expect([status, body.message]).toEqual([500, expect.stringContaining('?timeout=2s": context deadline exceeded')]);
    const body2 = { metadata: { name: 'b' } };
    const short = hooked.server.ask('POST', `/api/v1/namespaces/${ns}/configmaps?timeout=1s`, body2);
    await vi.waitFor(() => expect(hooked.hook.calls).toHaveLength(2));
    expect(hooked.hook.calls[1]?.query).toBe('?timeout=1s');
    await hooked.server.clock.advance(1000);
    expect([500, 504]).toContain((await short).status);
  });

  it('for a moment is asked again when it says so', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = (_review, response) => {
      if (hooked.hook.calls.length > 1) return { allowed: true };
      response.writeHead(503, { 'retry-after': '1' });
      response.end('later');
      return undefined;
    };
    await hooked.configure('Validating', hooked.hookOf(ns, 'a'));
    const asked = hooked.create(ns, 'a');
    await vi.waitFor(() => expect(hooked.hook.calls).toHaveLength(1));
    await vi.waitFor(async () => {
      await hooked.server.clock.advance(1000);
      expect(hooked.hook.calls.length).toBeGreaterThan(1);
    });
    expect((await asked).status).toBe(201);
  });
});

/** Sends as much as is taken. */
const endless: HookAnswer = (_review, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const part = Buffer.alloc(1024 * 1024, 'x');
  const write = (): void => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
  return undefined;
};

describe('a webhook that attacks', () => {
  it.each<[string, HookAnswer, string]>([
    ['without an end', endless, 'the answer has more than 3145728 bytes'],
    [
      'with a gzip bomb',
      raw(200, gzipSync(Buffer.alloc(100 * 1024 * 1024)), { 'content-encoding': 'gzip' }),
      'the answer has more than 3145728 bytes',
    ],
    ['nested too deep', raw(200, '['.repeat(1_000_000)), 'exceeded max depth'],
    ['with a million values', raw(200, `[${'1,'.repeat(1_000_000)}1]`), 'more than 25000 fields or 60000 values'],
    [
      'with 100 000 operations',
      patchOf(...Array.from({ length: 100_000 }, () => ({ op: 'add', path: '/data/x', value: 'y' }))),
      'the answer has more than 3145728 bytes',
    ],
    [
      'with 20 000 operations',
      patchOf(...Array.from({ length: 20_000 }, () => ({ op: 'remove', path: '/x' }))),
      'the allowed maximum operations in a JSON patch is 10000, got 20000',
    ],
    [
      'with a patch that nests too deep',
      { allowed: true, patchType: 'JSONPatch', patch: Buffer.from('['.repeat(100_000)).toString('base64') },
      'received undecodable patch in webhook response: exceeded max depth',
    ],
    [
      'and dies in the middle',
      (_review, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"kind":', () => response.destroy());
        return undefined;
      },
      'unexpected EOF',
    ],
    [
      'and dies before it answers',
      (_review, response) => {
        response.destroy();
        return undefined;
      },
      'EOF',
    ],
  ])('%s has failed, and the server goes on', async (_, answer, message) => {
    expect(await failureOf(answer)).toContain(message);
  });

  it('with an answer that has another one behind it changes only what was asked', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = (review, response) => {
      const body = JSON.stringify(reviewOf(review, { allowed: false, status: { message: 'first' } }));
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const second = JSON.stringify(reviewOf(review, { allowed: true }));
      const behind = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(second)}\r\n\r\n`;
      response.socket?.write(`${head}${body}${behind}${second}`);
      return undefined;
    };
    await hooked.configure('Validating', hooked.hookOf(ns, 'a'));
    for (const name of ['a', 'b', 'c']) {
      const { status, body } = await hooked.create(ns, name);
      expect([status, body.message]).toEqual([400, expect.stringContaining('denied the request: first')]);
    }
  });

  it('by writing what it is asked about ends with the time of the first request', async () => {
    const ns = await hooked.namespace();
    let depth = 0;
    const begun: Promise<unknown>[] = [];
    hooked.hook.answers['a'] = () => {
      depth += 1;
      if (depth <= 20) begun.push(hooked.create(ns, `loop-${depth}`));
      return undefined;
    };
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { timeoutSeconds: 1 }));
    const first = hooked.create(ns, 'start');
    await vi.waitFor(() => expect(depth).toBe(21), { timeout: 20_000 });
    await hooked.server.clock.advance(1000);
    expect((await first).status).toBe(500);
    const all = await Promise.all(begun);
    expect(all.map((answer: Json) => answer.status)).toEqual(Array.from({ length: 20 }, () => 500));
    expect((await hooked.server.ok('GET', `/api/v1/namespaces/${ns}/configmaps`)).items).toEqual([]);
  });

  it('that never answers holds no more than its places, and others wait for them', async () => {
    const ns = await hooked.namespace();
    hooked.hook.answers['a'] = () => undefined;
    await hooked.configure('Validating', hooked.hookOf(ns, 'a', { timeoutSeconds: 1 }));
    const asked = Array.from({ length: 100 }, (_, index) => hooked.create(ns, `n-${index}`));
    await vi.waitFor(() => expect(hooked.hook.calls).toHaveLength(64), { timeout: 20_000 });
    const { body } = await hooked.server.ask('GET', '/metrics');
    expect(body).toContain('listwatch_webhook_calls_in_flight 64\n');
    expect(body).toContain('listwatch_webhook_calls_waiting 36\n');
    await hooked.server.clock.advance(1000);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([500]));
  });

  it('by condition cannot stop the event loop', async () => {
    await using threaded = await HookedServer.start({ largeWriteBytes: 1024 * 1024 });
    const ns = await threaded.namespace();
    const data = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 'v'.repeat(40)]));
    const expression =
      'object.data.all(a, object.data.all(b, object.data.all(c, (a + b + c).contains("zzz") || true)))';
    await threaded.configure('Validating', threaded.hookOf(ns, 'a', { matchConditions: [{ name: 'c', expression }] }));
    const { status, body } = await threaded.create(ns, 'a', { data });
    expect([status, body.message]).toEqual([403, expect.stringContaining('actual cost limit exceeded')]);
    const metrics = await threaded.server.ask('GET', '/metrics');
    expect(metrics.body).toMatch(/listwatch_compute_jobs_total\{[^}]*\} [1-9]/u);
  }, 60_000);
});
