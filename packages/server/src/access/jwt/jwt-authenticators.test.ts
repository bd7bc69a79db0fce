import { FakeClock } from '@listwatch/api/fake-clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JwtAuthenticators } from './jwt-authenticators.ts';
import type { JwtConfig } from './jwt-config.ts';
import { hmacToken, JwtProvider, newSigner, signToken, unsignedToken } from './jwt-provider.fixture.ts';

let provider: JwtProvider;
let clock: FakeClock;
let made: JwtAuthenticators[];
let seen: (string | undefined)[];
beforeEach(async () => {
  provider = await JwtProvider.start();
  clock = new FakeClock();
  made = [];
  seen = [];
});
afterEach(async () => {
  for (const authenticators of made) authenticators.close();
  await provider[Symbol.asyncDispose]();
});

const config = (more: Partial<JwtConfig> = {}, of = provider): JwtConfig => ({
  issuer: { url: of.url, certificateAuthority: of.ca, audiences: ['kube'] },
  claimMappings: { username: { claim: 'sub', prefix: '' } },
  ...more,
});
const claims = (more: object = {}): object => ({
  iss: provider.url,
  aud: 'kube',
  sub: 'ann',
  exp: clock.now() / 1000 + 60,
  ...more,
});

function start(...configs: readonly JwtConfig[]): JwtAuthenticators {
  const authenticators = new JwtAuthenticators(configs, { clock, onStatus: (_issuer, problem) => seen.push(problem) });
  made.push(authenticators);
  return authenticators;
}

/** The name of the user, or why there is none. */
async function ask(authenticators: JwtAuthenticators, token: string): Promise<string> {
  try {
    return (await authenticators.authenticate({ token }))?.name ?? 'not mine';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a token of a provider', () => {
  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'])(
    'may be signed with %s',
    async (alg) => {
      provider.signers = [newSigner('k', alg)];
      expect(await ask(start(config()), signToken(provider.signer, claims()))).toBe('ann');
    },
  );

  it('is verified once, and believed for ten seconds and not longer than it lasts', async () => {
    const jwt = start(config());
    const [token, short] = [
      signToken(provider.signer, claims()),
      signToken(provider.signer, claims({ exp: clock.now() / 1000 + 5 })),
    ];
    expect([await ask(jwt, token), await ask(jwt, token), await ask(jwt, short)]).toEqual(['ann', 'ann', 'ann']);
    expect(jwt.cacheCounts).toEqual({ hits: 1, misses: 2, size: 2 });
    await clock.advance(6000);
    expect(await ask(jwt, short)).toContain('oidc: token is expired');
    await clock.advance(4000);
    await ask(jwt, token);
    expect(jwt.cacheCounts).toMatchObject({ hits: 2, misses: 3 });
    expect([jwt.verifications.count('success'), jwt.verifications.count('failure')]).toEqual([3, 1]);
  });

  it('without a key id is tried with every key', async () => {
    provider.signers = [newSigner('k1'), newSigner('k2')];
    const second = provider.signers[1] ?? expect.fail();
    expect(await ask(start(config()), signToken(second, claims(), { kid: undefined }))).toBe('ann');
  });

  it.each([
    ['expired', { exp: 1 }, 'oidc: verify token: oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)'],
    ['without an end', { exp: undefined }, 'oidc: token is expired'],
    ['whose end is a text', { exp: '9999999999' }, 'oidc: token is expired'],
    ['of the future', { nbf: 9_999_999_999 }, 'before the nbf (not before) time'],
    ['for others', { aud: ['x', 'y'] }, 'oidc: verify token: oidc: expected audience in ["kube"] got ["x" "y"]'],
    ['for nobody', { aud: undefined }, 'oidc: expected audience in ["kube"] got []'],
    ['without a name', { sub: undefined }, 'oidc: parse username claims "sub": claim not present'],
    ['with a number for a name', { sub: 7 }, 'oidc: parse username claims "sub": it must be a string'],
    ['with an empty name', { sub: '' }, 'the username of the token is empty'],
  ])('that is %s is refused', async (_what, change, problem) => {
    expect(await ask(start(config()), signToken(provider.signer, claims(change)))).toContain(problem);
  });

  it('that begins within five minutes is accepted: clocks differ', async () => {
    const soon = clock.now() / 1000 + 299;
    expect(await ask(start(config()), signToken(provider.signer, claims({ nbf: soon })))).toBe('ann');
  });
});

