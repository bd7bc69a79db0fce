import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { ServiceAccountTokens } from './service-account-tokens.ts';

const CLAIMS = { namespace: 'a', serviceAccount: { name: 'robot', uid: 'u1' } };
const ORDER = { claims: CLAIMS, audiences: ['https://kubernetes.default.svc'], expirationSeconds: 600 };
const FORGED = 'go-jose/go-jose: error in cryptographic primitive';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = (key: KeyObject): string => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();

function issuer(clock = new FakeClock()): ServiceAccountTokens {
  return new ServiceAccountTokens(clock, { signingKey: pem(privateKey) });
}

const read = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());

/** The three parts of a token, decoded. */
function partsOf(token: string): [Record<string, unknown>, Record<string, unknown>, string] {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [read(header), read(payload), signature];
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('a service account token', () => {
  it('has the claims of kube-apiserver, and the published keys verify it', async () => {
    const tokens = issuer();
    const { token } = await tokens.sign(ORDER);
    const [header, payload] = partsOf(token);
    expect(Object.keys(header)).toEqual(['alg', 'kid']);
    expect(Object.keys(payload)).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'kubernetes.io', 'nbf', 'sub']);
    expect(payload).toMatchObject({
      iss: 'https://kubernetes.default.svc',
      sub: 'system:serviceaccount:a:robot',
      'kubernetes.io': { namespace: 'a', serviceaccount: { name: 'robot', uid: 'u1' } },
    });
    const jwks = JSON.parse(JSON.stringify(tokens.jwks()));
    expect(JSON.stringify(jwks)).not.toContain('"d":');
    await jwtVerify(token, createLocalJWKSet(jwks), { currentDate: new Date(new FakeClock().now()) });
  });

  it('is the user with the groups of service accounts', async () => {
    const tokens = issuer();
    const pod = { name: 'p', uid: 'u2' };
    const { token } = await tokens.sign({ ...ORDER, claims: { ...CLAIMS, pod, node: { name: 'n', uid: '' } } });
    const [, { jti }] = partsOf(token);
    expect((await tokens.verify(token))?.user).toEqual({
      name: 'system:serviceaccount:a:robot',
      uid: 'u1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:a'],
      extra: {
        'authentication.kubernetes.io/credential-id': [`JTI=${String(jti)}`],
        'authentication.kubernetes.io/node-name': ['n'],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': ['u2'],
      },
    });
  });

  it('of an issuer that was restarted with the same key is still valid, with another key it is not', async () => {
    const { token } = await issuer().sign(ORDER);
    expect(await issuer().verify(token)).toBeDefined();
    await expect(new ServiceAccountTokens(new FakeClock()).verify(token)).rejects.toThrow(FORGED);
  });

  it('ends with its time, a minute later at most', async () => {
    const clock = new FakeClock();
    const tokens = issuer(clock);
    const { token, expires } = await tokens.sign(ORDER);
    expect(expires).toBe(clock.now() + 600_000);
    await clock.advance(659_000);
    expect(await tokens.verify(token)).toBeDefined();
    await clock.advance(2000);
    await expect(tokens.verify(token)).rejects.toThrow('service account token has expired');
  });

  it('from the future is not valid yet', async () => {
    const ahead = new FakeClock({ now: new FakeClock().now() + 120_000 });
    const { token } = await issuer(ahead).sign(ORDER);
    await expect(issuer().verify(token)).rejects.toThrow('service account token is not valid yet');
  });

  it('is for its audiences only', async () => {
    const tokens = issuer();
    const { token } = await tokens.sign({ ...ORDER, audiences: ['x', 'y'] });
    expect((await tokens.verify(token, ['z', 'y']))?.audiences).toEqual(['y']);
    await expect(tokens.verify(token)).rejects.toThrow(
      'token audiences ["x" "y"] is invalid for the target audiences ["https://kubernetes.default.svc"]',
    );
  });
});

