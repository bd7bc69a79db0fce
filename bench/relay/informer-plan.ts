/** What the parent and the processes with informers tell each other. */

/** To a process with informers. */
export type InformerOrder =
  /** Starts that many, some at a time: each has all objects when it gets the bookmark behind them. Then they are closed. */
  | {
      readonly type: 'sync';
      readonly url: string;
      readonly token: string;
      readonly path: string;
      readonly count: number;
      readonly atOnce: number;
    }
  /** Opens that many watches after a version; each resumes by its own one whenever it ends. */
  | {
      readonly type: 'follow';
      readonly url: string;
      readonly token: string;
      readonly path: string;
      readonly count: number;
      readonly from: string;
    }
  | { readonly type: 'report' };

/** From a process with informers. */
export type InformerAnswer =
  | { readonly type: 'synced'; readonly ms: readonly number[]; readonly cpuMicros: number }
  | { readonly type: 'following' }
  | FollowReport
  | { readonly type: 'failed'; readonly message: string };

/** What the followers have seen. */
export interface FollowReport {
  readonly type: 'report';
  /** How many have seen so many events with these versions in this order: `count:hash`. */
  readonly stories: readonly (readonly [story: string, followers: number])[];
  readonly reconnects: number;
  /** Resumes that were answered with 410, at once or in the stream. */
  readonly relists: number;
  /** Versions that were not above the one before. */
  readonly repeated: number;
  /** When each follower got its first event after its last reconnect, by `monotonicMs`. */
  readonly resumedAt: readonly number[];
}
