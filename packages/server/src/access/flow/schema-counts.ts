/** What is counted of one FlowSchema in one priority level. */

import { Buckets } from '../../contract/buckets.ts';
import type { Rejection } from './seat-queues.ts';

export type RejectionReason = Rejection | 'time-out';

const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** Only grows, but for the numbers of now. */
export class SchemaCounts {
  readonly schema: string;
  readonly level: string;
  readonly rejected: Record<RejectionReason, number> = { 'concurrency-limit': 0, 'queue-full': 0, 'time-out': 0 };
  dispatched = 0;
  noAccommodation = 0;
  waiting = 0;
  waitingSeats = 0;
  executing = 0;
  executingSeats = 0;
  /** Loop time of its requests, in milliseconds. */
  loopMs = 0;
  /** Waits of requests that were not refused at once; also those that timed out, as in Kubernetes. */
  readonly waits: Buckets = new Buckets(SECONDS);
  readonly refusedWaits: Buckets = new Buckets(SECONDS);
  readonly executions: Readonly<Record<'regular' | 'watch', Buckets>> = {
    regular: new Buckets(SECONDS),
    watch: new Buckets(SECONDS),
  };
  readonly queueLengths: Buckets = new Buckets([0, 10, 25, 50, 100, 250, 500, 1000]);
  /** Watchers of the kinds that its requests change. */
  readonly watchers: Buckets = new Buckets([0, 1, 10, 100, 1000, 10_000]);
  readonly seats: Buckets = new Buckets([1, 2, 4, 8, 16, 32, 64, 100]);

  constructor(schema: string, level: string) {
    this.schema = schema;
    this.level = level;
  }
}
