/** Events in batches: by number, by time, and not faster than a rate. */

import { monotonicMs } from '@listwatch/api/internal';
import type { CancelTimer, Clock } from '@listwatch/storage';
import type { AuditEvent } from './audit-event.ts';
import type { AuditLosses } from './audit-losses.ts';
import type { AuditBatchConfig } from './audit-options.ts';
import { eventWeight } from './truncated-event.ts';

/** What a queue is made of. */
export interface BatchQueueParts {
  readonly config: AuditBatchConfig;
  readonly clock: Clock;
  readonly losses: AuditLosses;
  /** Sends a batch; never rejects. */
  readonly send: (events: readonly AuditEvent[]) => Promise<unknown>;
}

/** What waits may use so much memory, also when each event has two large objects. */
const WAITING_MAX_BYTES = 64 * 1024 * 1024;
/** A webhook that does not answer holds this many batches; the others wait in the buffer, which is bounded. */
const SENDING_MAX = 10;
/** A server that ends does not wait longer for a webhook. */
const CLOSE_MS = 10_000;

/** A buffer that is emptied in batches. When it is full, what comes is lost and counted: nobody waits. */
export class BatchQueue {
  readonly #parts: BatchQueueParts;
  readonly #events: AuditEvent[] = [];
  #bytes = 0;
  #sending = 0;
  #tokens: number;
  #filledMs: number;
  #cancel: CancelTimer | undefined;
  /** The first event of the next batch came then. */
  #sinceMs = 0;
  #isClosing = false;
  #onQuiet: () => void = () => {};

  constructor(parts: BatchQueueParts) {
    this.#parts = parts;
    this.#tokens = parts.config.throttleBurst;
    this.#filledMs = monotonicMs(parts.clock);
  }

  /** Events that wait. */
  get waiting(): number {
    return this.#events.length;
  }

  add(event: AuditEvent): void {
    const { config, losses, clock } = this.#parts;
    const weight = eventWeight(event);
    if (this.#events.length >= config.bufferSize || this.#bytes + weight > WAITING_MAX_BYTES) {
      losses.add('buffered', 1, 'audit buffer queue blocked');
      return;
    }
    if (this.#events.length === 0) this.#sinceMs = monotonicMs(clock);
    this.#events.push(event);
    this.#bytes += weight;
    if (this.#cancel === undefined || this.#events.length === config.maxSize) this.#pump();
  }

  /** Sends all that is left. What a dead webhook has not taken after a while is lost, and counted. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#pump();
    if (this.#isQuiet) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(CLOSE_MS, resolve);
      this.#onQuiet = () => {
        cancel();
        resolve();
      };
    });
    this.#cancel?.();
    this.#parts.losses.add('buffered', this.#events.length, 'the server has ended');
    this.#events.length = 0;
  }

  get #isQuiet(): boolean {
    return this.#events.length === 0 && this.#sending === 0;
  }

  /** Sends what is due, and comes back when more will be. */
  #pump(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    while (this.#events.length > 0 && this.#sending < SENDING_MAX) {
      const waitMs = Math.max(this.#dueMs(), this.#tokenMs());
      if (waitMs > 0) {
        this.#cancel = this.#parts.clock.after(Math.ceil(waitMs), () => this.#pump());
        return;
      }
      this.#tokens -= 1;
      this.#sendBatch();
    }
  }

  #dueMs(): number {
    const { maxSize, maxWaitMs } = this.#parts.config;
    if (this.#isClosing || this.#events.length >= maxSize) return 0;
    return this.#sinceMs + maxWaitMs - monotonicMs(this.#parts.clock);
  }

  #tokenMs(): number {
    const { throttleQps, throttleBurst } = this.#parts.config;
    if (throttleQps === 0 || this.#isClosing) return 0;
    const now = monotonicMs(this.#parts.clock);
    this.#tokens = Math.min(throttleBurst, this.#tokens + ((now - this.#filledMs) / 1000) * throttleQps);
    this.#filledMs = now;
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / throttleQps) * 1000;
  }

  #sendBatch(): void {
    const batch = this.#events.splice(0, this.#parts.config.maxSize);
    for (const event of batch) this.#bytes -= eventWeight(event);
    this.#sinceMs = monotonicMs(this.#parts.clock);
    this.#sending += 1;
    void this.#parts.send(batch).finally(() => {
      this.#sending -= 1;
      this.#pump();
      if (this.#isClosing && this.#isQuiet) this.#onQuiet();
    });
  }
}
