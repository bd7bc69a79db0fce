/** What a primary and its readers tell one another over the channel of the process. */

import type { ReaderTicket } from '@listwatch/relay/internal';
import type { ClientDoor, HttpServerAddress } from '@listwatch/server/internal';

/** To a reader. */
export type ToReader =
  | {
      readonly type: 'begin';
      readonly ticket: ReaderTicket;
      readonly address: HttpServerAddress;
      readonly seats: SeatShare;
    }
  /** A connection comes with it. */
  | { readonly type: 'connection'; readonly id: number; readonly door: ClientDoor }
  | { readonly type: 'metrics'; readonly id: number }
  | { readonly type: 'end' };

/** To the primary. */
export type FromReader =
  | { readonly type: 'ready' }
  | { readonly type: 'serving' }
  | { readonly type: 'failed'; readonly message: string }
  /** It has the connection, and has not read from it before. */
  | { readonly type: 'taken'; readonly id: number }
  | { readonly type: 'load'; readonly load: ReaderLoad }
  | { readonly type: 'metrics'; readonly id: number; readonly text: string };

/** What a reader has to do. */
export interface ReaderLoad {
  /** Connections that it has taken since it began. */
  readonly taken: number;
  /** Those of them that are open. */
  readonly open: number;
  readonly watches: number;
}

/** Requests at one time in one reader. 0 is no limit. */
export interface SeatShare {
  readonly reads: number;
  readonly mutating: number;
}

/** All readers together take what one server takes. */
export function seatShare(reads: number, mutating: number, readers: number): SeatShare {
  return { reads: Math.ceil(reads / readers), mutating: Math.ceil(mutating / readers) };
}
