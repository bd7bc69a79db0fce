/** The cookie of a browser that has logged in: signed, so that the door remembers nothing. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@listwatch/api';

/** Long enough for a day's work, short enough for a cookie that was copied. It is not renewed. */
export const SESSION_MS: number = 8 * 60 * 60 * 1000;

/** Options of {@link SessionCookies}. */
export interface SessionCookieOptions {
  /** Signs the cookies: one with another key is worth nothing. */
  readonly key: Uint8Array;
  /** Browsers send a cookie to every port of a host: doors on two ports need two names. */
  readonly name: string;
  /** What the login allows. A cookie for reading does not become one for writing. */
  readonly access: string;
  readonly clock: Clock;
}

/** A cookie looks like `mbx3k1.NONCE.SIGNATURE`; anything longer is not ours. */
const VALUE = /^([0-9a-z]{1,12})\.([\w-]{22})\.([\w-]{43})$/u;
/** Another program on this host can add cookies of our name; so many are looked at. */
const CANDIDATES_MAX = 8;

/** Issues and checks cookies. */
export class SessionCookies {
  readonly #options: SessionCookieOptions;

  constructor(options: SessionCookieOptions) {
    this.#options = options;
  }

  /** The value of `Set-Cookie`. Without `Secure`: the door speaks plain HTTP, and Safari would not take it. */
  issue(): string {
    const { name, clock } = this.#options;
    const content = `${(clock.now() + SESSION_MS).toString(36)}.${randomBytes(16).toString('base64url')}`;
    const value = `${content}.${this.#sign(content).toString('base64url')}`;
    return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_MS / 1000}`;
  }

  /** When the login ends, in milliseconds since 1970; undefined: there is none. */
  check(header: string | undefined): number | undefined {
    const { name, clock } = this.#options;
    const prefix = `${name}=`;
    const values = (header ?? '').split(';').map((part) => part.trim());
    for (const value of values.filter((part) => part.startsWith(prefix)).slice(0, CANDIDATES_MAX)) {
      const expiresAt = this.#expiry(value.slice(prefix.length));
      if (expiresAt !== undefined && expiresAt > clock.now()) return expiresAt;
    }
    return undefined;
  }

  #expiry(value: string): number | undefined {
    const [, expires = '', nonce = '', signature = ''] = VALUE.exec(value) ?? [];
    if (signature === '') return undefined;
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#sign(`${expires}.${nonce}`);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return Number.parseInt(expires, 36);
  }

  #sign(content: string): Buffer {
    const { key, name, access } = this.#options;
    return createHmac('sha256', key).update(`${name} ${access} ${content}`).digest();
  }
}
