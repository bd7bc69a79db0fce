/** How much is recorded of a request, and when. */

/** The levels, from nothing to everything. */
export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;

/** How much is recorded of a request. Each level has all that the one before it has. */
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** The stages of a request, in the order in which Kubernetes names them. */
export const AUDIT_STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

/** When an event is made. `ResponseStarted` is for requests that last, such as watches. */
export type AuditStage = (typeof AUDIT_STAGES)[number];

/** Has a level at least what another one has? */
export function hasLevel(level: AuditLevel, wanted: AuditLevel): boolean {
  return AUDIT_LEVELS.indexOf(level) >= AUDIT_LEVELS.indexOf(wanted);
}
