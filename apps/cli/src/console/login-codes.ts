/** The one-time codes of login links. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';

/** How long a link can be opened. */
export const CODE_MS: number = 10 * 60 * 1000;
/** A new link beyond these ends the oldest. */
const CODES_MAX = 8;
/** 192 bits: nobody guesses one, however fast he asks. */
const CODE_BYTES = 24;
/** Wrong codes that are answered in a minute; the rest get 429. */
const WRONG_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** What a code is worth. `limited`: wrong, and too many wrong ones came in the last minute. */
export type CodeVerdict = 'limited' | 'right' | 'wrong';

/** Options of a code. */
export interface CodeOptions {
  /** Only for programs of this user: others on the machine may have read it. Default: false. */
  readonly forOwnUser?: boolean | undefined;
}

interface Code {
  readonly digest: Buffer;
  readonly expiresAt: number;
  readonly forOwnUser: boolean;
}

/** Keeps digests only: a dump of the memory has no link in it. */
export class LoginCodes {
  readonly #clock: Clock;
  #codes: readonly Code[] = [];
  #wrong = 0;
  #wrongSince = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new code. It works once, for ten minutes. */
  make({ forOwnUser = false }: CodeOptions = {}): string {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const expiresAt = monotonicMs(this.#clock) + CODE_MS;
    this.#codes = [...this.#live(), { digest: digestOf(code), expiresAt, forOwnUser }].slice(-CODES_MAX);
    return code;
  }

  /**
   * Takes a code: the right one is used up. It is looked at before the limit, so that a program that floods the door with
   * wrong codes cannot keep out the person who has the right one. A code for the own user is wrong, and stays, when another
   * one brings it.
   */
  take(code: string, isOwnUser: () => boolean): CodeVerdict {
    const digest = digestOf(code);
    const live = this.#live();
    // All are compared, so that the time does not tell which one was close.
    const matches = live
      .filter((one) => timingSafeEqual(one.digest, digest))
      .filter(({ forOwnUser }) => !forOwnUser || isOwnUser());
    this.#codes = live.filter((one) => !matches.includes(one));
    if (matches.length > 0) return 'right';
    return this.#countWrong() > WRONG_PER_MINUTE ? 'limited' : 'wrong';
  }

  #live(): readonly Code[] {
    const now = monotonicMs(this.#clock);
    return this.#codes.filter(({ expiresAt }) => expiresAt > now);
  }

  #countWrong(): number {
    const now = monotonicMs(this.#clock);
    if (now - this.#wrongSince >= MINUTE_MS) {
      this.#wrongSince = now;
      this.#wrong = 0;
    }
    this.#wrong += 1;
    return this.#wrong;
  }
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