describe('a forged token', () => {
  it('with other claims, another signature or without one is refused', async () => {
    const tokens = issuer();
    const [header, payload, signature] = partsOf((await tokens.sign(ORDER)).token);
    const forged = [
      `${encoded(header)}.${encoded({ ...payload, sub: 'system:serviceaccount:kube-system:root' })}.${signature}`,
      `${encoded(header)}.${encoded(payload)}.${Buffer.alloc(64, 1).toString('base64url')}`,
      `${encoded(header)}.${encoded(payload)}.`,
      `${encoded({ ...header, alg: 'none' })}.${encoded(payload)}.`,
      `${encoded({ ...header, alg: 'ES384' })}.${encoded(payload)}.${signature}`,
      `${encoded({ ...header, crit: ['exp'] })}.${encoded(payload)}.${signature}`,
    ];
    for (const token of forged) await expect(tokens.verify(token)).rejects.toThrow(FORGED);
  });

  it('signed with the public key as a secret, or with a key that it brings itself, is refused', async () => {
    const tokens = issuer();
    const [, payload] = partsOf((await tokens.sign(ORDER)).token);
    const secret = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
    const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const jwk = createPublicKey(own).export({ format: 'jwk' });
    const forged = [
      await new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret)),
      await new SignJWT(payload).setProtectedHeader({ alg: 'ES256', jwk: { kty: 'EC', ...jwk } }).sign(own),
    ];
    for (const token of forged) await expect(tokens.verify(token)).rejects.toThrow(FORGED);
  });

  it('without an end, or whose subject is not its account, is refused although the key is right', async () => {
    const tokens = issuer();
    const [header, payload] = partsOf((await tokens.sign(ORDER)).token);
    const sign = (claims: object): Promise<string> =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey);
    const { exp: _exp, ...endless } = payload;
    await expect(tokens.verify(await sign(endless))).rejects.toThrow(FORGED);
    await expect(tokens.verify(await sign({ ...payload, sub: 'ada' }))).rejects.toThrow('no service account');
    await expect(tokens.verify(await sign({ ...payload, 'kubernetes.io': null }))).rejects.toThrow(
      'no service account',
    );
  });

  it('of another issuer, too long to be one, or no token at all, is left to other authenticators', async () => {
    const tokens = issuer();
    const [header, payload, signature] = partsOf((await tokens.sign(ORDER)).token);
    const foreign = `${encoded(header)}.${encoded({ ...payload, iss: 'https://other' })}.${signature}`;
    const long = `${encoded(header)}.${encoded({ ...payload, pad: 'x'.repeat(1_000_000) })}.${signature}`;
    for (const token of [foreign, long, 'a.b.c', 'abc', '..', `${encoded(header)}.bm8.x`, `${encoded(header)}.MQ.x`]) {
      expect(await tokens.verify(token)).toBeUndefined();
    }
  });
});

const make = (options: object) => () => new ServiceAccountTokens(new FakeClock(), options);

it('a wrong option is named', () => {
  expect(make({ signingKey: 'no key' })).toThrow('serviceAccounts.signingKey must be a private key in PEM');
  expect(make({ issuer: '' })).toThrow('serviceAccounts.issuer');
  expect(make({ audiences: [] })).toThrow('serviceAccounts.audiences');
  const { privateKey: other } = generateKeyPairSync('ed25519');
  expect(make({ signingKey: pem(other) })).toThrow('serviceAccounts.signingKey');
});

it('an RSA key signs RS256', async () => {
  const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tokens = new ServiceAccountTokens(new FakeClock(), { signingKey: pem(rsa) });
  const { token } = await tokens.sign(ORDER);
  expect(partsOf(token)[0]).toMatchObject({ alg: 'RS256' });
  expect(await tokens.verify(token)).toBeDefined();
});

describe('keys that are replaced', () => {
  const { privateKey: newKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const { privateKey: rsaKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const replaced = (verificationKeys: readonly string[]): ServiceAccountTokens =>
    new ServiceAccountTokens(new FakeClock(), { signingKey: pem(newKey), verificationKeys });

  it('verify the tokens that they have signed, as long as they are given', async () => {
    const { token } = await issuer().sign(ORDER);
    const { token: signed } = await replaced([]).sign(ORDER);
    const tokens = replaced([`${publicPem(rsaKey)}${publicPem(privateKey)}`, pem(privateKey)]);
    expect(await tokens.verify(token)).toBeDefined();
    expect(await tokens.verify(signed)).toBeDefined();
    await expect(replaced([publicPem(rsaKey)]).verify(token)).rejects.toThrow(FORGED);
  });

  it('are published once each, after the one that signs', () => {
    const tokens = replaced([publicPem(privateKey), pem(privateKey), publicPem(rsaKey)]);
    const { keys } = JSON.parse(JSON.stringify(tokens.jwks()));
    expect(keys.map(({ alg }: { alg: string }) => alg)).toEqual(['ES384', 'ES256', 'RS256']);
    expect(JSON.stringify(keys)).not.toContain('"d":');
    expect(tokens.configuration('https://x')).toMatchObject({
      id_token_signing_alg_values_supported: ['ES256', 'ES384', 'RS256'],
    });
  });

  it('verify a token without the name of a key', async () => {
    const clock = new FakeClock();
    const { token } = await issuer(clock).sign(ORDER);
    const [, payload] = partsOf(token);
    const unnamed = await new SignJWT(payload).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    expect(await replaced([publicPem(rsaKey), publicPem(privateKey)]).verify(unnamed)).toBeDefined();
    await expect(replaced([publicPem(rsaKey)]).verify(unnamed)).rejects.toThrow(FORGED);
  });

  it('must be keys', () => {
    expect(() => replaced(['x'])).toThrow('serviceAccounts.verificationKeys must be keys in PEM');
  });
});

it('tokens of former issuers are accepted, new ones name the first', async () => {
  const { token } = await issuer().sign(ORDER);
  const options = { issuer: 'https://new', signingKey: pem(privateKey), audiences: ORDER.audiences };
  const tokens = new ServiceAccountTokens(new FakeClock(), {
    ...options,
    formerIssuers: ['https://kubernetes.default.svc'],
  });
  expect(await tokens.verify(token)).toBeDefined();
  expect(partsOf((await tokens.sign(ORDER)).token)[1]).toMatchObject({ iss: 'https://new' });
  expect(await new ServiceAccountTokens(new FakeClock(), options).verify(token)).toBeUndefined();
});
