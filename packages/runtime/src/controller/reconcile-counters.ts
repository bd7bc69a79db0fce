/** What a controller counts. */

import type { EventMetrics, EventRecorder } from '../events/event-recorder.ts';
import { DurationHistogram, type DurationSum } from '../queue/duration-histogram.ts';
import type { WorkQueueMetrics } from '../queue/queue-counters.ts';

/** How a reconcile ended. */
export type ReconcileOutcome = 'error' | 'requeue_after' | 'success' | 'terminal_error' | 'timeout';

/** The numbers of a controller. */
export interface ControllerMetrics {
  /** Reconciles that ended, by how they did. */
  readonly reconciles: Readonly<Record<ReconcileOutcome, number>>;
  /** How long these took. */
  readonly duration: DurationSum;
  /** Reconciles that run now. */
  readonly active: number;
  readonly concurrency: number;
  /** Reconciles that have been running for longer than `warnAfterMs`. */
  readonly stuck: number;
  /** Reconciles that began although the caches did not show the writes of the one before in time. */
  readonly staleStarts: number;
  readonly queue: WorkQueueMetrics;
  /** What became of the Events of `ctx.recorder`. */
  readonly events: EventMetrics;
}

/** Counts. */
export class ReconcileCounters implements ControllerMetrics {
  readonly concurrency: number;
  readonly queue: WorkQueueMetrics;
  readonly duration: DurationHistogram = new DurationHistogram();
  readonly #recorder: Pick<EventRecorder, 'metrics'>;
  readonly #reconciles: Record<ReconcileOutcome, number> = {
    error: 0,
    requeue_after: 0,
    success: 0,
    terminal_error: 0,
    timeout: 0,
  };
  #active = 0;
  #staleStarts = 0;
  #stuck = 0;

  constructor(concurrency: number, queue: WorkQueueMetrics, recorder: Pick<EventRecorder, 'metrics'>) {
    this.concurrency = concurrency;
    this.queue = queue;
    this.#recorder = recorder;
  }

  get events(): EventMetrics {
    return this.#recorder.metrics;
  }

  get reconciles(): Readonly<Record<ReconcileOutcome, number>> {
    return this.#reconciles;
  }

  get active(): number {
    return this.#active;
  }

  get staleStarts(): number {
    return this.#staleStarts;
  }

  get stuck(): number {
    return this.#stuck;
  }

  begin(isStale: boolean): void {
    this.#active++;
    if (isStale) this.#staleStarts++;
  }

  addStuck(change: -1 | 1): void {
    this.#stuck += change;
  }

  end(outcome: ReconcileOutcome, ms: number): void {
    this.#active--;
    this.duration.observe(ms);
    this.#reconciles[outcome]++;
  }
}
