/** What can go wrong between a client and its server, on demand. `createFaults` makes one. */

import type { TransportDecorator } from '@listwatch/client';
import type { EndOfBody, Fault, FaultOptions } from './fault.ts';

/** Options of `cutWatches`. */
export interface CutOptions extends FaultOptions {
  /** Default: `broken`. A clean end waits for the end of the frame that is on its way. */
  readonly how?: EndOfBody | undefined;
  /**
   * Cuts every watch, those that run and those that come, after so many more events, until it is restored. Default: the
   * watches that run are cut now, and those that come are left alone.
   */
  readonly afterEvents?: number | undefined;
}

/** Options of `expire`. */
export interface ExpireOptions extends FaultOptions {
  /**
   * How a watch from that past is refused. `stream`, the default: 200, an ERROR event, and the end, as kube-apiserver does;
   * `open`: the answer itself is 410. Lists are always answered with 410.
   */
  readonly at?: 'open' | 'stream' | undefined;
  /** Does it end watches that run, with an ERROR event? Default: false, only what is asked from now on. */
  readonly running?: boolean | undefined;
}

/** Options of `tearFrame`. */
export interface TearOptions extends FaultOptions {
  /** Default: `broken`. `clean` is the worse one: a proxy that ends the answer as if it were whole. */
  readonly how?: EndOfBody | undefined;
}

/**
 * What can go wrong, on demand. Each fault returns its own switch; several work together, the older one first. Nothing is
 * left to chance: the same test sees the same bytes.
 */
export interface Faults {
  /** Put this into a client's transport, next to the wire. One `Faults` may decorate many transports. */
  readonly decorate: TransportDecorator;
  /** Watches that are open through it: 0 at the end of a test, or something has leaked. */
  readonly watches: number;
  /** Ends the watches that run, in the middle of the stream. */
  cutWatches(options?: CutOptions): Fault;
  /** No more bytes of any body; the connections stay, and after `restore` everything goes on. */
  stall(options?: FaultOptions): Fault;
  /**
   * Everything vanishes without a word: what runs falls silent for ever, what is sent never arrives. After `restore` new
   * requests work; what fell silent stays so, as a connection does whose peer has forgotten it.
   */
  halfOpen(options?: FaultOptions): Fault;
  /** Whoever asks for this version or an older one gets 410: watches from it, exact lists, continue tokens. */
  expire(resourceVersion: string, options?: ExpireOptions): Fault;
  /** The next `count` requests are answered with 429, and Retry-After when that is given. */
  tooManyRequests(count?: number, retryAfterSeconds?: number, options?: Omit<FaultOptions, 'times'>): Fault;
  /** Bookmarks are lost, but for the one that ends the initial events. */
  dropBookmarks(options?: FaultOptions): Fault;
  /** The bookmark that ends the initial events is lost, as with servers and proxies that do not know it. */
  dropInitialEventsEnd(options?: FaultOptions): Fault;
  /** The next frame of a watch is cut in the middle, and the body ends there. Strikes once, unless `times` says more. */
  tearFrame(options?: TearOptions): Fault;
  /** Every request is held back for so long before it is sent. Bodies are not. */
  delay(ms: number, options?: FaultOptions): Fault;
  /** Takes all faults away. */
  restoreAll(): void;
}
