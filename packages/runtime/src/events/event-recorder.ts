/** Records Kubernetes Events about objects, in the background: a reconcile never waits for one, and never fails by one. */

import { type CancelTimer, type Clock, sleep } from '@listwatch/api';
import type { NewObject } from '@listwatch/client';
import { linkSignal } from '@listwatch/client/internal';
import { type Logger, silentLogger, unfailingLogger } from '../controller/logger.ts';
import { microTime } from '../leader/election-lease.ts';
import { type EventEntry, isDue, newEntry, sweepStep } from './event-entry.ts';
import { controllerText, eventName, noteText, randomHex, wordText } from './event-text.ts';
import { type EventCluster, isRefusal, writeEvent } from './event-writer.ts';
import type { KubeEvent, ObjectReference } from './kube-event.ts';

/** Options of {@link eventRecorder}. */
export interface EventRecorderOptions {
  /** Who reports: a qualified name such as `web` or `example.org/web`. Other characters become `-`. */
  readonly controller: string;
  /** Which process reports. Default: the controller and a random part. */
  readonly instance?: string | undefined;
  /** Default: nothing is logged. */
  readonly logger?: Logger | undefined;
}

/** The details of an Event. */
export interface EventDetails {
  /** What the controller did or tried. Default: `Reconcile`. */
  readonly action?: string | undefined;
  /** A second object, such as the one that was created. */
  readonly related?: ObjectReference | undefined;
}

/** Records Events about one object. Nothing here throws or waits. */
export interface ObjectEvents {
  /** `reason` is one word in camel case for machines, `note` a sentence for people; both are cut to Kubernetes' limits. */
  normal(reason: string, note: string, details?: EventDetails): void;
  warning(reason: string, note: string, details?: EventDetails): void;
}

/** The numbers of a recorder. */
export interface EventMetrics {
  /** Events that wait to be written. */
  readonly pending: number;
  /** Distinct Events that are remembered, to count repetitions. */
  readonly remembered: number;
  readonly written: number;
  /** The server said no, for example because of permissions. */
  readonly refused: number;
  /** Given up after 12 tries, or at the end. */
  readonly failed: number;
  /** The queue was full, or the recorder was closed. */
  readonly dropped: number;
}

/** See {@link eventRecorder}. */
export interface EventRecorder extends AsyncDisposable {
  /** Records about this object. */
  about(regarding: ObjectReference): ObjectEvents;
  readonly metrics: EventMetrics;
  /** Writes what waits, for at most `flushMs` (default 2 000), and ends. Later Events are dropped. Never rejects. */
  close(options?: { readonly flushMs?: number | undefined }): Promise<void>;
}

/**
 * Makes a recorder of events.k8s.io/v1 Events, with the rules of client-go: an Event that repeats becomes a series, which is
 * counted here and written after its second occurrence, every 30 minutes, and when it has not been seen for 6. The text of a series
 * is that of its first Event. Controllers have one as `ctx.recorder`.
 *
 * @example
 * const recorder = eventRecorder(cluster, { controller: 'web' });
 * recorder.about(objectReference(deployments, web)).warning('NoService', 'the service web has no port');
 * await recorder.close();
 */
export function eventRecorder(cluster: EventCluster, options: EventRecorderOptions): EventRecorder {
  return new QueuedRecorder(cluster, options);
}

/** client-go's numbers, but for the writers and what is remembered, which it does not bound. */
const LIMITS = {
  pending: 1000,
  remembered: 4096,
  writers: 4,
  tries: 12,
  retryMs: 10_000,
  jitter: 0.25,
  sweepMs: 360_000,
};
const FLUSH_MS = 2000;

class QueuedRecorder implements EventRecorder {
  readonly #cluster: EventCluster;
  readonly #clock: Clock;
  readonly #controller: string;
  readonly #instance: string;
  readonly #logger: Logger;
  readonly #entries = new Map<string, EventEntry>();
  readonly #queue: EventEntry[] = [];
  readonly #writers = new Set<Promise<void>>();
  /** Aborted at the beginning of `close`: nobody waits for the next try any more. */
  readonly #closing = linkSignal();
  /** Aborted at its end. */
  readonly #stop = linkSignal();
  readonly #counts = { written: 0, refused: 0, failed: 0, dropped: 0 };
  #pending = 0;
  #isFull = false;
  #lastName = 0n;
  #cancelSweep: CancelTimer | undefined;
  #closed: Promise<void> | undefined;

