import fc from 'fast-check';
import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../write/body/yaml-body.ts';
import { yamlListPieces, yamlOfJson } from './yaml-layout.ts';

const yaml = (json: string) => yamlOfJson(Buffer.from(json)).toString();

describe('JSON as YAML', () => {
  it('puts the keys in order and lists at the level of their key', () => {
    expect(yaml('{"kind":"A","apiVersion":"v1","items":[{"b":1,"a":"x"},[1,[]],{}]}')).toBe(
      'apiVersion: v1\nitems:\n- a: x\n  b: 1\n- - 1\n  - []\n- {}\nkind: A\n',
    );
  });

  it.each([
    ['nginx:1.2', 'nginx:1.2'],
    ['a b', 'a b'],
    ['true', '"true"'],
    ['1', '"1"'],
    ['2020-01-01T00:00:00Z', '"2020-01-01T00:00:00Z"'],
    ['', '""'],
    ['a: b', "'a: b'"],
    ["it's: b", "'it''s: b'"],
    ['a #b', "'a #b'"],
    ['- a', "'- a'"],
    ['*', "'*'"],
    ['a\u0085', '"a\\u0085"'],
    ['x\ny', '|-\n  x\n  y'],
    ['x\n\ny\n', '|\n  x\n\n  y'],
    ['x\n\n', '|+\n  x\n'],
    [' x\ny', '" x\\ny"'],
  ])('writes %j as %s', (text, written) => {
    expect(yaml(JSON.stringify({ a: text }))).toBe(`a: ${written}\n`);
  });

  it('keeps every digit of a long integer', () => {
    expect(yaml('{"a":9223372036854775807,"b":[-9223372036854775808]}')).toBe(
      'a: 9223372036854775807\nb:\n- -9223372036854775808\n',
    );
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'ab01 \n\t:#-.,[]{}&*!|>\'"%@`~=<?\\_'.split(''), 'yes', 'null', '0x') }),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21),
      fc.array(tie('value')),
      fc.dictionary(text, tie('value')),
    ),
  })).value;

  it('says the same to readers of YAML 1.1, of YAML 1.2 and to this server', () => {
    fc.assert(
      fc.property(value, (said) => {
        const json = JSON.stringify(said);
        const written = yaml(json);
        expect(load(written, { schema: CORE_SCHEMA })).toEqual(JSON.parse(json));
        expect(load(written, { schema: YAML11_SCHEMA })).toEqual(JSON.parse(json));
        expect(parseYaml(Buffer.from(written)).value).toEqual(JSON.parse(json));
      }),
      { numRuns: 500 },
    );
  });
});

const list = (items: readonly object[]) =>
  Array.from(
    yamlListPieces(
      '{"kind":"L","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[]}',
      'items',
      items.map((item) => Buffer.from(JSON.stringify(item))),
    ),
    String,
  );

describe('a list as YAML', () => {
  it('is what the whole would be, in a piece for each item', () => {
    const items = [{ b: 1, a: { c: 'x\ny\n' } }, { metadata: { name: 'b' } }];
    const whole = { kind: 'L', apiVersion: 'v1', metadata: { resourceVersion: '5' }, items };
    expect(list(items).join('')).toBe(yaml(JSON.stringify(whole)));
    expect(list(items).filter((piece) => piece.includes('- '))).toHaveLength(2);
    expect(list([]).join('')).toBe(yaml(JSON.stringify({ ...whole, items: [] })));
  });
});
