/** The shape of `GET /debug/overview`: is the server well, and what does it do? */

/**
 * The answer of `GET /debug/overview`. With `?watch=true` the same as a stream, one JSON line a second: the first line has
 * the points of the whole last hour, later lines only those that are new.
 */
export interface ServerOverview {
  /** When it was made, RFC 3339 with milliseconds. */
  readonly at: string;
  readonly server: ServerFacts;
  readonly storage: StorageFacts;
  readonly health: HealthFacts;
  readonly process: ProcessFacts;
  /** One entry for each resource that has a cache. */
  readonly kinds: readonly KindFacts[];
  /** Who uses the event loop, and who waits. Absent: flow control is off, or the server is older. */
  readonly flow?: FlowFacts | undefined;
  /** Admission webhooks that were called since the start, the slowest first; at most 20. Absent: the server is older. */
  readonly webhooks?: readonly WebhookFacts[] | undefined;
  readonly series: OverviewSeries;
}

/** The calls of one admission webhook since the start. Times are in seconds. */
export interface WebhookFacts {
  readonly type: 'mutating' | 'validating';
  readonly configuration: string;
  readonly name: string;
  readonly calls: number;
  /** Requests that it has refused. */
  readonly refused: number;
  /** Calls without a valid answer. */
  readonly failed: number;
  /** Why the last of them failed; `''`: none has. */
  readonly lastFailure: string;
  readonly totalSeconds: number;
  readonly slowestSeconds: number;
  /** Calls that are under way now. */
  readonly inFlight: number;
  /** Calls that wait for others of this webhook. */
  readonly waiting: number;
}

/** Flow control. */
export interface FlowFacts {
  readonly levels: readonly FlowLevelFacts[];
  /** Those that use the event loop most, those that hold the most seats, and those that wait; at most 20. */
  readonly flows: readonly FlowUseFacts[];
}

export interface FlowLevelFacts {
  readonly name: string;
  /** Requests that may run at one time; null for the level without a limit. */
  readonly seats: number | null;
  readonly seatsInUse: number;
  /** Requests that wait for seats. */
  readonly waiting: number;
  /** Requests that were refused with 429 since the start. */
  readonly rejected: number;
  /** The part of the event loop that it had lately, 0 to 1. */
  readonly loopShare: number;
}

/** One flow: the requests of a FlowSchema by one user, or in one namespace. */
export interface FlowUseFacts {
  readonly level: string;
  readonly schema: string;
  /** The user or the namespace; `''` when the schema does not tell them apart. */
  readonly distinguisher: string;
  readonly loopShare: number;
  readonly executing: number;
  /** Seats that its requests hold. Absent: the server is older. */
  readonly seatsInUse?: number | undefined;
  /** Requests that wait for seats. */
  readonly waiting: number;
  /** How long the oldest of them, or of its stretches of computing, has waited; null: nothing waits. */
  readonly waitingSeconds: number | null;
}

export interface ServerFacts {
  /** The version of listwatch. */
  readonly version: string;
  /** The version of Kubernetes whose API it serves. */
  readonly gitVersion: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly uptimeSeconds: number;
}

export interface StorageFacts {
  /** `lmdb`, `memory`, `etcd`, or the name of another engine. */
  readonly engine: string;
  /** The newest resource version. */
  readonly resourceVersion: string;
  /** The oldest version that an exact list or a watch can begin at; null when the engine cannot tell. */
  readonly oldestResourceVersion: string | null;
  /** How long changes are kept; null when there is no such limit. */
  readonly historySeconds: number | null;
  /** How many bytes of changes are kept at most; null when there is no such limit. */
  readonly historyMaxBytes: number | null;
  /** Bytes of the store on disk; null when there is no file. */
  readonly diskBytes: number | null;
  /** Does the store refuse writes because its disk is full? */
  readonly full: boolean;
}

export interface HealthFacts {
  /** What `/readyz` says. */
  readonly ready: boolean;
  readonly checks: readonly HealthFact[];
}

/** One check of `/readyz?verbose`. */
export interface HealthFact {
  readonly name: string;
  readonly ok: boolean;
  /** Why it fails, or a note of a check that is well. */
  readonly message?: string | undefined;
}

export interface ProcessFacts {
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Bytes that the server's bounded caches use, by the name of the cache, each with its limit. */
  readonly budgets: readonly { readonly name: string; readonly bytes: number; readonly maxBytes: number }[];
  /** CPU time since the start. */
  readonly cpuSeconds: number;
  /** Requests that are in work now, watches not included. */
  readonly inFlight: number;
}

/** What the server holds and does for one resource. */
export interface KindFacts {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly objects: number;
  /** Bytes of the objects in the cache. */
  readonly bytes: number;
  /** Mean of the last ten seconds. */
  readonly changesPerSecond: number;
  /** The version that the cache has reached. */
  readonly resourceVersion: string;
  /** The oldest version that a watch can begin at without reading the store. */
  readonly oldestInMemory: string;
  /** The oldest version that a watch can begin at; null when the engine cannot tell. */
  readonly oldestOnDisk: string | null;
  readonly watchers: number;
  readonly channels: number;
  /** Watchers that are behind now. */
  readonly slowWatchers: number;
  /** Watchers that were ended since the start because they fell too far behind. */
  readonly terminatedWatchers: number;
}

/** What a line of the plots shows. Latencies in seconds, sizes in bytes. */
export type OverviewMetric =
  | 'changesPerSecond'
  | 'deliveriesPerSecond'
  | 'deliveryP50'
  | 'deliveryP99'
  | 'eventLoopP50'
  | 'eventLoopP99'
  | 'heapBytes'
  | 'requestsPerSecond'
  | 'residentBytes';

/** Points at equal distances, the last hour at most. `times[i]` belongs to `values[i]` of each line. */
export interface OverviewSeries {
  readonly stepSeconds: number;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly OverviewLine[];
}

export interface OverviewLine {
  readonly metric: OverviewMetric;
  /** Of `requestsPerSecond`: one line for each verb and code. A line that is new starts with nulls. */
  readonly labels?: { readonly verb: string; readonly code: string } | undefined;
  /** null: not measured. */
  readonly values: readonly (number | null)[];
}