describe('a forged token', () => {
  const SIGNATURE = 'failed to verify id token signature';

  it('of another key, with the id of a known one, is refused', async () => {
    expect(await ask(start(config()), signToken(newSigner('k1'), claims()))).toContain(SIGNATURE);
  });

  it('with another payload is refused', async () => {
    const [head = '', , signature = ''] = signToken(provider.signer, claims()).split('.');
    const payload = Buffer.from(JSON.stringify(claims({ sub: 'root' }))).toString('base64url');
    expect(await ask(start(config()), `${head}.${payload}.${signature}`)).toContain(SIGNATURE);
  });

  it('cannot choose its algorithm: not none, no HMAC with the public key, no other than that of the key', async () => {
    const jwt = start(config());
    const unsupported = 'signed with unsupported algorithm';
    expect(await ask(jwt, unsignedToken(claims()))).toContain(unsupported);
    expect(await ask(jwt, hmacToken(provider.signer, claims()))).toContain(unsupported);
    for (const alg of ['none', 'NONE', 'HS256', 'EdDSA', '__proto__', 'constructor', 7, null, undefined]) {
      expect(await ask(jwt, signToken(provider.signer, claims(), { alg }))).toContain(unsupported);
    }
    for (const alg of ['RS256', 'PS256', 'ES384']) {
      expect(await ask(jwt, signToken(provider.signer, claims(), { alg }))).toContain(SIGNATURE);
    }
  });

  it('is refused when the provider allows its algorithm but the configuration does not', async () => {
    const jwt = start(config({ signingAlgorithms: ['RS256'] }));
    expect(await ask(jwt, signToken(provider.signer, claims()))).toContain('expected ["RS256"]');
  });

  it('with a small RSA key, or critical extensions, is refused', async () => {
    const jwt = start(config());
    expect(await ask(jwt, signToken(provider.signer, claims(), { crit: ['b64'], b64: false }))).toContain('critical');
  });

  it.each([
    ['of 64 KiB and more', (token: string) => token + 'A'.repeat(64 * 1024)],
    ['in two parts', (token: string) => token.split('.').slice(0, 2).join('.')],
    ['in five parts', (token: string) => `${token}.a.b`],
    ['with other characters', (token: string) => `${token}=`],
    ['with an empty part', (token: string) => token.replace(/\.[^.]+\./u, '..')],
  ])('%s is nobody s and costs no request to the provider', async (_what, change) => {
    const jwt = start(config());
    expect(await ask(jwt, change(signToken(provider.signer, claims())))).toBe('not mine');
  });

  it('that is nested deeper than any provider nests is not parsed', async () => {
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
    const jwt = start(config());
    expect(await ask(jwt, signToken(provider.signer, claims({ deep })))).toBe('not mine');
    const inText = claims({ note: '['.repeat(5000) });
    expect(await ask(jwt, signToken(provider.signer, inText))).toBe('ann');
  });

  it('never makes us ask the provider more than once in two seconds', async () => {
    const jwt = start(config());
    await ask(jwt, signToken(provider.signer, claims()));
    const before = provider.asked.length;
    for (let index = 0; index < 100; index += 1) {
      await ask(jwt, signToken({ ...provider.signer, kid: `unknown-${index}` }, claims()));
      await ask(jwt, signToken(newSigner('k1'), claims()));
    }
    expect(provider.asked.length).toBe(before);
    await clock.advance(2000);
    await ask(jwt, signToken({ ...provider.signer, kid: 'unknown' }, claims()));
    expect(provider.asked.length).toBe(before + 2);
  });
});

