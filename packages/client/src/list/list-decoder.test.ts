import { expect, test } from 'vitest';
import { parseJsonBytes, parseJsonRun } from '../json/parse-json.ts';
import { ListDecoder } from './list-decoder.ts';

const MAX_ITEM_BYTES = 64 * 1024 * 1024;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function decodeAll(...pieces: readonly (Uint8Array | string)[]): ListDecoder<unknown> & { readonly items: unknown[] } {
  const decoder = new ListDecoder<unknown>({ one: parseJsonBytes }, MAX_ITEM_BYTES);
  const items: unknown[] = [];
  for (const piece of pieces) {
    decoder.push(typeof piece === 'string' ? encode(piece) : piece);
    for (let taken = decoder.take(); taken.length > 0; taken = decoder.take()) items.push(...taken);
  }
  decoder.end();
  return Object.assign(decoder, { items });
}

test('metadata, kind and apiVersion are known as soon as they have arrived', () => {
  const decoder = new ListDecoder<unknown>({ one: parseJsonBytes }, MAX_ITEM_BYTES);
  decoder.push(encode('{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"a":1}'));
  expect(decoder.metadata).toEqual({});
  expect(decoder.take()).toEqual([{ a: 1 }]);
  expect([decoder.metadata, decoder.kind, decoder.apiVersion]).toEqual([{ resourceVersion: '7' }, 'PodList', 'v1']);
});

test.each([['[]'], ['null'], [' [ ] ']])('a list whose items are %s has none', (items) => {
  expect(decodeAll(`{"items":${items},"kind":"PodList"}\n`).items).toEqual([]);
});

test('a key that is written with escapes is the key', () => {
  expect(decodeAll('{"\\u0069tems":[{"a":1}]}').items).toEqual([{ a: 1 }]);
});

test('members of Object.prototype are unknown members like any other', () => {
  expect(decodeAll('{"__proto__":{"items":[{}]},"constructor":1,"items":[{"a":1}]}').items).toEqual([{ a: 1 }]);
});

test('a string that is cut behind a backslash goes on, also when nothing comes at first', () => {
  expect(decodeAll('{"items":[{"a":"x\\', '', '"}]y"}]}').items).toEqual([{ a: 'x"}]y' }]);
});

test('a long string that ends in an even number of backslashes ends', () => {
  const long = `${'x'.repeat(100)}\\\\`;
  expect(decodeAll(`{"items":[{"a":${JSON.stringify(long)}},{"b":1}]}`).items).toEqual([{ a: long }, { b: 1 }]);
});

test('items may be read over: they are not decoded, and what follows them is still found', () => {
  const decoder = new ListDecoder<unknown>({ one: () => expect.unreachable('decoded') }, MAX_ITEM_BYTES);
  decoder.dropItems();
  decoder.push(encode('{"items":[{"a":1},{"b":'));
  expect(decoder.take()).toEqual([]);
  decoder.push(encode('2}],"metadata":{"continue":"c"}}'));
  expect(decoder.take()).toEqual([]);
  decoder.end();
  expect(decoder.metadata).toEqual({ continue: 'c' });
});

test('what is left behind items that were decoded together is read over, and what follows it is still found', () => {
  const decoder = new ListDecoder<unknown>({ one: parseJsonBytes, run: parseJsonRun }, MAX_ITEM_BYTES);
  decoder.push(encode('{"items":[{"a":1},{"a":2},{"a":3},{"a":4},{"a":5}],"metadata":{"continue":"c"}}'));
  expect(decoder.take()).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }]);
  decoder.dropItems();
  expect(decoder.take()).toEqual([]);
  decoder.end();
  expect(decoder.metadata).toEqual({ continue: 'c' });
});

test('a wrong guess of a kind is made once in a piece, and does not end the guessing', () => {
  const runs: string[] = [];
  const run = (json: Uint8Array): readonly unknown[] => {
    runs.push(new TextDecoder().decode(json));
    return parseJsonRun(json);
  };
  const decoder = new ListDecoder<unknown>({ one: parseJsonBytes, run }, MAX_ITEM_BYTES);
  const items: unknown[] = [];
  for (const piece of ['{"items":[{"a":1},{"a":2},{"a":[{"a":3},{"a":4}', ']},{"a":5},{"a":6},{"a":7}]}']) {
    decoder.push(encode(piece));
    for (let taken = decoder.take(); taken.length > 0; taken = decoder.take()) items.push(...taken);
  }
  decoder.end();
  expect(items).toEqual([{ a: 1 }, { a: 2 }, { a: [{ a: 3 }, { a: 4 }] }, { a: 5 }, { a: 6 }, { a: 7 }]);
  expect(runs).toEqual([
    '{"a":1},{"a":2},{"a":[{"a":3},{"a":4}',
    '{"a":1},{"a":2},{"a":[{"a":3}',
    '{"a":5},{"a":6},{"a":7}',
  ]);
});

test.each([
  ['no JSON', '<html>', 'not a list: unexpected "<"'],
  ['an array', '[{"items":[]}]', 'not a list'],
  ['a Table', '{"kind":"Table","rows":[]}', 'Table is not a list'],
  ['a Status', '{"kind":"Status","status":"Failure"}', 'Status is not a list'],
  ['an object', '{"kind":"Pod","metadata":{"name":"x"}}', 'Pod is not a list: it has no items'],
  ['an empty object', '{}', 'the answer is not a list: it has no items'],
  ['items that are an object', '{"items":{}}', 'its items are not an array'],
  ['items twice', '{"items":[],"items":[]}', 'items twice'],
  ['an item that is a number', '{"items":[1]}', 'not a list'],
  ['an item that is no JSON', '{"items":[{"a":]}]}', 'not JSON: "]" in place of a value'],
  ['a comma too many', '{"items":[{},]}', 'not a list'],
  ['a comma too few', '{"items":[{}{}]}', 'not a list'],
  ['a value too few', '{"items":[],"x":}', 'not a list'],
  ['more behind the end', '{"items":[]}{', 'not a list'],
  ['metadata that is no JSON', '{"items":[],"metadata":{]}', 'not JSON: "]" in place of a key'],
])('%s fails with PROTOCOL', (_, body, message) => {
  expect(() => decodeAll(body)).toThrow(
    expect.objectContaining({ code: 'PROTOCOL', message: expect.stringContaining(message) }),
  );
});

test('an item that is not UTF-8 fails with PROTOCOL, and does not become an object with other text', () => {
  expect(() => decodeAll('{"items":[{"a":"', Uint8Array.of(0xff), '"}]}')).toThrow(
    expect.objectContaining({ code: 'PROTOCOL' }),
  );
});

test.each([[''], ['{"items":[{"a":1},'], ['{"items":[{"a":1}]'], ['{"kind":"Pod']])(
  'a list that ends after %j was cut: CLOSED',
  (body) => {
    expect(() => decodeAll(body)).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  },
);

test('an item of more than 64 MiB fails with PROTOCOL before it has filled the memory', () => {
  const decoder = new ListDecoder<unknown>({ one: parseJsonBytes }, MAX_ITEM_BYTES);
  decoder.push(encode('{"items":[{"a":"'));
  decoder.take();
  const piece = new Uint8Array(1024 * 1024).fill(0x61);
  let pushed = 0;
  const flood = (): void => {
    for (; pushed < 100; pushed += 1) {
      decoder.push(piece);
      decoder.take();
    }
  };
  expect(flood).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
  expect(pushed).toBe(63);
});
