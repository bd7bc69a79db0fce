/** A body on its way from one connection to another. */

import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@listwatch/api';

export interface BodyCopy {
  readonly clock: Clock;
  /** How long `to` may take nothing of what waits for it. */
  readonly stallMs: number;
  readonly onStall: () => void;
  readonly onBytes: (bytes: number) => void;
}

/** Copies what comes, no faster than it is taken: what waits is one chunk in each stream. The end is not copied. Returns the stop. */
export function copyBody(from: Readable, to: Writable, { clock, stallMs, onStall, onBytes }: BodyCopy): () => void {
  let cancel: (() => void) | undefined;
  const taken = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const write = (chunk: Buffer): void => {
    onBytes(chunk.length);
    if (to.destroyed || to.writableEnded || to.write(chunk)) return;
    from.pause();
    cancel ??= clock.after(stallMs, onStall);
  };
  const goOn = (): void => {
    taken();
    from.resume();
  };
  const stop = (): void => {
    taken();
    from.off('data', write).off('close', stop);
    to.off('drain', goOn).off('close', stop);
  };
  to.on('drain', goOn).once('close', stop);
  from.on('data', write).once('close', stop);
  return stop;
}
