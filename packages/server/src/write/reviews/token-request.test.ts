import { describe, expect, it } from 'vitest';
import { InProcessServer, type Json } from '../../start/in-process-server.fixture.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const TOKEN = `${ACCOUNTS}/robot/token`;
const PODS = '/api/v1/namespaces/default/pods';
const SECRETS = '/api/v1/namespaces/default/secrets';
const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews';
const WHO_AM_I = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const ISSUER = 'https://kubernetes.default.svc';
const GONE = '[invalid bearer token, service account token has been invalidated]';

const bound = (kind: string, name: string, uid?: string): object => ({
  spec: { boundObjectRef: { kind, apiVersion: 'v1', name, ...(uid === undefined ? {} : { uid }) } },
});
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }], ...spec },
});

async function start(): Promise<InProcessServer> {
  const server = await InProcessServer.start();
  await server.ok('POST', ACCOUNTS, { metadata: { name: 'robot' } });
  return server;
}

async function tokenOf(server: InProcessServer, body: object = {}): Promise<string> {
  return (await server.ok('POST', TOKEN, body)).status.token;
}

async function review(server: InProcessServer, token: string, audiences?: readonly string[]): Promise<Json> {
  return (await server.ok('POST', REVIEWS, { spec: { token, audiences } })).status;
}

