/** Words that somebody may have meant. */

const MOST = 3;

/** The names whose words are a slip or two away from `word`, the closest first. `names` is by word. */
export function similarWords(word: string, names: ReadonlyMap<string, string>): readonly string[] {
  // In a short word two slips change everything.
  const slips = word.length <= 5 ? 1 : 2;
  const scored = [...names].map(([candidate, name]) => ({ name, score: distance(word, candidate) }));
  const close = scored.filter(({ score }) => score <= slips).toSorted((a, b) => a.score - b.score);
  return [...new Set(close.map(({ name }) => name))].slice(0, MOST);
}

/** How many letters are missing, too much, wrong, or swapped with their neighbour. */
function distance(from: string, to: string): number {
  let before: readonly number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = next;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
