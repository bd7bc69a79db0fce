import { expect, it } from 'vitest';
import { AuthToken, type SendUnauthenticated } from './auth-token.ts';
import { ProtoWriter } from './proto-writer.ts';

/** Gives out `token-1`, `token-2`, ... */
function logins(): SendUnauthenticated {
  let count = 0;
  return async () => {
    count += 1;
    const writer = new ProtoWriter(100);
    writer.bytes(2, Buffer.from(`token-${count}`));
    return writer.finish();
  };
}

const NOTHING = { authCanChange: false, onCredentialsError: () => undefined };

it('a token is forgotten when etcd refuses it, but not the one that has replaced it meanwhile', async () => {
  const token = new AuthToken({ ...NOTHING, auth: () => ({ username: 'ann', password: 'secret' }) });
  const send = logins();
  expect(token.metadata).toBeUndefined();
  const first = await token.renew(send);
  expect(token.metadata).toEqual({ hasleader: 'true', token: 'token-1' });
  token.invalidate(first);
  expect(token.metadata).toBeUndefined();
  await token.renew(send);
  // A slow call that was sent with the first one hears of it only now.
  token.invalidate(first);
  expect(token.metadata).toEqual({ hasleader: 'true', token: 'token-2' });
});

it('without authentication there is nothing to forget', () => {
  const token = new AuthToken({ ...NOTHING, auth: undefined });
  const { metadata } = token;
  expect([token.renewable, metadata]).toEqual([false, { hasleader: 'true' }]);
  if (metadata !== undefined) token.invalidate(metadata);
  expect(token.metadata).toBe(metadata);
});
