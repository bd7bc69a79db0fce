import { isUnauthorized } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import {
  ANONYMOUS,
  bearerToken,
  certificateAuthenticator,
  firstAuthenticator,
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

  it('with a certificate of another authority, or without a name, is nobody', async () => {
    expect(await refused({ certificate: { ...certificate, trusted: false } })).toBe(true);
    expect(await refused({ certificate: { ...certificate, commonName: '' } })).toBe(true);
  });

  it('is known by a right token in spite of a wrong certificate', async () => {
    const user = await both.authenticate({ token: 't', certificate: { ...certificate, trusted: false } });
    expect(user?.name).toBe('admin');
  });
});

it.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['  Bearer abc  ', 'abc'],
  ['Bearer', undefined],
  ['Bearer  abc', undefined],
  ['Basic abc', undefined],
  ['', undefined],
  [undefined, undefined],
])('the token of %j is %j', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
