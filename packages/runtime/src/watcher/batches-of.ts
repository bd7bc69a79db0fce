/** Values as they came together. */

/** What a page and a watch have in common. */
interface Batched<V> extends AsyncIterable<V> {
  batches?(): AsyncIterable<readonly V[]>;
}

/** An iterator over batches; over batches of one where the cluster is somebody's own and has none. */
export function batchesOf<V>(source: Batched<V>): AsyncIterator<readonly V[]> {
  const batches = source.batches?.()[Symbol.asyncIterator]();
  if (batches !== undefined) return batches;
  const singles = source[Symbol.asyncIterator]();
  // By hand and not as a generator: one that waits for a value does not hear that its reader leaves.
  return {
    next: async () => {
      const { done, value } = await singles.next();
      return done === true ? { done, value: undefined } : { done: false, value: [value] };
    },
    return: async () => {
      await singles.return?.();
      return { done: true, value: undefined };
    },
  };
}
