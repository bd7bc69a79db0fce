/** What the garbage collector has done since it was made. */

/** Counters of all runs of a collector. */
export class GarbageCounts {
  deletes = 0;
  patches = 0;
  finalizersRemoved = 0;
  failures = 0;
}
