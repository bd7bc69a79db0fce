import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LogContent,
  MAX_LOG_CHARS,
  MAX_LOG_LINES,
  NO_LOG,
  type PodLogLine,
  readLogLine,
  withEarlierLines,
  withLogLines,
  withoutPartialLine,
} from './log-content.ts';
import { LogFilter } from './log-filter.ts';
import { LogSplitter } from './log-splitter.ts';
import { SeenLines } from './seen-lines.ts';
import { timeKey } from './time-key.ts';

const encoder = new TextEncoder();

function splitIn(bytes: Uint8Array, cuts: readonly number[], maxChars?: number): readonly string[] {
  const splitter = new LogSplitter(maxChars);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const lines = places.flatMap((from, index) => splitter.push(bytes.subarray(from, places[index + 1] ?? from)));
  const last = splitter.end();
  return last === '' ? lines : [...lines, last];
}

function contentOf(...raw: readonly string[]): LogContent {
  return withLogLines(NO_LOG, raw.map(readLogLine));
}

function textsOf(lines: readonly Pick<PodLogLine, 'text'>[]): readonly string[] {
  return lines.map(({ text }) => text);
}

describe('the splitter of a log', () => {
  it('gives the same lines however the bytes are cut, within characters too', () => {
    const line = fc
      .string({ unit: 'binary', maxLength: 8 })
      .map((text) => text.replaceAll(/[\n\r\ufeff]|[\ud800-\udfff]/g, 'é'));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        const bytes = encoder.encode(lines.map((text) => `${text}\n`).join(''));
        expect(splitIn(bytes, cuts)).toEqual(lines);
      }),
    );
    expect(splitIn(encoder.encode('grün 😀\r\nblau'), [3, 4, 8, 9])).toEqual(['grün 😀', 'blau']);
  });

  it('cuts a line that is too long, says so, and goes on with the next', () => {
    expect(splitIn(encoder.encode(`${'x'.repeat(25)}\nshort\n`), [7, 14], 10)).toEqual([
      'xxxxxxxxxx … (15 more characters)',
      'short',
    ]);
  });
});

describe('the lines that are kept', () => {
  it('begin with their time, if they have one', () => {
    expect(readLogLine('2026-11-16T08:00:00.000000001Z hello')).toEqual({
      time: '2026-11-16T08:00:00.000000001Z',
      text: 'hello',
      type: 'line',
    });
    expect(readLogLine('2026-11-16T08:00:00+02:00 ')).toMatchObject({ time: '2026-11-16T08:00:00+02:00', text: '' });
    expect(readLogLine('failed to open log')).toMatchObject({ time: '', text: 'failed to open log' });
  });

  it('are at most so many, and at most so long; the oldest leave and are counted', () => {
    const many = contentOf(...Array.from({ length: MAX_LOG_LINES + 3 }, (_, index) => String(index)));
    expect([many.lines.length, many.dropped, many.lines[0]?.text]).toEqual([MAX_LOG_LINES, 3, '3']);
    let long = NO_LOG;
    const text = 'x'.repeat(1024 * 1024);
    for (let index = 0; index < 12; index += 1) long = withLogLines(long, [readLogLine(text)]);
    expect(long.lines.length).toBe(7);
    expect(long.chars).toBeLessThanOrEqual(MAX_LOG_CHARS);
    expect(long.lines.map(({ number }) => number)).toEqual([5, 6, 7, 8, 9, 10, 11]);
  });

  it('take earlier ones before them, each once, as far as there is room', () => {
    const all = Array.from({ length: 9 }, (_, index) => `2026-11-16T08:00:0${index}Z ${index}`);
    const kept = contentOf(...all.slice(5));
    const longer = withEarlierLines(kept, all.slice(2).map(readLogLine));
    expect(textsOf(longer.lines)).toEqual(['2', '3', '4', '5', '6', '7', '8']);
    expect(longer.lines.map(({ number }) => number)).toEqual([-3, -2, -1, 0, 1, 2, 3]);
    expect(withEarlierLines(longer, all.slice(2).map(readLogLine))).toBe(longer);
    // The first line that is kept is no longer in the log.
    expect(textsOf(withEarlierLines(kept, all.slice(3, 5).map(readLogLine)).lines)).toHaveLength(6);
    const full = contentOf(...Array.from({ length: MAX_LOG_LINES - 1 }, () => all[5] ?? ''));
    expect(textsOf(withEarlierLines(full, all.map(readLogLine)).lines.slice(0, 2))).toEqual(['4', '5']);
  });

  it('lose the half of a line when the whole one comes', () => {
    const half = withLogLines(contentOf('a'), [{ ...readLogLine('b'), type: 'partial' }]);
    expect(textsOf(withoutPartialLine(half).lines)).toEqual(['a']);
    expect(withoutPartialLine(half).chars).toBe(contentOf('a').chars);
  });
});

