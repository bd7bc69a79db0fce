/** Where audit events go. */

import type { AuditEvent } from './audit-event.ts';

/** A backend. It never throws: what it loses it counts. */
export interface AuditBackend {
  /** The word for it in metrics and errors: `log`, `webhook`. */
  readonly name: string;
  /** Is a request refused whose first event cannot be stored? */
  readonly isStrict: boolean;
  /**
   * Takes an event. Undefined: it is taken care of, and nobody waits. Otherwise resolves when it was written or lost; with false
   * when it was lost.
   */
  take(event: AuditEvent): Promise<boolean> | undefined;
  /** Resolves when it has room again; undefined while it has. Answers wait for it, so that what is not written yet has a bound. */
  room(): Promise<unknown> | undefined;
  /** Writes what it still has; resolves when that is done, or after a while. */
  close(): Promise<void>;
}
