/** The file that the console's watch inspector exports, and the test kit replays. */

export interface WatchRecording {
  readonly format: 'listwatch-recording/v1';
  /** RFC 3339. */
  readonly recordedAt: string;
  /** The address of the server, for people. */
  readonly server: string;
  /** In the order in which they were opened. */
  readonly watches: readonly RecordedWatch[];
}

export interface RecordedWatch {
  /** With the query. */
  readonly path: string;
  readonly accept: string;
  /** The status of the answer; 0 when there was none. */
  readonly status: number;
  /** `clean`: the server ended the answer, or the watcher left it. `broken`: the connection was cut. `open`: it was open at the export. */
  readonly end: 'broken' | 'clean' | 'open';
  /** Milliseconds since the watch was opened, and a line without its newline. */
  readonly frames: readonly (readonly [number, string])[];
}
