/** What an informer counts. */

/** The numbers of an informer since it was made. With several namespaces they are added up. */
export interface InformerMetrics {
  /** Complete states that were asked for, by list or by stream. More than one for each namespace: relists. */
  readonly lists: number;
  /** Watches that were opened, streamed lists included. */
  readonly watches: number;
  /** Lists and watches that failed. */
  readonly errors: number;
}

/** Adds up the numbers of several sources. */
export function totalOf(sources: Iterable<InformerMetrics>): InformerMetrics {
  let total: InformerMetrics = { lists: 0, watches: 0, errors: 0 };
  for (const { lists, watches, errors } of sources) {
    total = { lists: total.lists + lists, watches: total.watches + watches, errors: total.errors + errors };
  }
  return total;
}
