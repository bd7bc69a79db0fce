import { TestAuthority } from '@listwatch/conformance/parts';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { AuthenticatorChain } from '../access/authentication/authenticator-chain.ts';
import { certificateAuthenticator } from '../access/authentication/certificate-authenticator.ts';
import { frontProxyAuthenticator } from '../access/authentication/front-proxy-authenticator.ts';
import { type Fixture, Fixtures, jsonResponse } from '../wire/http.fixture.ts';

const fixtures = new Fixtures();
const proxies = new TestAuthority('proxies');
afterEach(() => fixtures.stop());
afterAll(() => proxies[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';

/** A server that answers with the user, and trusts two authorities for two purposes. */
async function start(): Promise<Fixture> {
  const authenticator = new AuthenticatorChain({
    identity: [frontProxyAuthenticator({ allowedNames: ['proxy'] }), certificateAuthenticator()],
    tokens: [],
  });
  return fixtures.start(({ user }) => jsonResponse(JSON.stringify(user)), {
    tls: { ...fixtures.authority.server(), clientCa: fixtures.authority.ca, requestHeaderCa: proxies.ca },
    authenticator,
    authorizer: { authorize: () => ({ allowed: true }), rules: () => ({ resourceRules: [], nonResourceRules: [] }) },
  });
}

describe('a client certificate', () => {
  it('gives name, groups in their order and uid; without a common name it is nobody', async () => {
    const fixture = await start();
    const ask = async (subject: string): Promise<unknown> =>
      JSON.parse((await fixture.ask(PATH, { headers: {}, client: fixtures.authority.client(subject) })).body);
    expect(await ask('/O=ops/O=devs/CN=bob/UID=u-7')).toMatchObject({
      name: 'bob',
      uid: 'u-7',
      groups: ['ops', 'devs', 'system:authenticated'],
    });
    expect(await ask('/O=system:masters')).toEqual({ name: 'system:anonymous', groups: ['system:unauthenticated'] });
  });

  it('for servers, of another authority, or of the front proxies authenticates nobody', async () => {
    const fixture = await start();
    const other = new TestAuthority('other');
    const clients = [fixtures.authority.server(), other.client('/CN=bob'), proxies.client('/CN=bob')];
    for (const client of clients) expect((await fixture.ask(PATH, { headers: {}, client })).status).toBe(401);
    other[Symbol.dispose]();
  });
});

describe('a front proxy', () => {
  const headers = { 'x-remote-user': 'ann', 'x-remote-group': 'dev' };

  it('names the user with a certificate of its own authority, over both protocols', async () => {
    const fixture = await start();
    const client = proxies.client('/CN=proxy');
    const user = { name: 'ann', groups: ['dev', 'system:authenticated'] };
    expect(JSON.parse((await fixture.ask(PATH, { headers, client })).body)).toEqual(user);
    const session = fixture.http2(client);
    expect(JSON.parse((await fixture.askHttp2(session, PATH, { headers })).body)).toEqual(user);
    session.close();
  });

  it('with another name, or a certificate of the authority of users, is refused or only itself', async () => {
    const fixture = await start();
    expect((await fixture.ask(PATH, { headers, client: proxies.client('/CN=eve') })).status).toBe(401);
    // A user's certificate: its owner, and not the user that it wants to be.
    const own = await fixture.ask(PATH, { headers, client: fixtures.authority.client('/CN=bob') });
    expect(JSON.parse(own.body)).toMatchObject({ name: 'bob' });
    const bare = await fixture.ask(PATH, { headers });
    expect(JSON.parse(bare.body)).toMatchObject({ name: 'system:anonymous' });
  });
});

it('a token behind two spaces is ignored, with a warning', async () => {
  const fixture = await start();
  const answer = await fixture.ask(PATH, { headers: { authorization: 'Bearer  abc' } });
  expect(JSON.parse(answer.body)).toMatchObject({ name: 'system:anonymous' });
  expect(answer.headers['warning']).toBe(
    '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
  );
});
