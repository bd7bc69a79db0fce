/** Asks etcd how far a watch has come until the answer is good enough. */

import type { CancelTimer, Clock } from '@listwatch/storage';

/** etcd does not answer for a watch that is still catching up, so the question is repeated, as kube-apiserver does. */
const REPEAT_MS = 100;

/** What the requests need. */
export interface ProgressRequestsOptions {
  readonly clock: Clock;
  /** The store's revision now, by a read that every member must agree to. */
  readonly revision: () => Promise<number>;
  /** Puts the question on the stream, if there is one. */
  readonly send: () => void;
}

/**
 * A member may lag behind the cluster, so its word on progress is held against the store's revision at the time of the
 * request, and asked for again until it has reached that.
 */
export class ProgressRequests {
  readonly #options: ProgressRequestsOptions;
  /** A request came for which the store's revision has not been read yet. */
  #unread = false;
  #reading = false;
  /** The revision that has to be reported. */
  #goal: number | undefined;
  /** What was reported since the last request. */
  #reported = -1;
  #cancel: CancelTimer | undefined;
  #stopped = false;

  constructor(options: ProgressRequestsOptions) {
    this.#options = options;
  }

  /** Ask. */
  request(): void {
    if (this.#stopped) return;
    this.#unread = true;
    this.#reported = -1;
    this.#options.send();
    void this.#readGoal();
  }

  /** A batch of this revision has gone to the consumer. */
  delivered(revision: number): void {
    this.#reported = revision;
    this.#settle();
  }

  /** The stream is open (again): what was asked on the last one is lost. */
  streamCreated(): void {
    if (this.#goal !== undefined || this.#unread || this.#reading) this.#options.send();
  }

  /** No more questions. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  async #readGoal(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    while (this.#unread && !this.#stopped) {
      this.#unread = false;
      try {
        this.#goal = Math.max(this.#goal ?? 0, await this.#options.revision());
      } catch {
        // The cluster is away. The question stands, and is repeated below.
        this.#unread = true;
        break;
      }
    }
    this.#reading = false;
    this.#settle();
    this.#repeat();
  }

  #settle(): void {
    if (this.#goal === undefined || this.#unread || this.#reading || this.#reported < this.#goal) return;
    this.#goal = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #repeat(): void {
    this.#cancel?.();
    if (this.#stopped || (this.#goal === undefined && !this.#unread)) return;
    this.#cancel = this.#options.clock.after(REPEAT_MS, () => {
      this.#options.send();
      if (this.#unread) void this.#readGoal();
      else this.#repeat();
    });
  }
}
