/** The lines of a log that contain a text. */

import { withoutCodes } from './ansi-text.ts';
import type { LogContent, PodLogLine } from './log-content.ts';

/** Only lines that are new are looked at, as long as the text and the log stay the same. */
export class LogFilter {
  readonly #pattern: RegExp | undefined;
  #matches: readonly PodLogLine[] = [];
  /** The numbers of the lines that were looked at: from the first, to before the second. */
  #from = Number.NEGATIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  /** `''`: all lines. Upper and lower case are the same. */
  constructor(text: string) {
    this.#pattern = filterPattern(text);
  }

  /** The lines of `content`, which is a later state of the one before. Notices stay; half lines, which may go again, do not. */
  apply(content: LogContent): readonly PodLogLine[] {
    const { lines, added } = content;
    const pattern = this.#pattern;
    if (pattern === undefined) return lines;
    const isMatch = ({ text, type }: PodLogLine): boolean =>
      type === 'notice' || (type === 'line' && pattern.test(withoutCodes(text)));
    const oldest = lines[0]?.number ?? added;
    const old = this.#matches;
    const kept = (old[0]?.number ?? oldest) < oldest ? old.filter(({ number }) => number >= oldest) : old;
    const newer = lines.slice(lines.findLastIndex(({ number }) => number < this.#to) + 1).filter(isMatch);
    const older = oldest < this.#from ? lines.filter((line) => line.number < this.#from && isMatch(line)) : [];
    this.#from = oldest;
    this.#to = added;
    this.#matches = older.length + newer.length === 0 ? kept : [...older, ...kept, ...newer];
    return this.#matches;
  }
}

/** Undefined for no text. */
export function filterPattern(text: string): RegExp | undefined {
  return text === '' ? undefined : new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, '\\$&'), 'iu');
}

/** A text in parts: those at odd places match. */
export function matchParts(text: string, pattern: RegExp | undefined): readonly string[] {
  return pattern === undefined ? [text] : text.split(new RegExp(`(${pattern.source})`, 'iu'));
}
