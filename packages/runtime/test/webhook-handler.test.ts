/** Webhooks as a function of Request to Response: what every server in front of them relies on. */

import { resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { audit, deny, type Webhooks, warn, webhooks } from '@listwatch/runtime/webhook';
import { describe, expect, it, vi } from 'vitest';
import { applyJsonPatch } from '../../server/src/write/body/json-patch.ts';
import { type Backup, backups, recordingLogger, reviewOf, type SentReview } from './webhook-reviews.ts';

const PATH = '/validate-example-com-v1-backup';

async function call(hooks: Webhooks, path: string, review: unknown, query = '?timeout=10s'): Promise<Response> {
  const body = typeof review === 'string' ? review : JSON.stringify(review);
  const headers = { 'content-type': 'application/json' };
  return hooks.handle(new Request(`https://hooks.example.com${path}${query}`, { method: 'POST', headers, body }));
}

async function responseTo(hooks: Webhooks, review: SentReview, path = PATH): Promise<Record<string, unknown>> {
  const answer = await call(hooks, path, review);
  expect(answer.status).toBe(200);
  const { kind, apiVersion, response } = JSON.parse(await answer.text());
  expect({ kind, apiVersion }).toEqual({ kind: 'AdmissionReview', apiVersion: review.apiVersion });
  expect(response.uid).toBe(review.request['uid']);
  return response;
}

describe('a validating webhook', () => {
  it('allows when its handler returns nothing, and knows what was asked', async () => {
    const seen: unknown[] = [];
    const hooks = webhooks().validate(backups, ({ object, old, operation, user, dryRun, name, namespace, options }) => {
      seen.push({ object, old, operation, user, dryRun, name, namespace, options });
    });
    const review = reviewOf('CREATE', { retention: 3 });
    expect(await responseTo(hooks, review)).toEqual({ uid: 'u-1', allowed: true });
    expect(seen).toEqual([
      {
        object: review.request['object'],
        old: undefined,
        operation: 'CREATE',
        user: { name: 'jane', uid: undefined, groups: ['devs'], extra: { scope: ['a', 'b'] } },
        dryRun: false,
        name: 'a',
        namespace: 'default',
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      },
    ]);
  });

  it('denies with the code, reason and causes of its handler, and with its warnings', async () => {
    const hooks = webhooks().validate(backups, () => [
      warn('one', 'two'),
      deny('too short', { code: 422, causes: [{ field: 'spec.retention', message: 'at least 1' }] }),
      audit({ rule: 'retention' }),
    ]);
    expect(await responseTo(hooks, reviewOf('CREATE', { retention: 0 }))).toEqual({
      uid: 'u-1',
      allowed: false,
      status: {
        status: 'Failure',
        code: 422,
        reason: 'Invalid',
        message: 'too short',
        details: { causes: [{ field: 'spec.retention', message: 'at least 1' }] },
      },
      warnings: ['one', 'two'],
      auditAnnotations: { rule: 'retention' },
    });
  });

  it('denies when a denial is thrown', async () => {
    const hooks = webhooks().validate(backups, async () => {
      throw deny('no');
    });
    const response = await responseTo(hooks, reviewOf('UPDATE', {}));
    expect(response).toMatchObject({ allowed: false, status: { code: 403, reason: 'Forbidden', message: 'no' } });
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no connection')), 'failed: no connection'],
    ['throws no Error', () => Promise.reject('odd'), 'failed: odd'],
    ['returns false', () => false, 'a webhook returns deny(...), warn(...), audit(...) or nothing, not false'],
    ['returns an object', () => ({ allowed: true }), 'not an object with allowed'],
  ])('denies with 500 and a line in the log when its handler %s', async (_, handler, message) => {
    const { logger, lines } = recordingLogger();
    // @ts-expect-error -- as a program without types may write it
    const hooks = webhooks({ logger }).validate(backups, handler);
    const response = await responseTo(hooks, reviewOf('CREATE', {}));
    expect(response).toMatchObject({ allowed: false, status: { code: 500, reason: 'InternalError' } });
    expect(JSON.stringify(response)).toContain(message);
    expect(lines).toEqual([expect.objectContaining({ level: 'error', webhook: 'validate.backups.example.com' })]);
  });

  it('denies a little before the API server stops waiting, and tells the handler', async () => {
    const clock = new FakeClock();
    const { logger, lines } = recordingLogger();
    let aborted = false;
    const hooks = webhooks({ clock, logger }).validate(backups, async ({ signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      await new Promise(() => {});
    });
    const answering = call(hooks, PATH, reviewOf('CREATE', {}), '?timeout=2s');
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(0));
    await clock.advance(1800);
    const { response } = JSON.parse(await (await answering).text());
    expect(response).toMatchObject({ allowed: false, status: { code: 504, reason: 'Timeout' } });
    expect(response.status.message).toContain('did not decide within 2000 ms');
    expect(aborted).toBe(true);
    expect(lines).toHaveLength(1);
  });

  it('denies requests that its handler was not written for', async () => {
    const { logger } = recordingLogger();
    const hooks = webhooks({ logger }).validate(backups, () => {});
    const other = reviewOf('CREATE', {});
    const pods = { ...other, request: { ...other.request, resource: { group: '', version: 'v1', resource: 'pods' } } };
    const status = { ...other, request: { ...other.request, subResource: 'status' } };
    const bare = { ...other, request: { ...other.request, object: null } };
    for (const review of [reviewOf('DELETE', {}), pods, status, bare])
      expect(await responseTo(hooks, review)).toMatchObject({ allowed: false, status: { code: 500 } });
  });

  it('gets the old object of a delete when it asks for deletes', async () => {
    const hooks = webhooks().validate(backups, { operations: ['DELETE'] }, ({ old }) =>
      old.spec.keep === true ? deny('kept') : undefined,
    );
    expect(await responseTo(hooks, reviewOf('DELETE', { keep: true }))).toMatchObject({ allowed: false });
    expect(await responseTo(hooks, reviewOf('DELETE', {}))).toMatchObject({ allowed: true });
  });

  it('answers reviews of v1beta1 in their version', async () => {
    const hooks = webhooks().validate(backups, () => {});
    await responseTo(hooks, { ...reviewOf('CREATE', {}), apiVersion: 'admission.k8s.io/v1beta1' });
  });
});

describe('a mutating webhook', () => {
  const MUTATE = '/mutate-example-com-v1-backup';

  it('answers with the patch that makes the draft, and leaves unknown fields alone', async () => {
    const hooks = webhooks().mutate(backups, (draft, { user }) => {
      draft.spec.retention ??= 7;
      draft.metadata.labels = { ...draft.metadata.labels, 'by/user': user.name };
      draft.spec.paths.push('/b');
    });
    const review = reviewOf('CREATE', { paths: ['/a'], unknown: { x: 1 } });
    const { patch, ...rest } = await responseTo(hooks, review, MUTATE);
    expect(rest).toEqual({ uid: 'u-1', allowed: true, patchType: 'JSONPatch' });
    const operations = JSON.parse(atob(String(patch)));
    expect(applyJsonPatch(structuredClone(review.request['object']), operations)).toMatchObject({
      metadata: { name: 'a', labels: { 'by/user': 'jane' } },
      spec: { retention: 7, paths: ['/a', '/b'], unknown: { x: 1 } },
    });
    expect(operations).toHaveLength(3);
  });

  it('answers without a patch when nothing has changed, and when it denies', async () => {
    const hooks = webhooks().mutate(backups, (draft, { object }) => {
      draft.spec.retention ??= 7;
      return object.spec.keep === true ? deny('no') : warn('careful');
    });
    const same = await responseTo(hooks, reviewOf('CREATE', { retention: 1 }), MUTATE);
    expect(same).toEqual({ uid: 'u-1', allowed: true, warnings: ['careful'] });
    const denied = await responseTo(hooks, reviewOf('CREATE', { keep: true }), MUTATE);
    expect(denied).toMatchObject({ allowed: false });
    expect(denied).not.toHaveProperty('patch');
  });

  it('has texts beyond ASCII in its patch', async () => {
    const hooks = webhooks().mutate(backups, (draft) => {
      draft.metadata.annotations = { note: 'Ärger 🚀'.repeat(5000) };
    });
    const { patch } = await responseTo(hooks, reviewOf('CREATE', {}), MUTATE);
    const [{ value }] = JSON.parse(Buffer.from(String(patch), 'base64').toString('utf8'));
    expect(value.note).toBe('Ärger 🚀'.repeat(5000));
  });

  it('denies with 500 a draft that JSON cannot hold', async () => {
    const { logger } = recordingLogger();
    const hooks = webhooks({ logger }).mutate(backups, (draft) => {
      draft.spec.retention = Number.NaN;
    });
    const response = await responseTo(hooks, reviewOf('CREATE', {}), MUTATE);
    expect(response).toMatchObject({ allowed: false, status: { code: 500 } });
    expect(JSON.stringify(response)).toContain('NaN at /spec/retention');
  });
});

describe('what is no call of a webhook', () => {
  const silent = recordingLogger().logger;
  const hooks = webhooks({ logger: silent, maxBodyBytes: 4096 }).validate(backups, () => {});
  const body = JSON.stringify(reviewOf('CREATE', {}));
  const send = (url: string, init: RequestInit): Promise<Response> =>
    hooks.handle(new Request(`https://h.example.com${url}`, init));
  const headers = { 'content-type': 'application/json' };

  it.each<[string, string, RequestInit, number]>([
    ['another path', '/nope', { method: 'POST', headers, body }, 404],
    ['a path of prototypes', '/constructor', { method: 'POST', headers, body }, 404],
    ['conversion, of which there is none', '/convert', { method: 'POST', headers, body }, 404],
    ['a GET', PATH, {}, 405],
    ['a form', PATH, { method: 'POST', headers: { 'content-type': 'text/plain' }, body }, 415],
    ['no JSON', PATH, { method: 'POST', headers, body: '{' }, 400],
    ['no UTF-8', PATH, { method: 'POST', headers, body: new Uint8Array([0x22, 0xff, 0x22]) }, 400],
    ['nothing', PATH, { method: 'POST', headers }, 400],
    ['a list', PATH, { method: 'POST', headers, body: '[]' }, 400],
    ['another kind', PATH, { method: 'POST', headers, body: '{"kind":"Pod","apiVersion":"v1"}' }, 400],
    ['no request', PATH, { method: 'POST', headers, body: body.replace('"request"', '"other"') }, 400],
    ['no uid', PATH, { method: 'POST', headers, body: body.replace('u-1', '') }, 400],
    ['an odd operation', PATH, { method: 'POST', headers, body: body.replace('"CREATE"', '"PAINT"') }, 400],
    ['a large body', PATH, { method: 'POST', headers, body: body.padEnd(5000) }, 413],
  ])('%s is refused', async (_, url, init, status) => {
    expect((await send(url, init)).status).toBe(status);
  });

  it('a body that says no length is cut off at the limit', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1024;
        controller.enqueue(new Uint8Array(1024));
      },
    });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: endless, duplex: 'half' };
    expect((await send(PATH, init)).status).toBe(413);
    expect(sent).toBeLessThan(100_000);
  });

  it('a deep body is answered', async () => {
    const large = webhooks({ logger: silent }).mutate(backups, (draft) => {
      draft.spec.retention = 1;
    });
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    const text = JSON.stringify(reviewOf('CREATE', { deep: 'DEEP' })).replace('"DEEP"', deep);
    const answer = await call(large, '/mutate-example-com-v1-backup', text);
    // Allowed with a patch, or denied: never an allowance without the patch.
    const { response } = JSON.parse(await answer.text());
    expect(response.allowed === false || response.patch !== undefined).toBe(true);
  });
});

