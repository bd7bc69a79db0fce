/** What a primary and its readers tell one another over the channel of the process. */

import type { ReaderTicket } from '@listwatch/relay/internal';
import type { HttpServerAddress } from '@listwatch/server/internal';

/** To a reader. */
export type ToReader =
  | { readonly type: 'begin'; readonly ticket: ReaderTicket; readonly port: number; readonly seats: SeatShare }
  | { readonly type: 'metrics'; readonly id: number }
  | { readonly type: 'end' };

/** To the primary. */
export type FromReader =
  | { readonly type: 'ready' }
  | { readonly type: 'serving'; readonly address: HttpServerAddress }
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly code: string | undefined;
      readonly syscall: string | undefined;
      readonly port: number | undefined;
    }
  | { readonly type: 'metrics'; readonly id: number; readonly text: string };

/** Requests at one time in one reader. 0 is no limit. */
export interface SeatShare {
  readonly reads: number;
  readonly mutating: number;
}

/** All readers together take what one server takes. */
export function seatShare(reads: number, mutating: number, readers: number): SeatShare {
  return { reads: Math.ceil(reads / readers), mutating: Math.ceil(mutating / readers) };
}
