/** What a check found: a verdict, one sentence, and what to do about it. */

/** A value of `-o json`. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/**
 * - `ok`: as it should be.
 * - `note`: works, but costs more than it must or is worth knowing.
 * - `warn`: clients will stall, lag or reconnect because of it.
 * - `fail`: list-watch does not work.
 * - `skipped`: not examined; the sentence says why.
 */
export type Verdict = 'ok' | 'note' | 'warn' | 'fail' | 'skipped';

/** One result of a check. */
export interface Finding {
  readonly verdict: Verdict;
  /** One sentence. It may quote the server, so print it with `printable`. */
  readonly summary: string;
  /** What to do. Absent when all is well. */
  readonly advice?: string | undefined;
  /** The numbers behind the sentence, for `-o json`. */
  readonly data?: Readonly<Record<string, JsonValue>> | undefined;
  /** Shown below the sentence: a row of headings, then the rows. */
  readonly table?: readonly (readonly string[])[] | undefined;
}

type Data = Finding['data'];

export function ok(summary: string, data?: Data): Finding {
  return { verdict: 'ok', summary, data };
}

export function note(summary: string, advice?: string, data?: Data): Finding {
  return { verdict: 'note', summary, advice, data };
}

export function warn(summary: string, advice: string, data?: Data): Finding {
  return { verdict: 'warn', summary, advice, data };
}

export function fail(summary: string, advice: string, data?: Data): Finding {
  return { verdict: 'fail', summary, advice, data };
}

export function skipped(summary: string, advice?: string): Finding {
  return { verdict: 'skipped', summary, advice };
}

const WEIGHT: Readonly<Record<Verdict, number>> = { skipped: 0, ok: 1, note: 2, warn: 3, fail: 4 };

/** The gravest of them; `skipped` when there is none. */
export function worst(verdicts: Iterable<Verdict>): Verdict {
  let found: Verdict = 'skipped';
  for (const verdict of verdicts) if (WEIGHT[verdict] > WEIGHT[found]) found = verdict;
  return found;
}

/** Is something wrong, so that the command must not end with 0? */
export function isWrong(verdict: Verdict): boolean {
  return WEIGHT[verdict] >= WEIGHT.warn;
}