describe('a log that is read again', () => {
  const second = fc.integer({ min: 0, max: 3 });
  const line = fc
    .tuple(second, fc.constantFrom('', '.1', '.100000001', '.9'), fc.constantFrom('a', 'b'))
    .map(([at, fraction, text]) => `2026-11-16T08:00:0${at}${fraction}Z ${text}`);
  const log = fc
    .array(line, { minLength: 1, maxLength: 12 })
    .map((lines) => lines.toSorted((a, b) => (timeKey(readLogLine(a).time) < timeKey(readLogLine(b).time) ? -1 : 1)));

  it('adds each line once, although the server begins with the whole second and lines are equal', () => {
    fc.assert(
      fc.property(log, fc.nat(), (lines, at) => {
        const cut = 1 + (at % lines.length);
        const before = contentOf(...lines.slice(0, cut));
        const seen = new SeenLines(before.lines);
        const from = timeKey(seen.since ?? '').slice(0, 12);
        const again = lines.map(readLogLine).filter(({ time }) => timeKey(time) >= from);
        const after = withLogLines(
          before,
          again.filter((each) => !seen.has(each)),
        );
        expect(after.lines.map(({ time, text }) => `${time} ${text}`)).toEqual(lines);
        expect(seen.isJoined).toBe(true);
      }),
    );
  });

  it('notices that what was read before is not there any more', () => {
    const seen = new SeenLines(contentOf('2026-11-16T08:00:00Z a').lines);
    expect(seen.has(readLogLine('2026-11-16T08:00:05Z b'))).toBe(false);
    expect(seen.isJoined).toBe(false);
    expect(new SeenLines(contentOf('no time').lines).since).toBeUndefined();
  });

  it('compares times of any zone and number of digits', () => {
    const times = ['2026-11-16T08:00:00Z', '2026-11-16T10:00:00.000000001+02:00', '2026-11-16T08:00:00.1Z'];
    expect(times.map(timeKey).toSorted()).toEqual(times.map(timeKey));
    expect(timeKey('2026-11-16T10:00:00+02:00')).toBe(timeKey('2026-11-16T08:00:00.000Z'));
  });
});

describe('the filter of a log', () => {
  it('finds a text in any case and without its colors, in lines that come before and after, and forgets dropped ones', () => {
    const filter = new LogFilter('a.b');
    const first = contentOf('2026-11-16T08:00:01Z A.B 1', '2026-11-16T08:00:02Z axb 2');
    expect(textsOf(filter.apply(first))).toEqual(['A.B 1']);
    const second = withLogLines(first, [readLogLine('2026-11-16T08:00:03Z a.\u001b[31mb 3')]);
    expect(filter.apply(second)).toHaveLength(2);
    const earlier = withEarlierLines(second, [readLogLine('2026-11-16T08:00:00Z a.b 0')]);
    expect(textsOf(filter.apply(earlier)).map((text) => text.at(-1))).toEqual(['0', '1', '3']);
    expect(new LogFilter('A.B').apply(earlier)).toHaveLength(3);
    const { lines } = earlier;
    expect(filter.apply({ ...earlier, lines: lines.slice(2) })).toHaveLength(1);
    expect(new LogFilter('').apply(earlier)).toBe(lines);
  });
});
