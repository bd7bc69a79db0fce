import { isUnauthorized } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { certificateAuthenticator } from './authentication/certificate-authenticator.ts';
import {
  ANONYMOUS,
  authenticated,
  bearerToken,
  firstAuthenticator,
  hasSpacedToken,
  tokenAuthenticator,
} from './authenticator.ts';

const tokens = tokenAuthenticator(new Map([['t', { name: 'admin', groups: ['system:masters'] }]]));
const both = firstAuthenticator([certificateAuthenticator(), tokens]);
const certificate = { commonName: 'ann', organizations: ['dev'], trusted: true };

async function refused(credentials: Parameters<typeof both.authenticate>[0], with_ = both): Promise<boolean> {
  try {
    await with_.authenticate(credentials);
    return false;
  } catch (error) {
    return isUnauthorized(error);
  }
}

describe('the user of a request', () => {
  it('with a known token joins the authenticated', async () => {
    expect(await both.authenticate({ token: 't' })).toEqual({
      name: 'admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });

  it('with a certificate is its common name in the groups of its organizations', async () => {
    expect(await both.authenticate({ certificate })).toEqual({ name: 'ann', groups: ['dev', 'system:authenticated'] });
  });

  it('with nothing is anonymous, unless that is forbidden', async () => {
    expect(await both.authenticate({})).toBe(ANONYMOUS);
    expect(await refused({}, firstAuthenticator([tokens], { anonymous: false }))).toBe(true);
  });

  it('with a wrong token is nobody, and not anonymous either', async () => {
    expect(await refused({ token: 'x' })).toBe(true);
    expect(await refused({ token: 'x' }, firstAuthenticator([]))).toBe(true);
  });

  it('with a certificate of another authority is nobody, and without a name in it anonymous', async () => {
    expect(await refused({ certificate: { ...certificate, trusted: false } })).toBe(true);
    expect(await both.authenticate({ certificate: { ...certificate, commonName: '' } })).toBe(ANONYMOUS);
  });

  it('is known by a right token in spite of a wrong certificate', async () => {
    const user = await both.authenticate({ token: 't', certificate: { ...certificate, trusted: false } });
    expect(user?.name).toBe('admin');
  });

  it('does not join the authenticated when it is said to be unauthenticated', () => {
    const user = { name: 'x', groups: ['system:unauthenticated'] };
    expect(authenticated(user)).toBe(user);
  });
});

it.each([
  ['Bearer abc', 'abc', false],
  ['bearer abc', 'abc', false],
  ['  Bearer abc  ', 'abc', false],
  ['Bearer abc def', 'abc', false],
  ['Bearer', undefined, false],
  ['Bearer  abc', undefined, true],
  ['Bearer   abc', undefined, true],
  ['Bearer  abc def', undefined, true],
  ['Bearer  ', undefined, false],
  ['Basic abc', undefined, false],
  ['', undefined, false],
  [undefined, undefined, false],
])('the token of %j is %j, and a space too many is %j', (header, token, isSpaced) => {
  expect(bearerToken(header)).toBe(token);
  expect(hasSpacedToken(header)).toBe(isSpaced);
});
