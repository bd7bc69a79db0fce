/** Resolves the names of hosts, and refuses addresses that must not be connected to. */

import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Throws for an address that must not be connected to. */
export type AddressCheck = (address: string) => void;

/** Is told every address of a name. */
type ToldAddresses = (error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void;

/**
 * Asks the system for the addresses of names, one question at a time for each: the four threads that ask also pack answers and
 * read files, and a name whose server does not answer would take all of them.
 */
export class NameQuestions {
  readonly #waiting = new Map<string, ToldAddresses[]>();

  ask(name: string, options: LookupOptions, told: ToldAddresses): void {
    const key = `${name} ${options.family ?? 0} ${options.hints ?? 0}`;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      waiting.push(told);
      return;
    }
    const all = [told];
    this.#waiting.set(key, all);
    lookup(name, { ...options, all: true }, (error, found) => {
      this.#waiting.delete(key);
      for (const one of all) one(error, found);
    });
  }
}

/**
 * The `lookup` of a connection. `check` sees the addresses that the connection will use: a name that was checked earlier can
 * stand for another address by then.
 */
export function checkedLookup(check: AddressCheck, questions: NameQuestions = new NameQuestions()): LookupFunction {
  return (name, options, done) => {
    questions.ask(name, options, (error, found) => {
      if (error !== null) return done(error, []);
      try {
        for (const { address } of found) check(address);
      } catch (refusal) {
        return done(refusal instanceof Error ? refusal : new Error(String(refusal)), []);
      }
      const [first] = found;
      if (options.all === true || first === undefined) done(null, [...found]);
      else done(null, first.address, first.family);
    });
  };
}
