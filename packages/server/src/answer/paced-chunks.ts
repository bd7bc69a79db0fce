/** Chunks that cost a lot to make, with breaks between them. */

import type { VisitBudget } from '@listwatch/schema';
import type { Pause } from '../contract/pause.ts';

/** The chunks; the event loop has a turn whenever the budget says that a break is due. */
export async function* pacedChunks(
  chunks: Iterator<Buffer, undefined>,
  budget: VisitBudget,
  pause: Pause,
  first: readonly Buffer[] = [],
): AsyncGenerator<Buffer, undefined> {
  try {
    yield* first;
    for (let next = chunks.next(); next.done !== true; next = chunks.next()) {
      yield next.value;
      if (budget.takesBreak()) await pause();
    }
  } finally {
    chunks.return?.();
  }
}

/** All chunks at once; those that are left, with breaks, once a break is due. Each chunk has memory of its own. */
export function wholeOrPaced(
  chunks: Iterator<Buffer, undefined>,
  budget: VisitBudget | undefined,
  pause: Pause,
): Buffer | AsyncGenerator<Buffer, undefined> {
  const made: Buffer[] = [];
  for (let next = chunks.next(); next.done !== true; next = chunks.next()) {
    made.push(next.value);
    if (budget?.takesBreak() === true) return pacedChunks(chunks, budget, pause, made);
  }
  return Buffer.concat(made);
}
