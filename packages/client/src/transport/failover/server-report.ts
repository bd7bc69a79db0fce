/** What a client knows of one of several servers. */

/** One of the servers of a cluster, as this client has found it. */
export interface ServerReport {
  /** Its address. */
  readonly server: string;
  /** `up` until it fails; then `down`, and `probing` while it is asked whether it is ready. */
  readonly state: 'down' | 'probing' | 'up';
  /** The next request goes to it. */
  readonly isInUse: boolean;
  /** Requests that it failed and that were sent to another server. */
  readonly movedRequests: number;
  /** Probes that it failed or did not answer in time. */
  readonly failedProbes: number;
}
