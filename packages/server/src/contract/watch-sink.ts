/** Where a watch writes. */

/**
 * Where a watch writes. It has no queue of its own: when it is full the watch stays where it is. Frames that are the same
 * for many watchers are joined once for all of them, so batches are best handed out to one watcher after the other.
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
  /** Ends the stream cleanly, after what has been written. */
  end(): void;
}
