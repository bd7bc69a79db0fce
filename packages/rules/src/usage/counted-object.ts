/** The objects and writes that quotas count. */

/** An object of any kind, with the metadata that counting reads. */
export interface CountedObject {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly deletionTimestamp?: string | undefined;
    readonly deletionGracePeriodSeconds?: bigint | number | undefined;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** A write that may change the usage of a quota. */
export interface CountedWrite {
  readonly object: CountedObject;
  /** Absent for a new object. */
  readonly old?: CountedObject | undefined;
  /** `''` for the object itself. */
  readonly subresource: string;
}

/** Returns the time in milliseconds: a Pod whose deletion is overdue counts as ended. */
export interface TimeSource {
  now(): number;
}
