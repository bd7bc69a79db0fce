import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createApiServer } from '../index.ts';
import { Fixtures, jsonResponse, MASTER } from '../wire/http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';
const WHO_AM_I = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const AS_BOB = { 'impersonate-user': 'bob', 'impersonate-group': ['dev', 'ops, all'], 'impersonate-uid': '7' };

/** Lets every master act as anybody, and everybody do anything else. */
const authorizer = {
  authorize: ({ verb, user }: { readonly verb: string; readonly user: { readonly groups: readonly string[] } }) => ({
    allowed: !verb.startsWith('impersonate') || user.groups.includes('system:masters'),
  }),
};

describe('a request with Impersonate-* headers', () => {
  it('acts as that user over HTTP/1.1 and HTTP/2, and its verbs do not see the headers', async () => {
    const fixture = await fixtures.start(
      (request) => jsonResponse(JSON.stringify([request.user, request.header('impersonate-user')])),
      { authorizer },
    );
    const headers = { ...MASTER, ...AS_BOB, 'impersonate-extra-acme.io%2fscopes': ['a', 'b'] };
    const bob = {
      name: 'bob',
      uid: '7',
      groups: ['dev', 'ops, all', 'system:authenticated'],
      extra: { 'acme.io/scopes': ['a', 'b'] },
    };
    expect(JSON.parse((await fixture.ask(PATH, { headers })).body)).toEqual([bob, null]);
    const session = fixture.http2();
    expect(JSON.parse((await fixture.askHttp2(session, PATH, { headers })).body)).toEqual([bob, null]);
    session.close();
  });

  it('is authorized as that user, and refused to those who may not impersonate', async () => {
    const fixture = await fixtures.start(() => jsonResponse('{}'));
    const asBob = await fixture.ask(PATH, { headers: { ...MASTER, ...AS_BOB } });
    expect([asBob.status, JSON.parse(asBob.body).message]).toEqual([
      403,
      'configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "default"',
    ]);
    const plain = { authorization: 'Bearer plain-token', 'impersonate-user': 'admin' };
    expect((await fixture.ask(PATH, { headers: plain })).status).toBe(403);
    expect((await fixture.ask(PATH, { headers: { 'impersonate-user': 'admin' } })).status).toBe(403);
    const groupOnly = await fixture.ask(PATH, { headers: { ...MASTER, 'impersonate-group': 'dev' } });
    expect([groupOnly.status, JSON.parse(groupOnly.body).reason]).toEqual([400, 'BadRequest']);
    expect((await fixture.ask(PATH)).status).toBe(200);
  });

  it('from within the process acts as that user too, and a review says who it is', async () => {
    const server = createApiServer({ engine: createMemoryEngine(), authorizer });
    await server.start();
    const body = Buffer.from('{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}');
    const request = { method: 'POST', path: WHO_AM_I, headers: { ...AS_BOB, 'impersonate-extra-k': 'v' }, body };
    const user = { name: 'root', groups: ['system:masters'] };
    const response = await server.handle(request, { user });
    let text = '';
    for await (const chunk of response.body) text += Buffer.from(chunk).toString();
    expect(JSON.parse(text).status.userInfo).toEqual({
      username: 'bob',
      uid: '7',
      groups: ['dev', 'ops, all', 'system:authenticated'],
      extra: { k: ['v'] },
    });
    await server.close();
  });
});
