/** Keys with a time to live: rows of the `expiry` table, soonest first. */

import type { CancelTimer, Clock } from '@listwatch/storage';
import { decodeRevision, encodeRevision } from './log-record.ts';
import type { Tables } from './tables.ts';

/** Rows taken at once, so that a flood of expired Events does not delay other commits. */
const BATCH = 500;
const REVISION_OFFSET = 8;
const ROW_BYTES = 16;
/** The revision of a row that cannot be decoded: no key ever has it, so that the row goes and the key stays. */
const NO_REVISION = -1;
/** LMDB has no empty keys, and a damaged row may be shorter than eight zeros. */
const FIRST_ROW: Buffer = Buffer.from([0]);

/** A row that is due. */
export interface DueKey {
  readonly key: string;
  /** The commit that wrote the TTL: the key is deleted only if it still stands there. */
  readonly revision: number;
  /** The row itself, to be removed with the key. */
  readonly row: Buffer;
}

/** The row key: when, then which commit. */
export function encodeExpiryRow(due: number, revision: number): Buffer {
  return Buffer.concat([encodeRevision(Math.ceil(due)), encodeRevision(revision)]);
}

/** Deletes keys when their rows are due. */
export class Expiry {
  readonly #tables: Tables;
  readonly #clock: Clock;
  readonly #expire: (due: readonly DueKey[]) => Promise<void>;
  #timer: { readonly due: number; readonly cancel: CancelTimer } | undefined;
  #state: 'waiting' | 'expiring' | 'closed' = 'waiting';

  constructor(tables: Tables, clock: Clock, expire: (due: readonly DueKey[]) => Promise<void>) {
    this.#tables = tables;
    this.#clock = clock;
    this.#expire = expire;
  }

  /** Sets the timer for the soonest row; called after a row was written and when the store is opened. */
  schedule(due: number | undefined = this.#soonest()): void {
    if (due === undefined || this.#state !== 'waiting' || (this.#timer !== undefined && this.#timer.due <= due)) return;
    this.#timer?.cancel();
    const wait = Math.max(0, due - this.#clock.now());
    this.#timer = { due, cancel: this.#clock.after(wait, () => void this.#run()) };
  }

  close(): void {
    this.#state = 'closed';
    this.#timer?.cancel();
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    if (this.#state !== 'waiting') return;
    this.#state = 'expiring';
    let retryIn = 0;
    try {
      await this.#expire(this.#due());
    } catch {
      // The disk is full or the store is closing: the rows stay, and the next attempt takes them again.
      retryIn = 1000;
    }
    // `close` may have happened meanwhile; the compiler cannot know.
    if ((this.#state as string) === 'closed') return;
    this.#state = 'waiting';
    const soonest = this.#soonest();
    this.schedule(soonest === undefined ? undefined : Math.max(soonest, this.#clock.now() + retryIn));
  }

  #soonest(): number | undefined {
    for (const row of this.#tables.expiry.keys(FIRST_ROW))
      return row.length < REVISION_OFFSET ? 0 : decodeRevision(row, 0);
    return undefined;
  }

  #due(): readonly DueKey[] {
    const due: DueKey[] = [];
    const { expiry } = this.#tables;
    for (const row of expiry.walk(FIRST_ROW, encodeRevision(this.#clock.now() + 1))) {
      const key = expiry.value((bytes, length) => bytes.toString('utf8', 0, length));
      const revision = row.length === ROW_BYTES ? decodeRevision(row, REVISION_OFFSET) : NO_REVISION;
      due.push({ key, revision, row });
      if (due.length === BATCH) break;
    }
    return due;
  }
}