describe('many calls at once', () => {
  it('are refused with Retry-After beyond the bound, also while a handler ignores its deadline', async () => {
    const clock = new FakeClock();
    let running = 0;
    const stop = new AbortController();
    const ended = new Promise<undefined>((resolve) => stop.signal.addEventListener('abort', () => resolve(undefined)));
    const { logger } = recordingLogger();
    const hooks = webhooks({ clock, logger, maxInFlight: 2 }).validate(backups, () => {
      running++;
      return ended;
    });
    const first = [1, 2].map(() => call(hooks, PATH, reviewOf('CREATE', {})));
    await vi.waitFor(() => expect(running).toBe(2));
    const refused = await call(hooks, PATH, reviewOf('CREATE', {}));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    await clock.advance(10_000);
    for (const answer of await Promise.all(first)) expect(answer.status).toBe(200);
    expect((await call(hooks, PATH, reviewOf('CREATE', {}))).status).toBe(429);
    stop.abort();
    await vi.waitFor(async () => expect((await call(hooks, PATH, reviewOf('CREATE', {}))).status).toBe(200));
  });

  it('share a bound of bytes', async () => {
    const hooks = webhooks({ maxInFlightBytes: 500 }).validate(backups, () => {});
    const answer = await call(hooks, PATH, JSON.stringify(reviewOf('CREATE', {})).padEnd(600));
    expect(answer.status).toBe(429);
  });
});

