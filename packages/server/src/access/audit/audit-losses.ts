/** Events that were lost: counted, and told in one line. */

import { monotonicMs } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';
import type { AuditCounts } from './audit-counts.ts';

/** A plugin that loses thousands of events a second tells so this often. */
const EVERY_MS = 30_000;

interface Told {
  atMs: number;
  /** Lost since it was told last. */
  events: number;
}

/** Counts every lost event and tells of the first at once, of the others every half minute. */
export class AuditLosses {
  readonly #clock: Clock;
  readonly #counts: AuditCounts;
  readonly #tell: (error: Error) => void;
  readonly #told = new Map<string, Told>();

  constructor(clock: Clock, counts: AuditCounts, tell: (error: Error) => void) {
    this.#clock = clock;
    this.#counts = counts;
    this.#tell = tell;
  }

  add(plugin: string, events: number, cause: unknown): void {
    if (events === 0) return;
    this.#counts.lost(plugin, events);
    const now = monotonicMs(this.#clock);
    const told = this.#told.get(plugin);
    const sum = (told?.events ?? 0) + events;
    if (told !== undefined && now - told.atMs < EVERY_MS) {
      told.events = sum;
      return;
    }
    this.#told.set(plugin, { atMs: now, events: 0 });
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#tell(new Error(`Error in audit plugin '${plugin}' affecting ${sum} audit events: ${why}`, { cause }));
  }
}