  constructor(cluster: EventCluster, { controller, instance, logger = silentLogger }: EventRecorderOptions) {
    if (typeof controller !== 'string' || controller === '') throw new TypeError('controller must name who reports');
    this.#cluster = cluster;
    this.#clock = cluster.clock;
    this.#controller = controllerText(controller);
    this.#instance = wordText(instance ?? `${controller}-${randomHex().slice(0, 8)}`, controller);
    this.#logger = unfailingLogger(logger);
  }

  get metrics(): EventMetrics {
    return { ...this.#counts, pending: this.#pending, remembered: this.#entries.size };
  }

  about(regarding: ObjectReference): ObjectEvents {
    return {
      normal: (reason, note, details) => this.#record('Normal', regarding, reason, note, details),
      warning: (reason, note, details) => this.#record('Warning', regarding, reason, note, details),
    };
  }

  close({ flushMs = FLUSH_MS }: { readonly flushMs?: number | undefined } = {}): Promise<void> {
    this.#closed ??= this.#close(flushMs);
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Never throws: an Event is never a reason for a reconcile to fail. */
  #record(
    type: 'Normal' | 'Warning',
    regarding: ObjectReference,
    reason: string,
    note: string,
    details: EventDetails | undefined,
  ): void {
    try {
      if (this.#closed !== undefined) return this.#drop();
      const { action, related } = details ?? {};
      const words = { type, reason: wordText(reason, 'Unknown'), action: wordText(action, 'Reconcile') };
      const key = keyOf(words, regarding, related);
      const known = this.#entries.get(key);
      if (known !== undefined) return this.#repeat(known);
      if (this.#pending >= LIMITS.pending) return this.#drop();
      const event = this.#event({ ...words, note: noteText(note), regarding, ...(related && { related }) });
      this.#add(newEntry(key, event, this.#clock.now()));
    } catch (error) {
      this.#counts.dropped++;
      this.#logger.error({ error, reason }, 'an event could not be recorded');
    }
  }

  #event(fields: Partial<KubeEvent>): NewObject<KubeEvent> {
    const now = this.#clock.now();
    const { name = '', namespace = '' } = fields.regarding ?? {};
    // The clock has milliseconds, and in one of them several recorders may name Events of one object.
    const nanoseconds = BigInt(Math.trunc(now)) * 1_000_000n + BigInt(Math.floor(Math.random() * 1_000_000));
    this.#lastName = nanoseconds > this.#lastName ? nanoseconds : this.#lastName + 1n;
    return {
      metadata: { name: eventName(name, this.#lastName), namespace: namespace === '' ? 'default' : namespace },
      eventTime: microTime(now),
      ...fields,
      reportingController: this.#controller,
      reportingInstance: this.#instance,
    };
  }

  #add(entry: EventEntry): void {
    if (this.#entries.size >= LIMITS.remembered) this.#forgetOldest();
    this.#entries.set(entry.key, entry);
    this.#cancelSweep ??= this.#clock.after(LIMITS.sweepMs, () => this.#sweep());
    this.#enqueue(entry);
  }

  #repeat(entry: EventEntry): void {
    entry.observed++;
    entry.lastObservedAt = this.#clock.now();
    entry.isFinished = false;
    if (isDue(entry) && this.#pending < LIMITS.pending) this.#enqueue(entry);
  }

  /** Only the count of repetitions is lost. At most `LIMITS.pending` entries are passed over. */
  #forgetOldest(): void {
    for (const entry of this.#entries.values()) {
      if (entry.isPending) continue;
      this.#entries.delete(entry.key);
      return;
    }
  }

  #drop(): void {
    this.#counts.dropped++;
    if (this.#isFull || this.#closed !== undefined) return;
    this.#isFull = true;
    this.#logger.warn({ limit: LIMITS.pending }, 'too many events wait to be written; further ones are dropped');
  }

  #enqueue(entry: EventEntry): void {
    if (entry.isPending) return;
    entry.isPending = true;
    this.#pending++;
    this.#queue.push(entry);
    if (this.#writers.size >= LIMITS.writers) return;
    const writer = this.#work().finally(() => this.#writers.delete(writer));
    this.#writers.add(writer);
  }

  /** One writer: ends when nothing waits. Never rejects. */
  async #work(): Promise<void> {
    // After the reconcile's own code: a record costs it nothing.
    await Promise.resolve();
    for (let entry = this.#queue.shift(); entry !== undefined; entry = this.#queue.shift()) {
      const { observed } = entry;
      const outcome = await this.#write(entry);
      this.#counts[outcome]++;
      entry.told = observed;
      entry.toldAt = this.#clock.now();
      entry.exists ||= outcome === 'written';
      entry.isPending = false;
      this.#pending--;
      if (isDue(entry)) this.#enqueue(entry);
      else if (entry.isFinished && entry.observed === observed) this.#entries.delete(entry.key);
    }
    this.#isFull = false;
  }

  async #write(entry: EventEntry): Promise<'failed' | 'refused' | 'written'> {
    const { reason, regarding } = entry.event;
    for (let tries = 1; ; tries++) {
      try {
        this.#stop.signal.throwIfAborted();
        await writeEvent(this.#cluster, entry, this.#stop.signal);
        return 'written';
      } catch (error) {
        if (isRefusal(error)) {
          this.#logger.warn({ error, reason, regarding }, 'the event was refused');
          return 'refused';
        }
        // At the end one line stands for all of them.
        if (this.#closed !== undefined) return 'failed';
        if (tries >= LIMITS.tries) {
          this.#logger.warn({ error, reason, regarding, tries }, 'the event could not be written');
          return 'failed';
        }
        const waitMs = LIMITS.retryMs * (1 + Math.random() * LIMITS.jitter);
        await sleep(this.#clock, waitMs, this.#closing.signal).catch(() => undefined);
      }
    }
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (const entry of this.#entries.values()) {
      const step = entry.isPending ? 'keep' : sweepStep(entry, now);
      if (step === 'drop') this.#entries.delete(entry.key);
      entry.isFinished = step === 'write-and-drop';
      if (step.startsWith('write') && this.#pending < LIMITS.pending) this.#enqueue(entry);
    }
    this.#cancelSweep = this.#entries.size === 0 ? undefined : this.#clock.after(LIMITS.sweepMs, () => this.#sweep());
  }

  async #close(flushMs: number): Promise<void> {
    this.#cancelSweep?.();
    for (const entry of this.#entries.values()) if (entry.observed > entry.told) this.#enqueue(entry);
    this.#closing.abort();
    const { failed } = this.#counts;
    const end = (): void => this.#stop.abort(new Error('the recorder was closed'));
    const cancel = this.#pending > 0 && flushMs > 0 ? this.#clock.after(flushMs, end) : end();
    // One that ends may have started another.
    while (this.#writers.size > 0) await Promise.all(this.#writers);
    cancel?.();
    this.#entries.clear();
    const lost = this.#counts.failed - failed;
    if (lost > 0) this.#logger.warn({ lost, flushMs }, 'some events could not be written before the end');
  }
}

/** client-go's key, but without the version: a status write between two equal Events would make two of them. */
function keyOf(
  { type, reason, action }: { readonly type: string; readonly reason: string; readonly action: string },
  regarding: ObjectReference,
  related: ObjectReference | undefined,
): string {
  return JSON.stringify([
    type,
    action,
    reason,
    ...identityOf(regarding),
    ...(related === undefined ? [] : identityOf(related)),
  ]);
}

function identityOf({ apiVersion, kind, namespace, name, uid }: ObjectReference): readonly unknown[] {
  return [apiVersion, kind, namespace, name, uid];
}
