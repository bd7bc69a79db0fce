/**
 * Work over long lists that is interrupted from within plain functions. It is begun again in the next turn, and the items that
 * were done are not done again: their results are kept. So the rules of a kind need not know that they run in steps.
 */

/** Work in steps: `Steps` of `@listwatch/schema`. */
type Steps<T> = Generator<undefined, T, undefined>;

/** Is it time for a pause? Asked after every item that was done. */
export type IsDue = () => boolean;

/** A step takes this long, and the item in which it ends: milliseconds. */
const STEP_MS = 5;

/** What is known of one call of `foldItems`. */
interface Fold {
  /** That of the first time: what it has kept of the items before is needed for those that follow. */
  readonly add: (state: never, item: never, index: number) => boolean;
  readonly items: readonly unknown[];
  readonly state: unknown;
  /** So many items were done. */
  index: number;
  isDone: boolean;
  /** The calls for the item that is under way. */
  calls: Calls;
}

/** Calls in their order, which is the same each time: the work is pure. */
class Calls {
  readonly folds: Fold[] = [];
  next = 0;
}

/** Work that is under way. */
interface Work {
  calls: Calls;
  readonly isDue: IsDue;
}

/** Ends one attempt at the work. Nothing may catch it but `resumableSteps`. */
class Pause extends Error {
  override readonly name = 'Pause';
}

let current: Work | undefined;

/**
 * Does pure work in steps: it is called until it ends without a pause. Pauses are made by `foldItems`.
 *
 * @example
 * const errors = await finishInTurns(resumableSteps(() => validate(object)), nextTurn);
 */
export function* resumableSteps<T>(work: () => T, newStep: () => IsDue = timedStep): Steps<T> {
  const calls = new Calls();
  for (;;) {
    calls.next = 0;
    const outer = current;
    current = { calls, isDue: newStep() };
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Pause)) throw error;
    } finally {
      current = outer;
    }
    yield;
  }
}

/**
 * Adds all items to a state, until `add` returns false. Within `resumableSteps` it pauses between two of them. `add` may keep
 * facts of the items before; it must take note of an item after it has called `foldItems` for parts of it, as a pause in
 * there calls it again.
 */
export function foldItems<T, S>(
  items: readonly T[],
  start: () => S,
  add: (state: S, item: T, index: number) => boolean,
): S {
  if (current !== undefined) return resumedFold(current, items, start, add);
  const state = start();
  for (let index = 0; index < items.length; index += 1) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the index is within the list
    if (!add(state, items[index] as T, index)) break;
  }
  return state;
}

function resumedFold<T, S>(
  work: Work,
  items: readonly T[],
  start: () => S,
  add: (state: S, item: T, index: number) => boolean,
): S {
  const { calls: own } = work;
  const fold = (own.folds[own.next] ??= { add, items, state: start(), index: 0, isDone: false, calls: new Calls() });
  own.next += 1;
  while (!fold.isDone && fold.index < fold.items.length) {
    fold.calls.next = 0;
    work.calls = fold.calls;
    let goesOn = false;
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept by the same call with the same types
      goesOn = fold.add(fold.state as never, fold.items[fold.index] as never, fold.index);
    } finally {
      work.calls = own;
    }
    if (fold.calls.folds.length > 0) fold.calls = new Calls();
    fold.index += 1;
    fold.isDone = !goesOn;
    if (work.isDue()) throw new Pause();
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return fold.state as S;
}

/** The results for all items. Pauses as `foldItems` does. */
export function mapItems<T, R>(items: readonly T[], change: (item: T, index: number) => R): readonly R[] {
  return foldItems(
    items,
    (): R[] => [],
    (results, item, index) => {
      results.push(change(item, index));
      return true;
    },
  );
}

function timedStep(): IsDue {
  let start: number | undefined;
  return () => {
    const now = performance.now();
    // The first item of a step does not count: it must come further than the one before.
    start ??= now;
    return now - start > STEP_MS;
  };
}
