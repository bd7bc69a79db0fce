/** Waits for a stream that is full. */

const waits = new WeakMap<NodeJS.EventEmitter, Promise<void>>();

/**
 * Resolves when more may be written, or nobody is there to write to. All who wait for one stream share two listeners:
 * a script may write many chunks without waiting for one.
 */
export function drained(stream: NodeJS.EventEmitter): Promise<void> {
  const known = waits.get(stream);
  if (known !== undefined) return known;
  const wait = new Promise<void>((resolve) => {
    const leave = (): void => {
      stream.off('drain', leave).off('close', leave);
      waits.delete(stream);
      resolve();
    };
    stream.on('drain', leave).on('close', leave);
  });
  waits.set(stream, wait);
  return wait;
}
