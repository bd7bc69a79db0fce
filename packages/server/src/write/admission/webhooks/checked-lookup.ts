/** Resolves the names of hosts, and refuses addresses that must not be connected to. */

import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Throws for an address that must not be connected to. */
export type AddressCheck = (address: string) => void;

type Done = (error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void;

/**
 * A lookup for one client. The address is checked when it is used: a name can stand for another one the next time. One
 * question at a time for each name: a few threads resolve all names of the process, and a name whose server does not
 * answer would take all of them.
 */
export function checkedLookup(check: AddressCheck, resolve: typeof lookup = lookup): LookupFunction {
  const asked = new Map<string, Done[]>();
  return (name, options, done) => {
    const answer: Done = (error, found) => {
      if (error !== null) return done(error, []);
      try {
        for (const { address } of found) check(address);
      } catch (refusal) {
        return done(refusal instanceof Error ? refusal : new Error(String(refusal)), []);
      }
      const [first] = found;
      if (options.all === true || first === undefined) done(null, [...found]);
      else done(null, first.address, first.family);
    };
    const key = `${name} ${options.family ?? 0} ${options.hints ?? 0}`;
    const waiting = asked.get(key);
    if (waiting !== undefined) {
      waiting.push(answer);
      return;
    }
    const all = [answer];
    asked.set(key, all);
    resolve(name, { ...options, all: true }, (error, found) => {
      asked.delete(key);
      for (const one of all) one(error, found);
    });
  };
}
