import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from './yaml-body.ts';

const parse = (yaml: string) => parseYaml(Buffer.from(yaml)).value;

describe('a body in YAML', () => {
  it.each([
    ['a: 1\nb: [x, {c: d}]\n', { a: 1, b: ['x', { c: 'd' }] }],
    ['\ufeffa: 1\r\nb:\r\n- c\r\n', { a: 1, b: ['c'] }],
    ['a: |\n  x\n  y\nb: >-\n  c\n  d', { a: 'x\ny\n', b: 'c d' }],
    ['{"a": {"b": "c\\n"}}', { a: { b: 'c\n' } }],
    ['a: 1\n---\nb: 2\n', { a: 1 }],
    ['', null],
    ['# nothing', null],
    ['y: 1\n2: b\n1.5: c', { true: 1, 2: 'b', 1.5: 'c' }],
    ['a: &x {b: 1, c: 2}\nd: *x\ne: {<<: *x, b: 3}', { a: { b: 1, c: 2 }, d: { b: 1, c: 2 }, e: { b: 3, c: 2 } }],
    ['a: {<<: [{b: 1}, {b: 2, c: 3}]}', { a: { b: 1, c: 3 } }],
    ['a: !!str 1\nb: !own x\nc: !!binary aGk=\nd: !!float 1', { a: '1', b: 'x', c: 'hi', d: 1 }],
    ['a: "\\ud83d\\ude00"', { a: '\u{1f600}' }],
    ['a: 9223372036854775807', { a: 9_223_372_036_854_775_807n }],
  ])('%j is read as Go reads it', (yaml, value) => expect(parse(yaml)).toEqual(value));

  it('with a key twice keeps the last and tells the line', () => {
    const { value, complaints } = parseYaml(Buffer.from('a: 1\nb: {c: 1}\na: 2\nd:\n  e: 1\n  e: 2\n'));
    expect(value).toEqual({ a: 2, b: { c: 1 }, d: { e: 2 } });
    expect(complaints).toEqual(['line 3: key "a" already set in map', 'line 6: key "e" already set in map']);
    expect(parseYaml(Buffer.from('a: 1\n'.repeat(500))).complaints).toHaveLength(100);
  });

  it('with a key __proto__ changes no prototype', () => {
    const value = parse('__proto__: {polluted: 1}\n');
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(parse('a: &a {__proto__: {x: 1}}\nb: {<<: *a}'))).toBe(Object.prototype);
  });

  it.each([
    ['a: [', /^yaml: line 1: did not find expected node content$/],
    ['{\n"a": [{"b}\\"": 1,\n2', /^yaml: line 3: did not find expected ',' or '\}'$/],
    ['{"a": {"b": {}},\n"c": [1\n\n', /^yaml: line 2: did not find expected ',' or '\]'$/],
    ['a: b: c', /^yaml: line 1: /],
    ['a:\n\t- b', /^yaml: line 2: tab characters/],
    ['a: *nobody', /^yaml: line 1: unknown anchor 'nobody' referenced$/],
    ['a: &x [*x]', /^yaml: line 1: anchor 'x' value contains itself$/],
    ['{[a]: 1}', /^yaml: line 1: invalid map key/],
    ['? : x', /^yaml: line 1: invalid map key: null$/],
    ['a: {<<: 1}', /^yaml: line 1: map merge requires map/],
    ['a: .nan', /^yaml: line 1: unsupported value: \.nan$/],
    ['a: !!int x', /^yaml: line 1: cannot decode !!str `x` as a !!int$/],
    ['a: "\\ud800"', /^yaml: line 1: found invalid Unicode character escape code$/],
    ['a: 1\0', /^yaml: line 1: null byte/],
  ])('%j is refused with its line', (yaml, message) => expect(() => parse(yaml)).toThrow(message));

  it('that is no UTF-8 is refused', () => {
    expect(() => parseYaml(Buffer.from([0x61, 0x3a, 0x20, 0xff]))).toThrow('yaml: invalid leading UTF-8 octet');
  });

  it('is what it would be in JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = JSON.stringify(value);
        expect(parse(json)).toEqual(JSON.parse(json.replaceAll('-0,', '0,')));
      }),
    );
  });

  it('of any text is read or refused with words, and never fails otherwise', () => {
    const unit = fc.constantFrom(
      ...'ab:-?,[]{}&*!|>\'"%#\\ \n\t09~<.'.split(''),
      '<<: ',
      '&a ',
      '*a ',
      '- ',
      '!!int ',
      '---\n',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (yaml) => {
        try {
          parse(yaml);
        } catch (error) {
          expect(error).toMatchObject({ name: 'SyntaxProblem', message: expect.stringMatching(/^yaml: line \d+: /) });
        }
      }),
      { numRuns: 3000 },
    );
  });
});

