import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readCompactToken } from './compact-token.ts';
import { readKeySet } from './json-web-keys.ts';
import { newSigner, signToken } from './jwt-provider.fixture.ts';
import { fitsAlgorithm, isSignedBy } from './jwt-signature.ts';

const rsa = (modulusLength: number, publicExponent = 65_537): KeyObject =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey;
const jwk = (key: KeyObject, more: object = {}): object => ({ kid: 'k', ...key.export({ format: 'jwk' }), ...more });

describe('a set of keys', () => {
  it('gives those that verify signatures, and no others', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = [
      jwk(publicKey, { alg: 'ES256', use: 'sig' }),
      jwk(publicKey, { use: 'enc' }),
      { kty: 'oct', kid: 'k', k: 'c2VjcmV0' },
      { kty: 'OKP', crv: 'Ed25519', x: 'x' },
      { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
      { kty: '__proto__' },
      null,
      'k',
    ];
    expect(readKeySet({ keys })).toMatchObject([{ id: 'k', algorithm: 'ES256' }]);
    for (const document of [undefined, null, [], { keys: 'x' }, { keys: {} }]) expect(readKeySet(document)).toEqual([]);
  });

  it('keeps no private half', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(readKeySet({ keys: [jwk(privateKey)] })[0]?.key.type).toBe('public');
  });

  it('is cut after a hundred', () => {
    const key = jwk(rsa(2048));
    expect(readKeySet({ keys: Array.from({ length: 500 }, () => key) })).toHaveLength(100);
  });
});

describe('a key', () => {
  it('is used with the algorithms of its own kind, curve and size only', () => {
    const [small, fit] = [rsa(1024), rsa(2048)];
    const { publicKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const names = ['RS256', 'PS512', 'ES256', 'ES384', 'HS256', 'none', 'toString'];
    const fitting = (key: KeyObject): readonly string[] => names.filter((name) => fitsAlgorithm(key, name));
    expect([small, fit, curve, other].map(fitting)).toEqual([[], ['RS256', 'PS512'], ['ES384'], []]);
  });

  it('of another size does not verify although its signature is right', () => {
    const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const token = readCompactToken(signToken({ kid: 'k', alg: 'RS256', key }, {})) ?? expect.fail();
    expect(isSignedBy(publicKey, 'RS256', token)).toBe(false);
    const signer = newSigner('k', 'RS256');
    const right = readCompactToken(signToken(signer, {})) ?? expect.fail();
    expect([isSignedBy(signer.key, 'RS256', right), isSignedBy(signer.key, 'PS256', right)]).toEqual([true, false]);
  });
});
