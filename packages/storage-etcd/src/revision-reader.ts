/** The store's two bounds: the newest revision, and the one that it is compacted to. */

import type { AbortOptions, Clock, Revision } from '@listwatch/storage';
import { StorageError } from '@listwatch/storage';
import { compactedError, futureRevisionError } from '@listwatch/storage/internal';
import type { EtcdClient } from './etcd-client.ts';
import { isAnswer } from './etcd-error.ts';
import { EtcdWatchStream } from './etcd-watch-stream.ts';
import type { KeySpace } from './key-space.ts';
import { decodeHeaderRevision, encodeCount, KV_RANGE } from './kv-messages.ts';
import { encodeWatchCreate, WATCH } from './watch-messages.ts';

/** etcd looks through its new watches every 100 ms; one that is not refused after this long will not be. */
const PROBE_MS = 2000;

/** etcd says that a revision is outside the history, but not where the history begins or ends: this finds out. */
export class RevisionReader {
  readonly #client: EtcdClient;
  readonly #keys: KeySpace;
  readonly #clock: Clock;
  #seen = 0;

  constructor(client: EtcdClient, keys: KeySpace, clock: Clock) {
    this.#client = client;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** The newest revision that etcd has named; 0 before the first answer. */
  get seen(): number {
    return this.#seen;
  }

  /** Notes a revision that etcd has named. */
  saw(revision: number): void {
    if (revision > this.#seen) this.#seen = revision;
  }

  /** The newest revision, agreed on by the cluster. */
  async current({ signal }: AbortOptions = {}): Promise<number> {
    const request = encodeCount(this.#keys.nothing);
    const revision = decodeHeaderRevision(await this.#client.call(KV_RANGE, request, { write: false, signal }));
    this.saw(revision);
    return revision;
  }

  /**
   * Throws `COMPACTED` when the cluster agrees on a revision before `position`, which it had reached: it has been
   * restored from a backup. A watch would wait there in silence while the state below it has changed.
   */
  async refuseRestored(position: number): Promise<void> {
    if (position > this.#seen) return;
    const current = await this.current();
    if (current >= position) return;
    throw new StorageError(
      'COMPACTED',
      `revision ${position} is gone: etcd stands at ${current}, so it has been restored from a backup`,
      { revision: BigInt(current) },
    );
  }

  /**
   * Turns etcd's answer to something at revision `asked` into the error of the contract, and throws it; other errors
   * are thrown as they are. Returns when the revision has come about in the meantime: then it can be tried again.
   */
  async explain(error: unknown, asked: Revision, options: AbortOptions): Promise<void> {
    if (isAnswer(error, 'compacted')) throw compactedError(asked, BigInt(await this.#compacted(asked, options)));
    if (!isAnswer(error, 'future')) throw error;
    const current = BigInt(await this.current(options));
    if (current < asked) throw futureRevisionError(asked, current);
  }

  /**
   * The compacted revision, which is known to be at least `asked`. Only the refusal of a watch names it, so a watch from
   * the beginning of time is opened on a key that never exists.
   */
  async #compacted(asked: Revision, { signal }: AbortOptions): Promise<number> {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const stream = await this.#client.stream(WATCH).then(
        (opened) => new EtcdWatchStream(opened, this.#keys.rootBytes),
        () => undefined,
      );
      if (stream === undefined) continue;
      const enough = this.#clock.after(PROBE_MS, () => stream.cancel());
      const abort = (): void => stream.cancel();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        stream.send(encodeWatchCreate({ key: this.#keys.nothing, rangeEnd: Buffer.alloc(0) }, 1));
        for (let response = await stream.next(); response !== undefined; response = await stream.next()) {
          if (response.compactRevision > 0) return response.compactRevision;
          if (response.canceled) break;
        }
        signal?.throwIfAborted();
      } finally {
        enough();
        signal?.removeEventListener('abort', abort);
        stream.cancel();
      }
      // A watch from 1 that is let in: the store is compacted to 1, the only revision that this can be asked about.
      if (asked === 1n) return 1;
    }
    throw new StorageError('UNAVAILABLE', `revision ${asked} has been compacted, but etcd did not say how far`);
  }
}
