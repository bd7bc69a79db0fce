/**
 * The logins of browsers. Each has a cookie and a key, and every request needs both: browsers send the cookie to all ports of
 * a host, the key is in the storage of this origin alone.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@listwatch/api';
import type { LogoutStore } from './logout-file.ts';

/** Long enough for a day's work, short enough for a cookie that was copied. It is not renewed. */
export const SESSION_MS: number = 8 * 60 * 60 * 1000;

/** Options of {@link LoginSessions}. */
export interface LoginSessionOptions {
  /** Signs cookies and makes keys: a cookie of another secret is worth nothing. */
  readonly secret: Uint8Array;
  /** Of the cookie. Browsers send a cookie to every port of a host: doors on two ports need two names. */
  readonly name: string;
  /** What a login allows. One for reading does not become one for writing. */
  readonly access: string;
  readonly clock: Clock;
  /** Where logouts are kept, for a secret that outlives the process. Default: in memory alone. */
  readonly logouts?: LogoutStore | undefined;
}

/** A login that is valid. */
export interface LoginSession {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What a browser gets for a code. */
export interface NewLogin {
  /** The value of `Set-Cookie`. */
  readonly cookie: string;
  /** For the page: it proves that a request comes from this origin. */
  readonly key: string;
}

/** A cookie looks like `mbx3k1.ID.SIGNATURE`; anything longer is not ours. */
const VALUE = /^([0-9a-z]{1,12})\.([\w-]{22})\.([\w-]{43})$/u;
/** Another program on this host can add cookies of our name; so many are looked at. */
const CANDIDATES_MAX = 8;
/** Logouts that are remembered. Each needs a login by a code of the terminal, so that nobody else can fill this up. */
const ENDED_MAX = 1024;

/** Begins, checks and ends logins. Of a login nothing is kept: the cookie is signed, and the key is made of it. */
export class LoginSessions {
  readonly #options: LoginSessionOptions;
  /** Logouts and when their cookies would have ended. */
  readonly #ended: Map<string, number>;
  readonly #endListeners = new Map<string, Set<() => void>>();

  constructor(options: LoginSessionOptions) {
    this.#options = options;
    this.#ended = new Map(options.logouts?.load());
  }

  begin(): NewLogin {
    const { name, clock } = this.#options;
    const content = `${(clock.now() + SESSION_MS).toString(36)}.${randomBytes(16).toString('base64url')}`;
    const value = `${content}.${this.#sign('cookie', content).toString('base64url')}`;
    return {
      // Without `Secure`: the door speaks plain HTTP, and Safari would not take it.
      cookie: `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_MS / 1000}`,
      key: this.#sign('key', content).toString('base64url'),
    };
  }

  /** The login of a request by its `Cookie` and its key; undefined: there is none. */
  check(cookies: string | undefined, key: string | undefined): LoginSession | undefined {
    if (key === undefined) return undefined;
    const prefix = `${this.#options.name}=`;
    const values = (cookies ?? '').split(';').map((part) => part.trim());
    for (const value of values.filter((part) => part.startsWith(prefix)).slice(0, CANDIDATES_MAX)) {
      const session = this.#session(value.slice(prefix.length), key);
      if (session !== undefined) return session;
    }
    return undefined;
  }

  /** Ends a login before its time. The result is the `Set-Cookie` that removes its cookie. */
  end({ id, expiresAt }: LoginSession): string {
    const now = this.#options.clock.now();
    for (const [known, until] of this.#ended)
      if (until <= now || this.#ended.size >= ENDED_MAX) this.#ended.delete(known);
    this.#ended.set(id, expiresAt);
    this.#options.logouts?.save(this.#ended);
    for (const listener of this.#endListeners.get(id) ?? []) listener();
    return `${this.#options.name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;
  }

  /** Calls `listener` when the login ends, by time or by a logout, until the result is called. */
  onEnd({ id, expiresAt }: LoginSession, listener: () => void): () => void {
    const { clock } = this.#options;
    const cancel = clock.after(Math.max(0, expiresAt - clock.now()), listener);
    const listeners = this.#endListeners.get(id) ?? new Set();
    this.#endListeners.set(id, listeners.add(listener));
    return () => {
      cancel();
      listeners.delete(listener);
      if (listeners.size === 0) this.#endListeners.delete(id);
    };
  }

  #session(value: string, key: string): LoginSession | undefined {
    const [, expires = '', id = '', signature = ''] = VALUE.exec(value) ?? [];
    const content = `${expires}.${id}`;
    if (!isSame(signature, this.#sign('cookie', content)) || !isSame(key, this.#sign('key', content))) return undefined;
    const expiresAt = Number.parseInt(expires, 36);
    return expiresAt > this.#options.clock.now() && !this.#ended.has(id) ? { id, expiresAt } : undefined;
  }

  /** The purpose keeps a signature, which every port of the host sees, from being a key. */
  #sign(purpose: 'cookie' | 'key', content: string): Buffer {
    const { secret, name, access } = this.#options;
    return createHmac('sha256', secret).update(`${purpose} ${name} ${access} ${content}`).digest();
  }
}

/** As text: two spellings of the same bytes are two texts. */
function isSame(text: string, expected: Buffer): boolean {
  const given = Buffer.from(text);
  const wanted = Buffer.from(expected.toString('base64url'));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
