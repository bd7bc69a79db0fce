/** How often other work has its turn while something goes on. */

/** Counts the turns of the event loop until it is stopped. */
export function countTurns(): { readonly stop: () => number } {
  let turns = 0;
  let next = setImmediate(turn);
  function turn(): void {
    turns += 1;
    next = setImmediate(turn);
  }
  return {
    stop: () => {
      clearImmediate(next);
      return turns;
    },
  };
}
