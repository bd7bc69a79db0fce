/** What one of everything costs our server: measured by `npm run bench:capacity -- unit-costs`. */

/** A cost with a fixed part and one for each byte. */
export interface SizedCost {
  readonly fixed: number;
  readonly perByte: number;
}

/** How clients connect: HTTP/1.1 has one watch on a connection, HTTP/2 up to 100. Both with TLS. */
export type Transport = 'h1' | 'h2';

/** What sending to watchers costs, in microseconds of CPU. */
export interface DeliveryCosts {
  /** One write to one socket, however many events are in it. */
  readonly flush: number;
  /** One event in such a write. */
  readonly event: SizedCost;
}

/** CPU in microseconds, memory in bytes. */
export interface UnitCosts {
  /** An empty server. */
  readonly baseBytes: number;
  /** An object in the cache. */
  readonly objectBytes: SizedCost;
  /** A change in the window, beside the object that it keeps. */
  readonly changeBytes: number;
  readonly connectionBytes: Readonly<Record<Transport, number>>;
  /** Beside its connection. */
  readonly watcherBytes: Readonly<Record<Transport, number>>;
  /** Of a watcher with nothing to see, each second. */
  readonly idleWatcherMicros: number;
  /** A create or a replace of an object of this size, of many at a time. */
  readonly writeMicros: SizedCost;
  /** A merge patch of a Pod of this size, of many at a time. */
  readonly patchMicros: SizedCost;
  /** What a write takes more that comes alone: a commit and a turn of the event loop of its own. */
  readonly aloneMicros: number;
  /** A write that another server of the cluster took: read from the store, parsed, put into the cache. */
  readonly applyMicros: number;
  readonly delivery: Readonly<Record<Transport, DeliveryCosts>>;
  /** A list with this many bytes of answer. */
  readonly listMicros: SizedCost;
  /** To load one object when the server starts. */
  readonly loadMicros: number;
}