describe('a TokenRequest', () => {
  it('is answered with a token that the server and its TokenReview accept', async () => {
    await using server = await start();
    const account = await server.ok('GET', `${ACCOUNTS}/robot`);
    const { status, body } = await server.ask('POST', TOKEN, {});
    expect(status).toBe(201);
    expect(body).toEqual({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        name: 'robot',
        namespace: 'default',
        uid: account.metadata.uid,
        creationTimestamp: '2023-11-14T22:13:20Z',
      },
      spec: { audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef: null },
      status: { token: expect.any(String), expirationTimestamp: '2023-11-14T23:13:20Z' },
    });
    const { token } = body.status;
    const groups = ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'];
    const user = { username: 'system:serviceaccount:default:robot', uid: account.metadata.uid, groups };
    expect((await server.ok('POST', WHO_AM_I, {}, { token })).status.userInfo).toMatchObject(user);
    expect(await review(server, token)).toMatchObject({ authenticated: true, user, audiences: [ISSUER] });
  });

  it('takes audiences; a token for others does not open this server', async () => {
    await using server = await start();
    const token = await tokenOf(server, { spec: { audiences: ['vault'] } });
    expect((await server.ask('GET', '/api', undefined, { token })).status).toBe(401);
    expect(await review(server, token)).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["${ISSUER}"]]`,
    });
    expect(await review(server, token, ['vault', 'z'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
  });

  it('ends with its time', async () => {
    await using server = await start();
    const token = await tokenOf(server, { spec: { expirationSeconds: 600 } });
    await server.clock.advance(659_000);
    expect((await server.ask('GET', '/api', undefined, { token })).status).toBe(200);
    await server.clock.advance(2000);
    expect((await server.ask('GET', '/api', undefined, { token })).status).toBe(401);
    expect((await review(server, token)).error).toContain('service account token has expired');
  });

  it.each([
    [
      { spec: { expirationSeconds: 599 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      { spec: { expirationSeconds: 4294967297 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      { metadata: { name: 'x' } },
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    ],
    [
      { metadata: { namespace: 'x' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      { kind: 'ServiceAccount', apiVersion: 'v1' },
      400,
      'ServiceAccount in version "v1" cannot be handled as a TokenRequest: converting (v1.ServiceAccount) to (authentication.TokenRequest): unknown conversion',
    ],
    [bound('ConfigMap', 'x'), 400, 'cannot bind token to object of type /v1, Kind=ConfigMap'],
    [bound('Pod', ''), 400, 'Name parameter required.'],
    [bound('Pod', 'nope'), 404, 'pods "nope" not found'],
    [bound('Node', 'nope'), 404, 'nodes "nope" not found'],
  ])('of %j is refused', async (body, code, message) => {
    await using server = await start();
    expect(await server.ask('POST', TOKEN, body)).toMatchObject({ status: code, body: { message } });
  });

  it('needs an account in a namespace that exists, and only POST is served', async () => {
    await using server = await start();
    const missing = await server.ask('POST', `${ACCOUNTS}/nope/token`, {});
    expect(missing).toMatchObject({ status: 404, body: { message: 'serviceaccounts "nope" not found' } });
    const nowhere = await server.ask('POST', '/api/v1/namespaces/nope/serviceaccounts/robot/token', {});
    expect(nowhere).toMatchObject({ status: 404, body: { message: 'namespaces "nope" not found' } });
    expect((await server.ask('GET', TOKEN)).status).toBe(405);
  });

  it('is bound to a Pod of the account only, and to the uid that it names', async () => {
    await using server = await start();
    await server.ok('POST', PODS, pod('other', { serviceAccountName: 'default' }));
    expect((await server.ask('POST', TOKEN, bound('Pod', 'other'))).body.message).toBe(
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    );
    await server.ok('POST', PODS, pod('mine'));
    expect((await server.ask('POST', TOKEN, bound('Pod', 'mine', 'abc'))).body).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on Pod "mine": the UID in the bound object reference (abc) does not match the UID in record. The object might have been deleted and then recreated',
    });
  });
});

describe('a token is revoked at once', () => {
  it('when its account is deleted, and stays so when another one gets its name', async () => {
    await using server = await start();
    const token = await tokenOf(server);
    const statusNow = async (): Promise<number> => (await server.ask('GET', '/api', undefined, { token })).status;
    expect(await statusNow()).toBe(200);
    await server.ok('DELETE', `${ACCOUNTS}/robot`);
    expect(await statusNow()).toBe(401);
    expect((await review(server, token)).error).toBe('[invalid bearer token, serviceaccounts "robot" not found]');
    await server.ok('POST', ACCOUNTS, { metadata: { name: 'robot' } });
    expect(await statusNow()).toBe(401);
    expect((await review(server, token)).error).toMatch(/service account UID \(.+\) does not match claim \(.+\)/u);
    expect((await server.ask('GET', '/api', undefined, { token: await tokenOf(server) })).status).toBe(200);
  });

  it.each([
    ['Secret', SECRETS, { metadata: { name: 'x' } }],
    ['Pod', PODS, pod('x')],
    ['Node', '/api/v1/nodes', { metadata: { name: 'x' } }],
  ])('when the %s that it is bound to is deleted or recreated', async (kind, path, object) => {
    await using server = await start();
    await server.ok('POST', path, object);
    const token = await tokenOf(server, bound(kind, 'x'));
    expect(await review(server, token)).toMatchObject({ authenticated: true });
    await server.ok('DELETE', `${path}/x?gracePeriodSeconds=0`);
    expect((await review(server, token)).error).toBe(GONE);
    await server.ok('POST', path, object);
    const word = kind.toLowerCase();
    expect((await review(server, token)).error).toMatch(
      new RegExp(`${word} UID \\(.+\\) does not match service account ${word} ref claim \\(.+\\)`, 'u'),
    );
  });

  it('when the grace period of its Pod is over for a minute', async () => {
    await using server = await start();
    await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
    await server.ok('POST', PODS, pod('x', { nodeName: 'n' }));
    const token = await tokenOf(server, bound('Pod', 'x'));
    await server.ok('DELETE', `${PODS}/x?gracePeriodSeconds=30`);
    expect(await review(server, token)).toMatchObject({
      authenticated: true,
      user: { extra: { 'authentication.kubernetes.io/node-name': ['n'] } },
    });
    await server.clock.advance(91_000);
    expect((await review(server, token)).error).toBe(GONE);
  });

  it('but not when the node of its Pod is deleted', async () => {
    await using server = await start();
    await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
    await server.ok('POST', PODS, pod('x', { nodeName: 'n' }));
    const token = await tokenOf(server, bound('Pod', 'x'));
    await server.ok('DELETE', '/api/v1/nodes/n');
    expect(await review(server, token)).toMatchObject({ authenticated: true });
  });
});

describe('a TokenReview', () => {
  it('knows the tokens of other authenticators, for this server', async () => {
    await using server = await start();
    const user = { username: 'bob', uid: 'b', groups: ['devs', 'system:authenticated'] };
    expect(await review(server, 'bob-token')).toEqual({ authenticated: true, user, audiences: [ISSUER] });
    expect(await review(server, 'bob-token', ['x'])).toEqual({ user: {}, error: 'invalid bearer token' });
    expect(await review(server, 'nobody')).toEqual({ user: {}, error: 'invalid bearer token' });
  });

  it('needs a token, and the right to ask', async () => {
    await using server = await start();
    expect(await server.ask('POST', REVIEWS, {})).toMatchObject({
      status: 400,
      body: { message: 'token is required for TokenReview in authentication' },
    });
    expect((await server.ask('POST', REVIEWS, {}, { token: 'bob-token' })).status).toBe(403);
  });

  it('of an authenticator that takes unknown tokens for anonymous is refused', async () => {
    const authenticator = { authenticate: () => ({ name: 'system:anonymous', groups: [] }) };
    await using server = await InProcessServer.start({ authenticator });
    expect(await review(server, 'nobody')).toEqual({ user: {}, error: 'invalid bearer token' });
    await server.ok('POST', ACCOUNTS, { metadata: { name: 'robot' } });
    const token = await tokenOf(server);
    expect((await server.ok('POST', WHO_AM_I, {}, { token })).status.userInfo.username).toContain('robot');
  });
});

describe('OpenID discovery', () => {
  it('publishes the issuer and its keys, to service accounts and not to others', async () => {
    await using server = await start();
    const token = await tokenOf(server);
    const document = await server.ask('GET', '/.well-known/openid-configuration', undefined, { token });
    expect(document).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { issuer: ISSUER, id_token_signing_alg_values_supported: ['ES256'] },
    });
    const jwks = await server.ask('GET', '/openid/v1/jwks', undefined, { token });
    expect(jwks.headers['content-type']).toBe('application/jwk-set+json');
    expect(jwks.body.keys).toMatchObject([{ use: 'sig', kty: 'EC', crv: 'P-256', alg: 'ES256' }]);
    expect((await server.ask('GET', '/openid/v1/jwks', undefined, { token: 'bob-token' })).status).toBe(403);
    expect((await server.ask('HEAD', '/openid/v1/jwks')).status).toBe(405);
  });
});
