/** Authenticates by bootstrap tokens, which are Secrets of kube-system: a new node joins a cluster with one. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@listwatch/storage';
import type { SecretLookup } from '../../contract/secret-lookup.ts';
import type { Authenticator } from '../authenticator.ts';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/u;
const TYPE = 'bootstrap.kubernetes.io/token';
const GROUP = 'system:bootstrappers';
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/u;

/** Where a Secret is. */
interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** The Secret that a token is in; undefined for a token of another form. */
export function bootstrapTokenSecret(token: string): SecretName | undefined {
  const [, id] = TOKEN.exec(token) ?? [];
  return id === undefined ? undefined : secretOf(id);
}

function secretOf(id: string): SecretName {
  return { namespace: 'kube-system', name: `bootstrap-token-${id}` };
}

/** Tokens of another form, and those that no valid Secret holds, are left to other authenticators. */
export function bootstrapTokenAuthenticator(secrets: SecretLookup, clock: Pick<Clock, 'now'>): Authenticator {
  return {
    authenticate({ token }) {
      const [, id, secret] = TOKEN.exec(token ?? '') ?? [];
      if (id === undefined || secret === undefined) return undefined;
      const { namespace, name } = secretOf(id);
      const found = secrets(namespace, name);
      if (found === undefined || found.isDeleting || found.type !== TYPE) return undefined;
      const { data } = found;
      // Compared in constant time: a wrong token must not tell how much of it is right.
      if (!isSame(data.get('token-secret') ?? '', secret) || data.get('token-id') !== id) return undefined;
      if (data.get('usage-bootstrap-authentication') !== 'true') return undefined;
      if (isExpired(data.get('expiration') ?? '', clock.now())) return undefined;
      const more = (data.get('auth-extra-groups') ?? '').split(',').filter((group) => group !== '');
      if (!more.every((group) => EXTRA_GROUP.test(group))) return undefined;
      return { name: `system:bootstrap:${id}`, groups: [...new Set([GROUP, ...more])].toSorted() };
    },
  };
}

/** A time that cannot be read counts as expired. */
function isExpired(expiration: string, now: number): boolean {
  return expiration !== '' && !(Date.parse(expiration) > now);
}

function isSame(one: string, other: string): boolean {
  return one !== '' && timingSafeEqual(hash(one), hash(other));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