describe('the keys of a provider', () => {
  it('are fetched again for a token with a new key, also when the id stays', async () => {
    const jwt = start(config());
    await ask(jwt, signToken(provider.signer, claims()));
    await clock.advance(2000);
    provider.signers = [newSigner('k2')];
    expect(await ask(jwt, signToken(provider.signer, claims({ sub: 'bob' })))).toBe('bob');
    await clock.advance(2000);
    provider.signers = [newSigner('k2')];
    expect(await ask(jwt, signToken(provider.signer, claims({ sub: 'eve' })))).toBe('eve');
  });

  it('that are no longer published stop being trusted within minutes', async () => {
    const old = provider.signer;
    const jwt = start(config());
    expect(await ask(jwt, signToken(old, claims()))).toBe('ann');
    provider.signers = [newSigner('k2')];
    await clock.advance(10 * 60_000 + 1);
    const asked = provider.asked.length;
    await ask(jwt, signToken(old, claims()));
    await expect.poll(() => provider.asked.length).toBe(asked + 2);
    await expect.poll(() => ask(jwt, signToken(old, claims({ sub: 'x' })))).toContain('failed to verify');
  });

  it('are used while the provider is down', async () => {
    const jwt = start(config());
    await ask(jwt, signToken(provider.signer, claims()));
    await provider.down();
    await clock.advance(11 * 60_000);
    expect(await ask(jwt, signToken(provider.signer, claims()))).toBe('ann');
  });

  it('are fetched when a provider that was down at the start is there, with growing pauses', async () => {
    await provider.down();
    const jwt = start(config());
    expect(await ask(jwt, signToken(provider.signer, claims()))).toContain('are not known yet');
    expect(seen).toHaveLength(1);
    await provider.up();
    await expect
      .poll(async () => (await clock.advance(1000), ask(jwt, signToken(provider.signer, claims()))))
      .toBe('ann');
    expect(seen.at(-1)).toBeUndefined();
    expect(jwt.fetches).toMatchObject({ success: 1 });
  });

  it.each([
    ['a redirect', [302, ''], 'answered 302'],
    ['too much', [200, `{"x":"${'x'.repeat(256 * 1024)}"}`], 'more than 262144 bytes'],
    ['no JSON', [200, '<html>'], 'did not answer with JSON'],
    ['no keys', [200, '{}'], 'issuer did not match'],
  ] as const)('are not taken from %s', async (_what, fault, problem) => {
    provider.fault = fault;
    expect(await ask(start(config()), signToken(provider.signer, claims()))).toContain(problem);
  });

  it.each([
    [{ issuer: 'https://evil.example' }, 'issuer did not match the issuer returned by provider'],
    [{ jwks_uri: 'http://127.0.0.1/keys' }, 'must be a URL of https'],
    [{ jwks_uri: 'file:///etc/passwd' }, 'must be a URL of https'],
  ])('are not taken where discovery says %j', async (discovery, problem) => {
    provider.discovery = discovery;
    expect(await ask(start(config()), signToken(provider.signer, claims()))).toContain(problem);
  });

  it('are not taken from a server of another authority, nor waited for longer than ten seconds', async () => {
    const other = config({ issuer: { url: provider.url, audiences: ['kube'] } });
    expect(await ask(start(other), signToken(provider.signer, claims()))).toContain('are not known yet');
  });
});

describe('several providers', () => {
  it('are told apart by the issuer of a token; others are not ours', async () => {
    await using second = await JwtProvider.start();
    const jwt = start(config(), config({ claimMappings: { username: { claim: 'sub', prefix: 'two:' } } }, second));
    expect(await ask(jwt, signToken(provider.signer, claims()))).toBe('ann');
    expect(await ask(jwt, signToken(second.signer, claims({ iss: second.url })))).toBe('two:ann');
    expect(await ask(jwt, signToken(second.signer, claims()))).toContain('failed to verify');
    expect(await ask(jwt, signToken(second.signer, claims({ iss: 'https://other' })))).toBe('not mine');
    expect(await ask(jwt, 'abc')).toBe('not mine');
  });

  it('change while it serves; the old ones are used until all new ones have answered', async () => {
    await using second = await JwtProvider.start();
    const jwt = start(config());
    const [first, other] = [
      signToken(provider.signer, claims()),
      signToken(second.signer, claims({ iss: second.url })),
    ];
    expect([await ask(jwt, first), await ask(jwt, other)]).toEqual(['ann', 'not mine']);
    await second.down();
    const changing = jwt.replace([config({}, second)]);
    await clock.advance(5000);
    expect([await ask(jwt, first), await ask(jwt, other)]).toEqual(['ann', 'not mine']);
    await second.up();
    await expect.poll(async () => (await clock.advance(1000), ask(jwt, other))).toBe('ann');
    await changing;
    expect(await ask(jwt, first)).toBe('not mine');
  });

  it('that never answer do not replace the old ones', async () => {
    await using second = await JwtProvider.start();
    await second.down();
    const jwt = start(config());
    const first = signToken(provider.signer, claims());
    await ask(jwt, first);
    const failed = expect(jwt.replace([config({}, second)])).rejects.toThrow(`no keys from ${second.url}`);
    await expect.poll(async () => (await clock.advance(30_000), clock.now())).toBeGreaterThan(1_700_000_060_000);
    await clock.advance(60_000);
    await failed;
    expect(await ask(jwt, signToken(provider.signer, claims({ exp: clock.now() / 1000 + 60 })))).toBe('ann');
  });

  it('keep their keys when only their rules change', async () => {
    const jwt = start(config());
    await ask(jwt, signToken(provider.signer, claims()));
    await provider.down();
    const changing = jwt.replace([config({ claimMappings: { username: { claim: 'sub', prefix: 'new:' } } })]);
    await clock.advance(100);
    await changing;
    expect(await ask(jwt, signToken(provider.signer, claims()))).toBe('new:ann');
  });
});