describe('registration', () => {
  it.each<[string, (hooks: Webhooks) => unknown, string]>([
    ['a second webhook of a kind without a name', (hooks) => hooks.validate(backups, () => {}), 'the option name'],
    [
      'an option that there is none of',
      // @ts-expect-error -- as a program without types may write it
      (hooks) => hooks.validate(backups, { timeout: 3 }, () => {}),
      'unknown option "timeout" of validate',
    ],
    ['a long timeout', (hooks) => hooks.validate(backups, { timeoutSeconds: 31 }, () => {}), 'must be 1 to 30'],
    ['no operation', (hooks) => hooks.validate(backups, { operations: [] }, () => {}), 'must not be empty'],
    [
      'a mutation of deletes',
      // @ts-expect-error -- the same
      (hooks) => hooks.mutate(backups, { operations: ['DELETE'] }, () => {}),
      'not DELETE',
    ],
    // @ts-expect-error -- the same
    ['no kind', (hooks) => hooks.validate({}, () => {}), 'needs a kind'],
    // @ts-expect-error -- the same
    ['no handler', (hooks) => hooks.validate(backups, { name: 'x' }, undefined), 'must be a function'],
  ])('of %s throws', (_, act, message) => {
    expect(() => act(webhooks().validate(backups, () => {}))).toThrow(message);
  });

  it('of several webhooks of one kind takes their names', async () => {
    const hooks = webhooks()
      .validate(backups, () => {})
      .validate(backups, { name: 'size' }, () => deny('large'))
      .validate(backups, { subresource: 'status' }, () => {});
    expect(await responseTo(hooks, reviewOf('CREATE', {}), `${PATH}/size`)).toMatchObject({ allowed: false });
    const pods = resource<Backup>({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
    const core = webhooks().validate(pods, { rules: [] }, () => {});
    expect(await responseTo(core, reviewOf('CREATE', {}), '/validate--v1-pod')).toMatchObject({ allowed: true });
  });
});
