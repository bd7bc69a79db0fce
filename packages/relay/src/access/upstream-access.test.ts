import { isServiceUnavailable, isUnauthorized } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import type { JsonRecord } from '@listwatch/api/values';
import type { AccessAttributes } from '@listwatch/server/read';
import { beforeEach, describe, expect, it } from 'vitest';
import { isUnanswered, reviewClient } from './review-client.ts';
import { UpstreamAuthenticator } from './upstream-authenticator.ts';
import { UpstreamAuthorizer } from './upstream-authorizer.ts';

let clock: FakeClock;
let asked: JsonRecord[];
let answer: () => JsonRecord;

beforeEach(() => {
  clock = new FakeClock();
  asked = [];
});

const send = async (_path: string, review: object): Promise<JsonRecord> => {
  asked.push({ ...review });
  return answer();
};

function authenticator(): UpstreamAuthenticator {
  return new UpstreamAuthenticator({ send, clock, keepMs: 10_000 });
}

function authorizer(keepMs = 10_000): UpstreamAuthorizer {
  return new UpstreamAuthorizer({ send, clock, keepMs });
}

function allowed(): JsonRecord {
  return { kind: 'SubjectAccessReview', status: { allowed: true } };
}

describe('who has a token', () => {
  const user = { username: 'ann', uid: '7', groups: ['dev'], extra: { scopes: ['a'] } };
  const known = (): JsonRecord => ({ status: { authenticated: true, user } });

  it('is what the upstream says, with groups, uid and extra, and is kept for 10 s', async () => {
    answer = known;
    const asking = authenticator();
    const ann = { name: 'ann', uid: '7', groups: ['dev'], extra: { scopes: ['a'] } };
    expect(await asking.authenticate({ token: 't' })).toEqual(ann);
    await clock.advance(9999);
    await asking.authenticate({ token: 't' });
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    await asking.authenticate({ token: 't' });
    expect(asked).toHaveLength(2);
  });

  it('is kept no longer than the token is valid', async () => {
    answer = known;
    const claims = { exp: Math.floor(clock.now() / 1000) + 3 };
    const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
    const asking = authenticator();
    await asking.authenticate({ token });
    await clock.advance(3000);
    await asking.authenticate({ token });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['nobody', { status: { authenticated: false } }],
    ['an answer without a status', {}],
    ['a text for yes', { status: { authenticated: 'true', user } }],
  ])('of %s is a 401', async (_, given) => {
    answer = () => given;
    await expect(authenticator().authenticate({ token: 't' })).rejects.toSatisfy(isUnauthorized);
  });

  it('cannot be said without the upstream, or when it names no user: a 503, which is not kept', async () => {
    const failures = [(): JsonRecord => ({ status: { authenticated: true, user: {} } })];
    for (const failing of failures) {
      answer = failing;
      const asking = authenticator();
      await expect(asking.authenticate({ token: 't' })).rejects.toSatisfy(isServiceUnavailable);
      answer = known;
      expect(await asking.authenticate({ token: 't' })).toMatchObject({ name: 'ann' });
    }
  });
});

describe('whether a user may', () => {
  const attributes: AccessAttributes = {
    user: { name: 'ann', groups: ['dev'] },
    verb: 'list',
    isResource: true,
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'a',
    name: '',
    path: '/api/v1/namespaces/a/pods',
  };

  it('is asked with everything that the upstream decides by, also selectors', async () => {
    answer = allowed;
    await authorizer().authorize({
      ...attributes,
      fieldSelector: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }],
    });
    expect(asked[0]?.['spec']).toEqual({
      user: 'ann',
      groups: ['dev'],
      resourceAttributes: {
        namespace: 'a',
        verb: 'list',
        version: 'v1',
        resource: 'pods',
        fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }] },
      },
    });
  });

  it.each<readonly [string, Partial<AccessAttributes>]>([
    ['user', { user: { name: 'bob', groups: ['dev'] } }],
    ['groups', { user: { name: 'ann', groups: ['ops'] } }],
    ['uid', { user: { name: 'ann', uid: '9', groups: ['dev'] } }],
    ['extra', { user: { name: 'ann', groups: ['dev'], extra: { scopes: ['b'] } } }],
    ['verb', { verb: 'watch' }],
    ['namespace', { namespace: 'b' }],
    ['name', { name: 'x' }],
    ['resource', { resource: 'secrets' }],
    ['group', { group: 'apps' }],
    ['field selector', { fieldSelector: [{ key: 'a', operator: 'In', values: ['b'] }] }],
    ['label selector', { labelSelector: [{ key: 'a', operator: 'Exists', values: [] }] }],
  ])('is another question with another %s', async (_, change) => {
    answer = allowed;
    const asking = authorizer();
    await asking.authorize(attributes);
    await asking.authorize(attributes);
    expect(asked).toHaveLength(1);
    await asking.authorize({ ...attributes, ...change });
    expect(asked).toHaveLength(2);
  });

  it('is no when the answer says yes and no', async () => {
    answer = () => ({ status: { allowed: true, denied: true } });
    expect(await authorizer().authorize(attributes)).toMatchObject({ allowed: false });
  });

  it.each([{ status: { allowed: 'true' } }, { kind: 'Status', status: { allowed: true } }, { status: 'ok' }])(
    'is a 503 for an answer that cannot be read: %j',
    async (given) => {
      answer = () => given;
      await expect(Promise.resolve(authorizer().authorize(attributes))).rejects.toSatisfy(isServiceUnavailable);
    },
  );

  it('is asked each time with a cache of 0', async () => {
    answer = allowed;
    const asking = authorizer(0);
    await asking.authorize(attributes);
    await asking.authorize(attributes);
    expect(asked).toHaveLength(2);
  });
});

const answering = (status: number, text: () => Promise<string>) => async () => ({
  ok: status < 300,
  status,
  text,
  close: async () => {},
});

it.each<readonly [string, boolean, () => Promise<unknown>]>([
  ['a connection that breaks', true, () => Promise.reject(new Error('ECONNRESET'))],
  ['an answer that is cut', true, answering(201, () => Promise.reject(new Error('ECONNRESET')))],
  ['a gateway without a server', true, answering(503, async () => '')],
  ['a refusal', false, answering(403, async () => '')],
  ['a server with too much to do', false, answering(429, async () => '')],
  ['an answer that is no JSON', false, answering(201, async () => 'no')],
  ['an answer that is no review', false, answering(201, async () => '[]')],
])('%s is a 503 that does not show what the upstream said; was it no answer: %s', async (_, isNoAnswer, raw) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a review asks of a cluster
  const failing = reviewClient({ raw } as unknown as Parameters<typeof reviewClient>[0])('/x', {});
  await expect(failing).rejects.toSatisfy(isServiceUnavailable);
  await expect(failing).rejects.toThrow(/^the relay cannot ask the upstream server/u);
  await expect(failing.catch(isUnanswered)).resolves.toBe(isNoAnswer);
});
