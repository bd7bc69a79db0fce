import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { type Clock, systemClock } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { TestAuthority } from '@listwatch/conformance/parts';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { AuthenticatorChain } from '../access/authentication/authenticator-chain.ts';
import { certificateAuthenticator } from '../access/authentication/certificate-authenticator.ts';
import { frontProxyAuthenticator } from '../access/authentication/front-proxy-authenticator.ts';
import { withAuthorityBetween, withForgedIssuer } from '../wire/forged-chain.fixture.ts';
import { type Fixture, Fixtures, jsonResponse } from '../wire/http.fixture.ts';

const fixtures = new Fixtures();
const proxies = new TestAuthority('proxies');
afterEach(() => fixtures.stop());
afterAll(() => proxies[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';

/** A server that answers with the user, and trusts two authorities for two purposes. */
async function start(clientCa: string = fixtures.authority.ca, clock: Clock = systemClock): Promise<Fixture> {
  const authenticator = new AuthenticatorChain({
    identity: [frontProxyAuthenticator({ allowedNames: ['proxy'] }), certificateAuthenticator()],
    tokens: [],
  });
  return fixtures.start(({ user }) => jsonResponse(JSON.stringify(user)), {
    tls: { ...fixtures.authority.server(), clientCa, requestHeaderCa: proxies.ca },
    authenticator,
    clock,
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

describe('a chain with a forged certificate between the client and an authority', () => {
  const users = { ca: fixtures.authority.ca, name: 'test-authority' };
  const others = { ca: proxies.ca, name: 'proxies' };

  it('makes no front proxy of a user', async () => {
    const fixture = await start();
    const headers = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' };
    // Whose name is that of the proxy: names are given by whoever signs for users.
    const client = withForgedIssuer(fixtures.authority.client('/CN=proxy'), users, others);
    const { status, body } = await fixture.ask(PATH, { headers, client });
    expect(`${status} ${body}`).not.toContain('system:masters');
    expect(JSON.parse(body)).toMatchObject({ name: 'proxy' });
  });

  it('makes no user of a front proxy', async () => {
    const fixture = await start();
    const client = withForgedIssuer(proxies.client('/O=system:masters/CN=proxy'), others, users);
    expect((await fixture.ask(PATH, { headers: {}, client })).status).toBe(401);
  });
});

it('an authority between the root and its users may sign for them, and nobody else may', async () => {
  const good = withAuthorityBetween({ commonName: 'ann', organization: ['dev'] });
  const fixture = await start(good.ca);
  const answer = await fixture.ask(PATH, { headers: {}, client: good.client });
  expect(JSON.parse(answer.body)).toMatchObject({ name: 'ann', groups: ['dev', 'system:authenticated'] });
  const bad = withAuthorityBetween({ commonName: 'ann', organization: ['system:masters'] }, { isAuthority: false });
  const other = await start(bad.ca);
  expect((await other.ask(PATH, { headers: {}, client: bad.client })).status).toBe(401);
});

it('a resumed session, which shows no authorities between, has the same user', async () => {
  const { ca, client } = withAuthorityBetween({ commonName: 'ann' });
  const fixture = await start(ca);
  const agent = new Agent({ maxCachedSessions: 1 });
  const seen = async (): Promise<readonly [unknown, boolean]> => {
    const { port } = fixture;
    const asked = request({ host: '127.0.0.1', port, path: PATH, agent, ca: fixture.ca, ...client });
    asked.end();
    const [response] = await once(asked, 'response');
    const user: unknown = JSON.parse(String(Buffer.concat(await response.toArray())));
    return [user, response.socket.isSessionReused()];
  };
  await vi.waitFor(async () => expect(await seen()).toMatchObject([{ name: 'ann' }, true]), 20_000);
  expect(await seen()).toMatchObject([{ name: 'ann' }, true]);
  agent.destroy();
});

it('a certificate that expires while its connection is open is a wrong credential from then on', async () => {
  const clock = new FakeClock();
  const fixture = await start(fixtures.authority.ca, clock);
  const client = fixtures.authority.client('/CN=ann');
  const session = fixture.http2(client);
  const agent = new Agent({ keepAlive: true });
  const ask = async (): Promise<readonly number[]> => [
    (await fixture.ask(PATH, { headers: {}, client, agent })).status,
    (await fixture.askHttp2(session, PATH, { headers: {} })).status,
  ];
  expect(await ask()).toEqual([200, 200]);
  clock.set(Date.UTC(2100, 0));
  expect(await ask()).toEqual([401, 401]);
  session.close();
  agent.destroy();
});

it('a token behind two spaces is ignored, with a warning', async () => {
  const fixture = await start();
  const answer = await fixture.ask(PATH, { headers: { authorization: 'Bearer  abc' } });
  expect(JSON.parse(answer.body)).toMatchObject({ name: 'system:anonymous' });
  expect(answer.headers['warning']).toBe(
    '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
  );
});
