/** Which lines of a log that is read again are shown already. */

import type { PodLogLine } from './log-content.ts';
import { SECOND_CHARS, timeKey } from './time-key.ts';

/**
 * A log is resumed by the time of its last line, and kube-apiserver cuts that time to whole seconds. So lines come twice; and
 * several lines can have the same time, and the same text. Each line that is shown hides one that is equal.
 */
export class SeenLines {
  /** From when to ask; undefined: nothing with a time was seen, so begin anew. */
  readonly since: string | undefined;
  readonly #counts = new Map<string, number>();
  /** Earlier lines have been seen and dropped, or were not asked for. */
  readonly #oldest: string;
  #matched = 0;

  constructor(lines: readonly PodLogLine[]) {
    const last = lines.findLast(({ time, type }) => type === 'line' && time !== '');
    this.since = last?.time;
    const second = last === undefined ? '' : timeKey(last.time).slice(0, SECOND_CHARS);
    let oldest = second;
    for (let index = lines.length - 1; index >= 0; index -= 1) {
      const line = lines[index];
      if (line === undefined || line.type !== 'line' || line.time === '') continue;
      const key = timeKey(line.time);
      if (key < second) break;
      if (index === 0) oldest = key;
      const raw = rawOf(line);
      this.#counts.set(raw, (this.#counts.get(raw) ?? 0) + 1);
    }
    this.#oldest = oldest;
  }

  /** Has a line been found that is shown already? If not, lines before this stream may be missing. */
  get isJoined(): boolean {
    return this.since === undefined || this.#matched > 0;
  }

  /** Is this line shown already? Ask once for each line, in their order. */
  has(line: Pick<PodLogLine, 'text' | 'time'>): boolean {
    if (this.since === undefined || line.time === '') return false;
    const raw = rawOf(line);
    const count = this.#counts.get(raw) ?? 0;
    if (count > 0) {
      this.#counts.set(raw, count - 1);
      this.#matched += 1;
      return true;
    }
    return timeKey(line.time) < this.#oldest;
  }
}

function rawOf({ time, text }: Pick<PodLogLine, 'text' | 'time'>): string {
  return `${time} ${text}`;
}
