/** Where a watch writes. */

/**
 * Where a watch writes. It has no queue: while the sink is full, the watch waits. Frames that many watchers share are
 * joined once, so write the same batch to one watcher after the other.
 */
export interface WatchSink {
  /** Frames are joined into a stream of bytes: they may be given in pieces, as long as each `write` ends with a frame. */
  readonly isStream?: boolean | undefined;
  /** Sends whole frames (one event each). False: full, wait for `onReady` before writing again. */
  write(frames: readonly Buffer[]): boolean;
  /** `listener` is called each time the sink has emptied after `write` said false. */
  onReady(listener: () => void): void;
  /** `listener` is called once, when the client has gone or the server ends the connection. */
  onClose(listener: () => void): void;
  /** `listener` is called in a later turn of the event loop, when it is the watch's. Absent: in the next one. */
  rest?(listener: () => void): void;
  /** All objects that the watch begins with have been written. */
  begun?(): void;
  /** Ends the stream cleanly, after what has been written. */
  end(): void;
}

/** The length in front of a frame of protobuf. WebSockets leave it out: their messages have lengths of their own. */
export const FRAME_LENGTH_BYTES = 4;
