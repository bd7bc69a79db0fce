import { isUnauthorized } from '@listwatch/api';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import {
  ANONYMOUS,
  type Authenticator,
  type Credentials,
  firstAuthenticator,
  tokenAuthenticator,
} from '../authenticator.ts';
import { CredentialProblem } from '../credential-problem.ts';
import { AuthenticatorChain, type AuthenticatorChainParts } from './authenticator-chain.ts';
import { certificateAuthenticator } from './certificate-authenticator.ts';

const ANN = { name: 'ann', groups: ['dev'] };
const CERTIFICATE = { commonName: 'cert', organizations: [], trusted: true };
const failing = (message: string): Authenticator => ({
  authenticate: ({ token }) => {
    if (token === undefined) return undefined;
    throw new CredentialProblem(message);
  },
});
const known = tokenAuthenticator(new Map([['t', ANN]]));

function chain(parts: Partial<AuthenticatorChainParts> = {}): AuthenticatorChain {
  return new AuthenticatorChain({ identity: [certificateAuthenticator()], tokens: [known], ...parts });
}

async function nameOf(of: AuthenticatorChain, credentials: Credentials): Promise<string | undefined> {
  try {
    return (await of.authenticate(credentials)).name;
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    return '401';
  }
}

describe('the chain', () => {
  it('prefers a certificate to a token, and a right credential to a wrong one', async () => {
    expect(await nameOf(chain(), { certificate: CERTIFICATE, token: 't' })).toBe('cert');
    expect(await nameOf(chain(), { certificate: CERTIFICATE, token: 'bad' })).toBe('cert');
    expect(await nameOf(chain(), { certificate: { ...CERTIFICATE, trusted: false }, token: 't' })).toBe('ann');
  });

  it('goes on after an error, and refuses the request when nobody else knows the user', async () => {
    const seen: string[] = [];
    const tokens = [failing('oidc: expired'), known];
    const of = chain({ tokens, onRefused: (problem) => seen.push(problem) });
    expect(await nameOf(of, { token: 't' })).toBe('ann');
    expect(await nameOf(of, { token: 'x' })).toBe('401');
    expect(await nameOf(of, { certificate: { ...CERTIFICATE, trusted: false } })).toBe('401');
    expect(seen).toEqual(['invalid bearer token, oidc: expired', 'x509: the client certificate cannot be verified']);
  });

  it('lets anonymous requests pass: all, none, or those to some paths', async () => {
    expect(await chain().authenticate({})).toBe(ANONYMOUS);
    expect(await nameOf(chain({ anonymous: false }), { path: '/livez' })).toBe('401');
    const some = chain({ anonymous: { paths: ['/livez'] } });
    expect(await nameOf(some, { path: '/livez' })).toBe('system:anonymous');
    expect(await nameOf(some, { path: '/livez/' })).toBe('401');
    expect(await nameOf(some, {})).toBe('401');
    expect(await nameOf(some, { path: '/livez', token: 'x' })).toBe('401');
  });

  it("asks a program's own authenticator, whose anonymous does not hide others", async () => {
    const tokens = [tokenAuthenticator(new Map([['sa', { name: 'sa', groups: [] }]]))];
    const given = firstAuthenticator([certificateAuthenticator(), known]);
    const of = chain({ identity: [], tokens, given, anonymous: false });
    expect(await nameOf(of, { token: 't' })).toBe('ann');
    expect(await nameOf(of, { token: 'sa' })).toBe('sa');
    expect(await nameOf(of, { token: 'sa', certificate: CERTIFICATE })).toBe('cert');
    expect(await nameOf(of, { token: 'sa', certificate: { ...CERTIFICATE, commonName: '' } })).toBe('sa');
    expect(await nameOf(of, {})).toBe('system:anonymous');
    expect(await nameOf(chain({ given: firstAuthenticator([], { anonymous: false }) }), {})).toBe('401');
  });

  it('does not take a failure of the server for a wrong credential', async () => {
    const broken = { authenticate: () => Promise.reject(new Error('caches are not filled')) };
    await expect(chain({ tokens: [broken] }).authenticate({ token: 'x' })).rejects.toThrow('caches are not filled');
    expect(await nameOf(chain({ tokens: [broken, known] }), { token: 't' })).toBe('ann');
  });

  it('says why a token is refused, for reviews', async () => {
    const of = chain({ tokens: [failing('oidc: expired')] });
    await expect(of.ownerOf('x')).rejects.toThrow('[invalid bearer token, oidc: expired]');
    await expect(chain().ownerOf('x')).rejects.toThrow(/^invalid bearer token$/u);
    expect(await chain().ownerOf('t')).toEqual({ name: 'ann', groups: ['dev', 'system:authenticated'] });
  });

  it('counts its results, and users only by a few names', async () => {
    const of = chain({
      anonymous: false,
      tokens: [tokenAuthenticator(new Map([['m', { name: 'a@b.c', groups: [] }]])), known],
    });
    for (const credentials of [{ token: 't' }, { token: 'm' }, { token: 'x' }, {}]) await nameOf(of, credentials);
    const registry = new Registry();
    of.counts.register(registry);
    const text = await registry.metrics();
    for (const line of ['{result="success"} 2', '{result="failure"} 1', '{result="error"} 1'])
      expect(text).toContain(`authentication_attempts${line}`);
    for (const line of ['{username="other"} 1', '{username="email_id"} 1'])
      expect(text).toContain(`authenticated_user_requests${line}`);
  });
});
