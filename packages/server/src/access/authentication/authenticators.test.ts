import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import type { CredentialSecret } from '../../contract/secret-lookup.ts';
import type { Authenticator, Credentials } from '../authenticator.ts';
import { CredentialProblem } from '../credential-problem.ts';
import { bootstrapTokenAuthenticator } from './bootstrap-token-authenticator.ts';
import { certificateAuthenticator } from './certificate-authenticator.ts';
import { frontProxyAuthenticator, type RequestHeaderOptions } from './front-proxy-authenticator.ts';

const proxy = { commonName: 'proxy', organizations: [], trusted: false, isFrontProxy: true };
const HEADERS = [
  'X-Remote-User',
  'ann',
  'X-Remote-Group',
  'a',
  'x-remote-group',
  'b',
  'X-Remote-Extra-Acme.io%2FScope',
  's',
];

function ask(credentials: Credentials, options: RequestHeaderOptions = {}): unknown {
  return frontProxyAuthenticator(options).authenticate(credentials);
}

describe('a front proxy', () => {
  it('names the user, its groups and extras in headers', () => {
    expect(ask({ certificate: proxy, rawHeaders: HEADERS })).toEqual({
      name: 'ann',
      groups: ['a', 'b'],
      extra: { 'acme.io/scope': ['s'] },
    });
  });

  it('may use other headers, and one for the uid', () => {
    const options = {
      usernameHeaders: ['X-A', 'X-B'],
      uidHeaders: ['X-Uid'],
      groupHeaders: ['X-G'],
      extraHeaderPrefixes: ['X-E-'],
    };
    const rawHeaders = ['x-b', 'bob', 'X-UID', '7', 'x-g', 'g', 'x-e-k', 'v', ...HEADERS];
    expect(ask({ certificate: proxy, rawHeaders }, options)).toEqual({
      name: 'bob',
      uid: '7',
      groups: ['g'],
      extra: { k: ['v'] },
    });
  });

  it('names users in UTF-8', () => {
    const rawHeaders = ['X-Remote-User', Buffer.from('zoë').toString('latin1')];
    expect(ask({ certificate: proxy, rawHeaders })).toMatchObject({ name: 'zoë' });
  });

  it('is believed only with a certificate of its authority and an allowed name', () => {
    const other = { ...proxy, trusted: true, isFrontProxy: false };
    expect(() => ask({ certificate: other, rawHeaders: HEADERS })).toThrow(CredentialProblem);
    expect(() => ask({ certificate: proxy, rawHeaders: HEADERS }, { allowedNames: ['x'] })).toThrow(
      'cn=proxy is not in',
    );
    expect(ask({ certificate: proxy, rawHeaders: HEADERS }, { allowedNames: ['proxy'] })).toMatchObject({
      name: 'ann',
    });
    expect(ask({ rawHeaders: HEADERS })).toBeUndefined();
  });

  it('that names nobody is left to other authenticators', () => {
    expect(
      ask({ certificate: proxy, rawHeaders: ['X-Remote-Group', 'system:masters', 'X-Remote-User', ''] }),
    ).toBeUndefined();
  });
});

describe('a client certificate', () => {
  it('has a uid and tells its own identity', () => {
    const certificate = {
      commonName: 'bob',
      organizations: ['devs', 'ops'],
      trusted: true,
      uid: '7',
      fingerprint: 'ab',
      serial: '1',
    };
    expect(certificateAuthenticator().authenticate({ certificate })).toEqual({
      name: 'bob',
      uid: '7',
      groups: ['devs', 'ops'],
      extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab'] },
    });
  });

  it('that is revoked is refused', () => {
    const certificate = { commonName: 'bob', organizations: [], trusted: true, serial: '0a' };
    const authenticator = certificateAuthenticator({ isRevoked: (serial) => serial === '0a' });
    expect(() => authenticator.authenticate({ certificate })).toThrow('certificate 0a is revoked');
  });
});

describe('a bootstrap token', () => {
  const TOKEN = 'abcdef.0123456789abcdef';
  const GOOD: Readonly<Record<string, string>> = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
    expiration: '2023-11-14T22:13:21Z',
  };
  const clock = new FakeClock();
  const tokens = (data: Readonly<Record<string, string>>, more: Partial<CredentialSecret> = {}): Authenticator =>
    bootstrapTokenAuthenticator(
      (namespace, name) =>
        namespace === 'kube-system' && name === 'bootstrap-token-abcdef'
          ? { type: 'bootstrap.kubernetes.io/token', data: new Map(Object.entries(data)), isDeleting: false, ...more }
          : undefined,
      clock,
    );

  it('is a user of the bootstrappers and of the groups of its Secret', () => {
    expect(tokens(GOOD).authenticate({ token: TOKEN })).toEqual({
      name: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'],
    });
  });

  it.each([
    ['expired', { expiration: '2023-11-14T22:13:20Z' }],
    ['with an unreadable time', { expiration: 'soon' }],
    ['of another secret', { 'token-secret': '0123456789abcdee' }],
    ['without a secret', { 'token-secret': '' }],
    ['of another id', { 'token-id': 'abcdeg' }],
    ['not meant for this', { 'usage-bootstrap-authentication': 'false' }],
    ['with a group of others', { 'auth-extra-groups': 'system:masters' }],
    ['with a group like theirs', { 'auth-extra-groups': 'system:bootstrappers' }],
  ])('%s is nobody', (_what, change) => {
    expect(tokens({ ...GOOD, ...change }).authenticate({ token: TOKEN })).toBeUndefined();
  });

  it('of a Secret of another type, or one that is being deleted, is nobody', () => {
    expect(tokens(GOOD, { type: 'Opaque' }).authenticate({ token: TOKEN })).toBeUndefined();
    expect(tokens(GOOD, { isDeleting: true }).authenticate({ token: TOKEN })).toBeUndefined();
  });

  it.each([
    '',
    'abcdef',
    'ABCDEF.0123456789abcdef',
    'abcdef.0123456789abcdef0',
    `${TOKEN}\n`,
    'zzzzzz.0123456789abcdef',
  ])('%j is none', (token) => expect(tokens(GOOD).authenticate({ token })).toBeUndefined());
});
