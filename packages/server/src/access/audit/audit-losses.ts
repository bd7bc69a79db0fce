/** Events that were lost: counted, and told in one line. */

import type { CancelTimer, Clock } from '@listwatch/storage';
import type { AuditCounts } from './audit-counts.ts';

/** A plugin that loses thousands of events a second tells so this often. */
const EVERY_MS = 30_000;

interface Told {
  /** Lost since it was told last. */
  events: number;
  /** The cause of the last of them. */
  cause: unknown;
  /** Tells the rest when the time is over. */
  readonly cancel: CancelTimer;
}

/** Counts every lost event and tells of the first at once, of the others every half minute and at the end. */
export class AuditLosses {
  readonly #clock: Clock;
  readonly #counts: AuditCounts;
  readonly #tell: (error: Error) => void;
  /** Plugins that have told of a loss a short time ago. */
  readonly #told = new Map<string, Told>();
  #isClosed = false;

  constructor(clock: Clock, counts: AuditCounts, tell: (error: Error) => void) {
    this.#clock = clock;
    this.#counts = counts;
    this.#tell = tell;
  }

  add(plugin: string, events: number, cause: unknown): void {
    if (events === 0) return;
    this.#counts.lost(plugin, events);
    const told = this.#told.get(plugin);
    if (told === undefined) this.#report(plugin, events, cause);
    else {
      told.events += events;
      told.cause = cause;
    }
  }

  /** Tells what has not been told, and from now on each loss at once. */
  close(): void {
    this.#isClosed = true;
    for (const plugin of this.#told.keys()) this.#rest(plugin);
  }

  #report(plugin: string, events: number, cause: unknown): void {
    if (!this.#isClosed) {
      const cancel = this.#clock.after(EVERY_MS, () => this.#rest(plugin));
      this.#told.set(plugin, { events: 0, cause: undefined, cancel });
    }
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#tell(new Error(`Error in audit plugin '${plugin}' affecting ${events} audit events: ${why}`, { cause }));
  }

  /** Without this, losses would stay untold until another one follows. */
  #rest(plugin: string): void {
    const told = this.#told.get(plugin);
    told?.cancel();
    this.#told.delete(plugin);
    if (told !== undefined && told.events > 0) this.#report(plugin, told.events, told.cause);
  }
}
