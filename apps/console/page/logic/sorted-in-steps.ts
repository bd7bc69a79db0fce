/** Sorting that can be interrupted: each step takes about a millisecond, so that the page stays alive between them. */

/** Work in steps; whoever runs it decides when the next one is done. */
export type SortSteps<T> = Generator<undefined, T, undefined>;

const RUN = 1000;
const MERGED_PER_STEP = 10_000;

/** Sorts by merging runs. Stable. */
export function* sortedInSteps<T>(values: readonly T[], compare: (a: T, b: T) => number): SortSteps<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < values.length; from += RUN) {
    runs.push(values.slice(from, from + RUN).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [left = [], right] = [runs[index], runs[index + 1]];
      longer.push(right === undefined ? left : yield* merged(left, right, compare));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): SortSteps<T[]> {
  const result: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both are within their arrays
    const [a, b] = [left[l] as T, right[r] as T];
    if (compare(a, b) <= 0) {
      result.push(a);
      l += 1;
    } else {
      result.push(b);
      r += 1;
    }
    if (result.length % MERGED_PER_STEP === 0) yield;
  }
  return [...result, ...left.slice(l), ...right.slice(r)];
}

/** Does all steps at once. */
export function finishSorting<T>(steps: SortSteps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does steps until a time, in milliseconds of `performance.now()`. True: all are done. */
export function advance(steps: SortSteps<unknown>, until: number): boolean {
  do {
    if (steps.next().done === true) return true;
  } while (performance.now() < until);
  return false;
}
