/** A body that reports the error it ends with. */

/** The same chunks. `onError` is called with what `next` rejects with; the reader gets that rejection, too. */
export function observedBody(
  body: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]();
      const next = (): Promise<IteratorResult<Uint8Array>> => {
        const chunk = chunks.next();
        // Beside the reader's own promise: a chain would cost every chunk a turn.
        void chunk.then(undefined, onError);
        return chunk;
      };
      if (chunks.return === undefined) return { next };
      return { next, return: (value?: unknown) => chunks.return?.(value) ?? Promise.resolve({ done: true, value }) };
    },
  };
}
