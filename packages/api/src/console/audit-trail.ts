/** The last audit events of an object: `GET /debug/audit`. */

/** One request, as the audit log has it; never with the objects that were sent or answered. */
export interface AuditTrailEntry {
  readonly auditId: string;
  /** When it was received, RFC 3339. */
  readonly at: string;
  readonly user: string;
  /** The user that it acted as; absent when it was itself. */
  readonly impersonated?: string | undefined;
  readonly verb: string;
  readonly subresource: string;
  /** The status code; 0 when the request is still being answered. */
  readonly code: number;
  readonly userAgent: string;
  readonly sourceIPs: readonly string[];
}

/** The answer; 404 when the server has no audit log that it can read. */
export interface AuditTrail {
  /** The newest first. */
  readonly entries: readonly AuditTrailEntry[];
  /** False: only the end of the log was searched. */
  readonly isComplete: boolean;
}
