/** Resolves the name of a target and checks what it stands for. */

import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Asks the system for every address of a name. */
export type ResolveName = (name: string, options: LookupOptions, told: ToldAddresses) => void;

/** Is told every address of a name. */
export type ToldAddresses = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void;

/**
 * The `lookup` of a connection. `check` throws for an address that must not be connected to. It sees the addresses that the connection
 * will use: a name that was checked earlier can stand for another address by then.
 */
export function checkedLookup(check: (address: string) => void, resolve: ResolveName = resolveAll): LookupFunction {
  return (name, options, done) => {
    resolve(name, options, (error, found) => {
      if (error !== null) return done(error, []);
      try {
        for (const { address } of found) check(address);
      } catch (refusal) {
        return done(refusal instanceof Error ? refusal : new Error(String(refusal)), []);
      }
      const [first] = found;
      if (options.all === true || first === undefined) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

function resolveAll(name: string, options: LookupOptions, told: ToldAddresses): void {
  lookup(name, { ...options, all: true }, told);
}
