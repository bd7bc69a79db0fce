/** The difference of two texts, line by line. */

export interface DiffLine {
  readonly type: 'added' | 'removed' | 'same';
  readonly text: string;
}

/** What is shown of a difference: changes with some lines around them, and how many lines are left out between them. */
export type DiffPart = DiffLine | { readonly type: 'gap'; readonly lines: number };

/** Work grows with lines times changes: beyond this many changes the rest is shown as replaced. */
const MAX_CHANGES = 1500;

/** The shortest script from one text to the other (Myers), or a whole replacement when they have little in common. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [
    ...same(before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

function same(lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ type: 'same', text }));
}

/** Leaves out what is far from any change. */
export function withoutSame(lines: readonly DiffLine[], around = 3): readonly DiffPart[] {
  const near = new Uint8Array(lines.length);
  for (const [index, { type }] of lines.entries()) {
    if (type === 'same') continue;
    near.fill(1, Math.max(0, index - around), Math.min(lines.length, index + around + 1));
  }
  const parts: DiffPart[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (near[index] === 1 && line !== undefined) {
      parts.push(line);
      index += 1;
      continue;
    }
    const next = near.indexOf(1, index);
    const until = next < 0 ? lines.length : next;
    parts.push({ type: 'gap', lines: until - index });
    index = until;
  }
  return parts;
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length === 0 || after.length === 0) return replaced(before, after);
  const trace = shortestTrace(before, after);
  return trace === undefined ? replaced(before, after) : walkBack(trace, before, after);
}

function replaced(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  return [
    ...before.map((text): DiffLine => ({ type: 'removed', text })),
    ...after.map((text): DiffLine => ({ type: 'added', text })),
  ];
}

/** How far each diagonal reaches after each number of changes; undefined when it takes too many. */
function shortestTrace(before: readonly string[], after: readonly string[]): readonly Int32Array[] | undefined {
  const limit = Math.min(before.length + after.length, MAX_CHANGES);
  const trace: Int32Array[] = [];
  let reach: Int32Array = new Int32Array(3);
  for (let changes = 0; changes <= limit; changes += 1) {
    const next = new Int32Array(2 * changes + 3);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = changes === 0 ? 0 : step(reach, changes, diagonal).x;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next[diagonal + changes + 1] = x;
      if (x >= before.length && x - diagonal >= after.length) {
        trace.push(next);
        return trace;
      }
    }
    trace.push(next);
    reach = next;
  }
  return undefined;
}

/** Where a diagonal is entered from, given how far its neighbours reached with one change less. */
function step(reach: Int32Array, changes: number, diagonal: number): { readonly x: number; readonly added: boolean } {
  const at = (wanted: number): number => (Math.abs(wanted) > changes - 1 ? -1 : (reach[wanted + changes] ?? -1));
  const added = diagonal === -changes || (diagonal !== changes && at(diagonal - 1) < at(diagonal + 1));
  return { x: added ? at(diagonal + 1) : at(diagonal - 1) + 1, added };
}

function walkBack(
  trace: readonly Int32Array[],
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let x = before.length;
  let y = after.length;
  for (let changes = trace.length - 1; changes > 0; changes -= 1) {
    const diagonal = x - y;
    const { x: entered, added } = step(trace[changes - 1] ?? new Int32Array(), changes, diagonal);
    while (x > entered) lines.push({ type: 'same', text: before[--x] ?? '' });
    y = x - diagonal;
    if (added) lines.push({ type: 'added', text: after[--y] ?? '' });
    else lines.push({ type: 'removed', text: before[--x] ?? '' });
  }
  while (x > 0) lines.push({ type: 'same', text: before[--x] ?? '' });
  return lines.toReversed();
}
