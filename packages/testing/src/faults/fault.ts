/** A fault that has been put in place, and the way to take it away again. */

import type { TransportRequest } from '@listwatch/client';

/** `using` takes it away at the end of the block. */
export interface Fault extends Disposable {
  /** How often it has struck: requests refused, watches cut, frames dropped. */
  readonly hits: number;
  /** Takes it away. What it has broken stays broken, what it holds back goes on. Safe to call twice. */
  restore(): void;
}

/** Options of every fault. */
export interface FaultOptions {
  /** Which exchanges it is about. Default: all that it can be about. */
  readonly match?: ((request: TransportRequest) => boolean) | undefined;
  /** How often it strikes before it takes itself away. Default: until `restore`, unless the fault says otherwise. */
  readonly times?: number | undefined;
}

/** How a body ends: `broken` throws `CLOSED`, as a lost connection does; `clean` ends as if all had been said. */
export type EndOfBody = 'broken' | 'clean';
