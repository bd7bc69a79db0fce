import type { WatchEvent } from '@listwatch/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { configMaps } from '../../test/config-maps.ts';
import { decodeAll } from './decode-all.ts';
import { FrameSplitter } from './frame-splitter.ts';
import { watchDecoder } from './watch-decoder.ts';

const encoder = new TextEncoder();
const decoder = watchDecoder(configMaps, {});

const events = fc.array(
  fc.record({
    type: fc.constantFrom('ADDED', 'DELETED', 'MODIFIED'),
    name: fc.string({ unit: 'grapheme', minLength: 1 }),
    separator: fc.constantFrom('\n', '\n', '\n', '', ' ', '\n\n', '\r\n'),
    pretty: fc.constantFrom(0, 0, 0, 2),
  }),
  { maxLength: 12 },
);

/** Everything decoded from `text` when it comes in pieces that end at `cuts`, and what ended it. */
function decoded(text: string, cuts: readonly number[]): { readonly names: string[]; readonly error: unknown } {
  const bytes = encoder.encode(text);
  const splitter = new FrameSplitter(16 * 1024 * 1024);
  const names: string[] = [];
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    splitter.push(bytes.subarray(from, end));
    const { events: some, error } = decodeAll(splitter, decoder);
    for (const event of some) names.push(`${event.type} ${nameOf(event)}`);
    if (error !== undefined) return { names, error: error.cause };
    from = end;
  }
  return { names, error: undefined };
}

function nameOf(event: WatchEvent): string {
  return event.type === 'BOOKMARK' || event.type === 'ERROR' ? '' : event.object.metadata.name;
}

const frame = (type: string, name: string, pretty = 0): string =>
  JSON.stringify({ type, object: { metadata: { name } } }, undefined, pretty);

test('every event is decoded once and in order, however its bytes are cut and whatever stands between the frames', () => {
  fc.assert(
    fc.property(events, fc.array(fc.nat(4000), { maxLength: 8 }), (sent, cuts) => {
      const text = sent.map(({ type, name, separator, pretty }) => frame(type, name, pretty) + separator).join('');
      const { names, error } = decoded(text, cuts);
      expect(error).toBeUndefined();
      expect(names).toEqual(sent.map(({ type, name }) => `${type} ${name}`));
    }),
    { numRuns: 500 },
  );
});

test('an event that is whole is told at once, whatever was begun behind it', () => {
  fc.assert(
    fc.property(events, fc.array(fc.nat(4000), { maxLength: 3 }), fc.nat(4000), (sent, cuts, last) => {
      const frames = sent.map(({ type, name, pretty }) => frame(type, name, pretty));
      const text = sent.map(({ separator }, index) => `${frames[index]}${separator}`).join('');
      const come = encoder.encode(text).subarray(0, last % (text.length + 1));
      const start = new TextDecoder().decode(come, { stream: true });
      const { names } = decoded(start, cuts);
      let end = 0;
      const whole = frames.filter((json) => {
        end = text.indexOf(json, end) + json.length;
        return end <= start.length;
      });
      expect(names).toHaveLength(whole.length);
    }),
    { numRuns: 500 },
  );
});

const good = (count: number): string => `${frame('ADDED', 'a')}\n`.repeat(count);

test('what comes before a frame that is none is decoded, and nothing after it', () => {
  fc.assert(
    fc.property(fc.nat(5), fc.nat(5), fc.array(fc.nat(800), { maxLength: 4 }), (before, after, cuts) => {
      const { names, error } = decoded(`${good(before)}{"type":"ODD","object":{}}\n${good(after)}`, cuts);
      expect(names).toHaveLength(before);
      expect(error).toMatchObject({ code: 'PROTOCOL' });
    }),
    { numRuns: 200 },
  );
});

test('nothing is decoded behind an ERROR', () => {
  const error = '{"type":"ERROR","object":{"kind":"Status","code":410}}';
  expect(decoded(`${frame('ADDED', 'a')}\n${error}\n${frame('ADDED', 'b')}\n`, []).names).toEqual([
    'ADDED a',
    'ERROR ',
  ]);
});

const ERROR_FRAME = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', status: 'Failure', code: 410 } });

test.each([
  ['at the beginning of the lines', `${ERROR_FRAME}\n${frame('ADDED', 'late')}\n`, ['ERROR']],
  ['behind other lines', `${frame('ADDED', 'a')}\n${ERROR_FRAME}\n${frame('ADDED', 'late')}\n`, ['ADDED', 'ERROR']],
  ['before a frame without a newline', `${ERROR_FRAME}\n${frame('ADDED', 'late')}`, ['ERROR']],
  ['without a newline', `${frame('ADDED', 'a')}\n${ERROR_FRAME}${frame('ADDED', 'late')}`, ['ADDED', 'ERROR']],
])('an ERROR is the last event, and is told as a notice: %s', (_, text, types) => {
  const splitter = new FrameSplitter(1024);
  splitter.push(encoder.encode(text));
  const { events: told, hasNotice, error } = decodeAll(splitter, decoder);
  expect([told.map(({ type }) => type), hasNotice, error]).toEqual([types, true, undefined]);
});
