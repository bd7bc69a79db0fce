/** Credentials from a program, kept until they expire. */

import type { AbortOptions, Clock } from '@listwatch/api';
import { abortable } from '@listwatch/api/internal';
import { type ExecAnswer, type ExecSpec, runExecPlugin } from './exec-plugin.ts';
import type { UserCredentials } from './user-credentials.ts';

/** The program runs once for all who wait, when there is nothing yet, when it has expired, and after a 401. */
export class ExecCredentials implements UserCredentials {
  readonly #spec: ExecSpec;
  readonly #clock: Clock;
  #answer: ExecAnswer | undefined;
  #running: Promise<ExecAnswer> | undefined;
  onCertificate: (() => void) | undefined;

  constructor(spec: ExecSpec, clock: Clock) {
    this.#spec = spec;
    this.#clock = clock;
  }

  async headers({ signal }: AbortOptions = {}): Promise<Readonly<Record<string, string>>> {
    return headersOf(await abortable(this.#current(), signal));
  }

  async certificate(): Promise<{ readonly cert: string; readonly key: string } | undefined> {
    const { cert, key } = await this.#current();
    return cert === undefined || key === undefined ? undefined : { cert, key };
  }

  async renew(refused: Readonly<Record<string, string>>, { signal }: AbortOptions = {}): Promise<boolean> {
    const answer = this.#answer;
    // Another request was refused before and has renewed already: a hundred watches must not log in a hundred times.
    const stale = answer === undefined || headersOf(answer)['authorization'] === refused['authorization'];
    if (stale) await abortable(this.#run(), signal);
    return true;
  }

  async #current(): Promise<ExecAnswer> {
    const { expiresAt = Number.POSITIVE_INFINITY } = this.#answer ?? {};
    return this.#answer !== undefined && this.#clock.now() < expiresAt ? this.#answer : this.#run();
  }

  #run(): Promise<ExecAnswer> {
    this.#running ??= runExecPlugin(this.#spec)
      .then((answer) => {
        const before = this.#answer;
        this.#answer = answer;
        if (before !== undefined && before.cert !== answer.cert) this.onCertificate?.();
        return answer;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}

function headersOf({ token }: ExecAnswer): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