const MEGABYTE = 1024 * 1024;
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

const repeated = (text: string, count: number) => Array<string>(count).fill(text).join();

/** Each of them stalled a server for up to minutes, exhausted its memory or overflowed its stack. */
const BOMBS: readonly (readonly [name: string, yaml: string, outcome: RegExp])[] = [
  ['24 maps as keys', `${'{'.repeat(24)}a: 1${'}: 1'.repeat(23)}}`, /invalid map key/],
  ['90 maps as keys', `${'{'.repeat(90)}a${'}: 1'.repeat(89)}}`, /invalid map key/],
  ['700 maps as keys', `${'{'.repeat(700)}a${'}: 1'.repeat(699)}}`, /exceeded max depth of 100/],
  ['700 explicit keys', '? '.repeat(700), /exceeded max depth of 100/],
  ['chained anchors', `a0: &a0 [x]\n${lines(9000, (i) => `a${i + 1}: &a${i + 1} [*a${i}, x]`)}`, /excessive aliasing/],
  [
    'nested anchors',
    `a0: &a0 [x]\n${lines(2000, (i) => `a${i + 1}: &a${i + 1} [*a${i}]`)}`,
    /excessive aliasing|max depth/,
  ],
  [
    'a billion laughs',
    `b0: &b0 [x,x,x,x,x,x,x,x,x]\n${lines(8, (i) => `b${i + 1}: &b${i + 1} [${repeated(`*b${i}`, 9)}]`)}`,
    /excessive aliasing/,
  ],
  ['aliases of a long string', `a: &a ${'x'.repeat(500_000)}\nb: [${repeated('*a', 1000)}]`, /excessive aliasing/],
  [
    'merged aliases',
    `a: &a {${lines(999, (i) => ` k${i}: 1,`)}}\n${lines(900, (i) => `m${i}: {<<: *a}`)}`,
    /excessive/,
  ],
  [
    'a depth that is in an alias',
    `a0: &a0 x\n${lines(13, (i) => `a${i + 1}: &a${i + 1} ${'['.repeat(90)}*a${i}${']'.repeat(90)}`)}`,
    /exceeded max depth$/,
  ],
  ['flow depth 10 000', '['.repeat(10_000), /exceeded max depth of 100/],
  ['depth 200', lines(200, (i) => `${' '.repeat(i)}a:`), /exceeded max depth of 100/],
  ['lists in lists', '- '.repeat(MEGABYTE / 2), /exceeded max depth of 100/],
  ['500 000 items', `[${'1,'.repeat(500_000)}]`, /more than 45000 nodes/],
  ['many documents', '---\na: 1\n'.repeat(90_000), /^read$/],
  ['a million lines', '\n'.repeat(MEGABYTE), /1048577 lines of YAML, limit is 200000/],
  ['two megabytes', ' '.repeat(2 * MEGABYTE), /limit is 1572864 for YAML/],
  ['a key of megabytes', `${'x'.repeat(MEGABYTE)}: {${lines(200, (i) => ` k${i}: 1, k${i}: 2,`)}}`, /read/],
  ['20 000 keys', lines(20_000, (i) => `k${i}: v`), /read/],
  ['20 000 anchors', lines(20_000, (i) => `- &a${i} x`), /read/],
  ['a long plain scalar', `a: ${'x '.repeat(MEGABYTE / 2)}`, /read/],
  ['a scalar of many lines', `a: x\n${' x\n'.repeat(190_000)}`, /read/],
  ['escapes', `a: "${'\\n'.repeat(MEGABYTE / 2)}"`, /read/],
  ['huge indentation', `a:\n${' '.repeat(MEGABYTE)}b: 1`, /read/],
  ['tabs', `a:\n${'\t'.repeat(MEGABYTE)}b: 1`, /tab characters/],
  ['comments', '# x\n'.repeat(190_000), /read/],
  ['colons', ':'.repeat(MEGABYTE), /read/],
  ['a long tag', `a: !${'x'.repeat(MEGABYTE)}`, /read/],
  ['directives', `${'%FOO\n'.repeat(190_000)}---\na: 1`, /read/],
];

describe('a hostile body in YAML is answered in bounded time', () => {
  it.each(BOMBS)('%s', { timeout: 10_000 }, (_name, yaml, outcome) => {
    let answer = 'read';
    try {
      parse(yaml);
    } catch (error) {
      answer = String(error);
    }
    expect(answer).toMatch(outcome);
  });
});
