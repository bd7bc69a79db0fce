/** The lines of a log that the page keeps: a bounded number, the newest. */

import { timeKey } from './time-key.ts';

/** One line. */
export interface PodLogLine {
  /** Counted up, from 0; earlier lines that come later have negative ones. Tells lines apart. */
  readonly number: number;
  /** As the kubelet wrote it (RFC 3339 with nanoseconds); `''`: the line has none. */
  readonly time: string;
  readonly text: string;
  /** `notice`: words of the page, not of the container. `partial`: the stream broke within the line. */
  readonly type: 'line' | 'notice' | 'partial';
}

export interface LogContent {
  readonly lines: readonly PodLogLine[];
  readonly chars: number;
  /** How many were dropped to make room. */
  readonly dropped: number;
  /** How many were ever added. */
  readonly added: number;
}

export const MAX_LOG_LINES = 20_000;
export const MAX_LOG_CHARS: number = 8 * 1024 * 1024;
/** What a short line costs besides its text. */
const LINE_CHARS = 50;

export const NO_LOG: LogContent = { lines: [], chars: 0, dropped: 0, added: 0 };

const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) ?/u;

/** Reads a line that begins with its time. One that does not is the kubelet's own, and stays as it is. */
export function readLogLine(raw: string): Omit<PodLogLine, 'number'> {
  const [stamp = '', time = ''] = STAMPED.exec(raw.slice(0, 40)) ?? [];
  return { time, text: raw.slice(stamp.length), type: 'line' };
}

/** Adds lines; drops the oldest beyond the limits. */
export function withLogLines(content: LogContent, added: readonly Omit<PodLogLine, 'number'>[]): LogContent {
  if (added.length === 0) return content;
  const numbered = added.map((line, index): PodLogLine => ({ ...line, number: content.added + index }));
  const all = [...content.lines, ...numbered];
  let chars = content.chars + sizeOf(numbered);
  let first = 0;
  // The last line stays, whatever its length.
  while (first < all.length - 1 && (all.length - first > MAX_LOG_LINES || chars > MAX_LOG_CHARS)) {
    chars -= sizeOf(all.slice(first, first + 1));
    first += 1;
  }
  return {
    lines: first === 0 ? all : all.slice(first),
    chars,
    dropped: content.dropped + first,
    added: content.added + added.length,
  };
}

/**
 * Puts what an earlier part of the log adds before the lines, as far as there is room. `earlier` may reach into the lines, and
 * beyond them.
 */
export function withEarlierLines(content: LogContent, earlier: readonly Omit<PodLogLine, 'number'>[]): LogContent {
  const first = content.lines.find(({ type, time }) => type === 'line' && time !== '');
  if (first === undefined) return content;
  const same = earlier.findIndex(({ time, text }) => time === first.time && text === first.text);
  const key = timeKey(first.time);
  const before =
    same === -1 ? earlier.filter(({ time }) => time !== '' && timeKey(time) < key) : earlier.slice(0, same);
  let chars = content.chars;
  let number = (content.lines[0]?.number ?? 0) - 1;
  const added: PodLogLine[] = [];
  for (const line of before.toReversed()) {
    const next: PodLogLine = { ...line, number };
    if (added.length + content.lines.length >= MAX_LOG_LINES || chars + sizeOf([next]) > MAX_LOG_CHARS) break;
    chars += sizeOf([next]);
    added.push(next);
    number -= 1;
  }
  return added.length === 0 ? content : { ...content, lines: [...added.toReversed(), ...content.lines], chars };
}

/** Without the half of a line with which a stream broke: the whole line comes with the next one. */
export function withoutPartialLine(content: LogContent): LogContent {
  const last = content.lines.at(-1);
  if (last?.type !== 'partial') return content;
  return { ...content, lines: content.lines.slice(0, -1), chars: content.chars - sizeOf([last]) };
}

function sizeOf(lines: readonly PodLogLine[]): number {
  let chars = 0;
  for (const { text, time } of lines) chars += text.length + time.length + LINE_CHARS;
  return chars;
}
