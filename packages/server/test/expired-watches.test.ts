import { FakeClock } from '@listwatch/api/fake-clock';
import { afterEach, expect, it, vi } from 'vitest';
import { signUserToken } from '../src/access/authentication/user-token.ts';
import { JwtAuthenticators } from '../src/access/jwt/jwt-authenticators.ts';
import type { JwtConfig } from '../src/access/jwt/jwt-config.ts';
import { JwtProvider, signToken } from '../src/access/jwt/jwt-provider.fixture.ts';
import { ConfiguredAuthorization } from '../src/access/webhook/configured-authorization.ts';
import { ReviewWebhook } from '../src/access/webhook/review-webhook.fixture.ts';
import type { ApiServerOptions } from '../src/start/api-server-options.ts';
import {
  bearer,
  PROTOCOLS,
  RevocationServer,
  type SeenWatch,
  type ShownCredential,
  USER_KEY,
  user,
} from './revocation.fixture.ts';

const HOUR_MS = 3_600_000;
/** Longer than any credential here lasts. */
const WATCH = '/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0&timeoutSeconds=604800';

let clock: FakeClock;
let server: RevocationServer;
const opened: SeenWatch[] = [];

async function start(more: Partial<ApiServerOptions> = {}): Promise<void> {
  clock = new FakeClock({ now: Date.now() });
  server = new RevocationServer({ ...more, clock });
  await server.inside.server.listen();
}

afterEach(async () => {
  for (const { close } of opened.splice(0)) close();
  await server[Symbol.asyncDispose]();
});

async function watch(shown: ShownCredential): Promise<SeenWatch> {
  const seen = await PROTOCOLS['HTTP/1.1']?.(server, WATCH, shown);
  if (seen === undefined) throw new TypeError('there is no such protocol');
  opened.push(seen);
  return seen;
}

const ends = (seen: SeenWatch): Promise<unknown> =>
  vi.waitFor(() => expect(seen.isEnded()).toBe(true), { timeout: 20_000, interval: 5 });

/** Everything that was to be decided anew has been. */
async function decided(): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await server.inside.ask('GET', '/metrics');
    expect(String(body).split('\n')).toContain('listwatch_revocation_waiting 0');
  });
}

/** The clock is set forward: a machine that was suspended, or NTP. */
async function pass(hours: number): Promise<void> {
  clock.set(clock.now() + hours * HOUR_MS);
  await clock.advance(60_000);
  await decided();
}

async function bound(subject = user): Promise<string> {
  const name = server.name();
  await server.bind(name, subject(name));
  return name;
}

it('a watch ends when the token of its user expires, and that of a longer one goes on', async () => {
  await start();
  const name = await bound();
  await server.userToken(name);
  const issued = clock.now();
  const lasting = (ms: number): string =>
    signUserToken({ id: name, name, groups: [], issued, expires: issued + ms }, USER_KEY);
  const token = lasting(60_000);
  const [short, long] = [await watch(bearer(token)), await watch(bearer(lasting(HOUR_MS)))];
  await clock.advance(58_000);
  await decided();
  expect([short.isEnded(), long.isEnded()]).toEqual([false, false]);
  await clock.advance(2000);
  await ends(short);
  expect((await watch(bearer(token))).status).toBe(401);
  expect(long.isEnded()).toBe(false);
});

it('a watch ends when the certificate of its user expires', async () => {
  await start();
  const name = await bound();
  const { client } = server.certificate(`/CN=${name}`);
  const seen = await watch({ client });
  await pass(47);
  expect([seen.status, seen.isEnded()]).toEqual([200, false]);
  await pass(1);
  await ends(seen);
});

it('a watch with a right certificate outlasts the token that came with it', async () => {
  await start();
  const name = await bound();
  const { client } = server.certificate(`/CN=${name}`);
  const { token } = await server.userToken(name);
  const seen = await watch({ client, ...bearer(token) });
  await clock.advance(2 * HOUR_MS);
  await decided();
  expect([seen.status, seen.isEnded()]).toEqual([200, false]);
});

it('a watch of a service account ends a minute after its token has expired, as new requests are refused', async () => {
  await start();
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const name = server.name();
  await server.inside.ok('POST', accounts, { metadata: { name } });
  await server.bind(name, { kind: 'ServiceAccount', namespace: 'default', name });
  const { status } = await server.inside.ok('POST', `${accounts}/${name}/token`, { spec: { expirationSeconds: 3600 } });
  const seen = await watch(bearer(status.token));
  await clock.advance(HOUR_MS + 55_000);
  await decided();
  expect((await watch(bearer(status.token))).status).toBe(200);
  expect(seen.isEnded()).toBe(false);
  await clock.advance(6000);
  await ends(seen);
  expect((await watch(bearer(status.token))).status).toBe(401);
});

it('a watch ends when its provider is taken out of the configuration, and not when it only changes', async () => {
  await using provider = await JwtProvider.start();
  const config = (username: string): JwtConfig => ({
    issuer: { url: provider.url, certificateAuthority: provider.ca, audiences: ['kube'] },
    claimMappings: { username: { claim: username, prefix: '' } },
  });
  const jwt = new JwtAuthenticators([config('sub')], { clock: new FakeClock({ now: Date.now() }) });
  await start({ authentication: { jwt } });
  const name = await bound();
  const claims = { iss: provider.url, aud: 'kube', sub: name, login: name, exp: Date.now() / 1000 + 3600 };
  const token = signToken(provider.signer, claims);
  const seen = await watch(bearer(token));
  expect(seen.status).toBe(200);
  await jwt.replace([config('login')]);
  await decided();
  expect((await watch(bearer(token))).status).toBe(200);
  expect(seen.isEnded()).toBe(false);
  await jwt.replace([]);
  await ends(seen);
  jwt.close();
});

it('a watch ends when a changed configuration of authorization no longer allows it', async () => {
  await using webhook = await ReviewWebhook.start();
  webhook.reply = () => ({ allowed: true });
  const rbac = { type: 'RBAC', name: 'rbac' };
  const hook = {
    type: 'Webhook',
    name: 'policy',
    webhook: {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/policy' },
    },
  };
  const authorization = await ConfiguredAuthorization.create(
    { authorizers: [rbac, hook] },
    { connect: () => Promise.resolve({ url: webhook.url }), clock: new FakeClock() },
  );
  await start({ authorization });
  const [name, stranger] = [await bound(), server.name()];
  const kept = await watch(bearer((await server.userToken(name)).token));
  const lost = await watch(bearer((await server.userToken(stranger)).token));
  expect([kept.status, lost.status]).toEqual([200, 200]);
  await authorization.replace({ authorizers: [rbac, { ...hook, webhook: { ...hook.webhook, timeout: '4s' } }] });
  await decided();
  expect([kept.isEnded(), lost.isEnded()]).toEqual([false, false]);
  await authorization.replace({ authorizers: [rbac] });
  await ends(lost);
  await decided();
  expect(kept.isEnded()).toBe(false);
  authorization.close();
});
