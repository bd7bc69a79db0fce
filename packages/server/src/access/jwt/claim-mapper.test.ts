import { describe, expect, it } from 'vitest';
import { CredentialProblem } from '../credential-problem.ts';
import { claimMapper } from './claim-mapper.ts';
import type { JwtConfig } from './jwt-config.ts';

const issuer = { url: 'https://a.example', audiences: ['kube'] };
const config = (more: Partial<JwtConfig>): JwtConfig => ({
  issuer,
  claimMappings: { username: { claim: 'sub', prefix: '' } },
  ...more,
});
const by = (claimMappings: JwtConfig['claimMappings']) => claimMapper(config({ claimMappings }));

describe('claims become a user', () => {
  it('by names, with prefixes; the id of the token is its credential id', () => {
    const map = by({
      username: { claim: 'sub', prefix: 'u:' },
      groups: { claim: 'groups', prefix: 'g:' },
      uid: { claim: 'oid' },
    });
    expect(map({ sub: 'ann', groups: ['a', 'b'], oid: '7', jti: 'id' })).toEqual({
      name: 'u:ann',
      uid: '7',
      groups: ['g:a', 'g:b'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id'] },
    });
    expect(map({ sub: 'ann', groups: 'one', oid: '7' }).groups).toEqual(['g:one']);
    expect(map({ sub: 'ann', oid: '7' }).groups).toEqual([]);
    expect(() => map({ sub: 'ann', groups: [1], oid: '7' })).toThrow('oidc: parse groups claim "groups"');
    expect(() => map({ sub: 'ann' })).toThrow('oidc: parse uid claims "oid": claim not present');
  });

  it('by expressions; empty texts and extras are left out', () => {
    const map = by({
      username: { expression: '"dex:" + claims.sub' },
      groups: { expression: 'claims.roles.split(",").map(r, r == "x" ? "" : "role:" + r)' },
      uid: { expression: 'string(claims.id)' },
      extra: [
        { key: 'acme.io/tenant', valueExpression: 'claims.?tenant.orValue("")' },
        { key: 'acme.io/scopes', valueExpression: 'claims.scopes' },
        { key: 'acme.io/none', valueExpression: 'null' },
      ],
    });
    expect(map({ sub: 'ann', roles: 'a,x,b', id: 7, scopes: ['r', '', 'w'] })).toEqual({
      name: 'dex:ann',
      uid: '7',
      groups: ['role:a', 'role:b'],
      extra: { 'acme.io/scopes': ['r', 'w'] },
    });
  });

  it('never by an expression of another type, one that fails, or one that costs too much', () => {
    const name = (expression: string) => by({ username: { expression } });
    expect(() => name('claims.n')({ n: 1 })).toThrow(
      'oidc: error evaluating username claim expression: expression must return',
    );
    expect(() => name('claims.nope')({})).toThrow(
      'oidc: error evaluating username claim expression: no such key: nope',
    );
    const costly = name('claims.l.map(a, claims.l.map(b, claims.l.map(c, "x"))).size() > 0 ? "x" : ""');
    expect(() => costly({ l: Array.from({ length: 500 }, () => 1) })).toThrow('cost limit exceeded');
    const groups = by({ username: { claim: 'sub', prefix: '' }, groups: { expression: 'claims.g' } });
    for (const g of [1, true, { a: 'b' }, [1], [['a']]])
      expect(() => groups({ sub: 'a', g })).toThrow(CredentialProblem);
  });

  it('with a verified address only', () => {
    const map = by({ username: { claim: 'email', prefix: '' } });
    expect(map({ email: 'a@b.c' }).name).toBe('a@b.c');
    expect(map({ email: 'a@b.c', email_verified: true }).name).toBe('a@b.c');
    for (const email_verified of [false, 'true', null]) {
      expect(() => map({ email: 'a@b.c', email_verified })).toThrow('oidc: email not verified');
    }
  });

  it('does not read what every object has', () => {
    const map = by({ username: { claim: 'constructor', prefix: '' } });
    expect(() => map({ sub: 'x' })).toThrow('claim not present');
  });
});

describe('a rule', () => {
  it('about a claim demands its value', () => {
    const map = claimMapper(config({ claimValidationRules: [{ claim: 'hd', requiredValue: 'example.com' }] }));
    expect(map({ sub: 'a', hd: 'example.com' }).name).toBe('a');
    expect(() => map({ sub: 'a' })).toThrow('oidc: required claim hd not present in ID token');
    expect(() => map({ sub: 'a', hd: 'x' })).toThrow(
      'oidc: required claim hd value does not match. Got = x, want = example.com',
    );
    expect(() => map({ sub: 'a', hd: ['example.com'] })).toThrow('oidc: parse claim hd');
  });

  it('in CEL demands that it is true, and says its message', () => {
    const expression = 'claims.exp - claims.iat <= 86400';
    const map = claimMapper(config({ claimValidationRules: [{ expression, message: 'at most a day' }] }));
    expect(map({ sub: 'a', iat: 1, exp: 2 }).name).toBe('a');
    expect(() => map({ sub: 'a', iat: 1, exp: 99_999 })).toThrow(
      `oidc: error evaluating claim validation expression: validation expression '${expression}' failed: at most a day`,
    );
    expect(() => map({ sub: 'a' })).toThrow('oidc: error evaluating claim validation expression: no such key');
  });

  it('about the user sees what the claims were mapped to', () => {
    const expression = "!user.username.startsWith('system:') && user.groups.all(g, !g.startsWith('system:'))";
    const map = claimMapper(
      config({
        claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'groups', prefix: '' } },
        userValidationRules: [
          { expression, message: 'reserved' },
          { expression: 'user.uid == "" && user.extra == {}' },
        ],
      }),
    );
    expect(map({ sub: 'a', groups: ['b'] }).name).toBe('a');
    expect(() => map({ sub: 'system:admin' })).toThrow('failed: reserved');
    expect(() => map({ sub: 'a', groups: ['system:masters'] })).toThrow('failed: reserved');
    expect(() => map({ sub: 'a', jti: 'x' })).toThrow('failed');
  });
});
