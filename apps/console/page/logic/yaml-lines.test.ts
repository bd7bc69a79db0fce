import fc from 'fast-check';
import { JSON_SCHEMA, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { yamlLines, yamlText } from './yaml-lines.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'yes',
    'No',
    '~',
    '1',
    '1e3',
    '0x1f',
    '2026-11-16',
    '12:30',
    '- a',
    'a: b',
    'a #b',
    '#!/bin/sh\necho\n',
  ),
  fc.constantFrom(
    '',
    ' ',
    'a ',
    ' a',
    '\n',
    'a\n',
    'a\nb',
    'a\n\n',
    '  a\nb',
    'a \nb',
    'a\tb\nc',
    '---',
    '...',
    '&x',
    '*x',
    '!t',
  ),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      texts.filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));

describe('lines of YAML', () => {
  it('load as the value that they print', () => {
    fc.assert(
      fc.property(value, (printed) => {
        expect(load(yamlText(printed), { schema: JSON_SCHEMA })).toEqual(printed);
      }),
      { numRuns: 2000 },
    );
  });

  it('look as kubectl prints them', () => {
    const object = {
      metadata: { name: 'web', labels: {} },
      spec: { containers: [{ name: 'a', args: ['--x', '1'] }, { name: 'b' }], script: '#!/bin/sh\nexit 0\n' },
    };
    expect(yamlText(object)).toBe(`metadata:
  name: web
  labels: {}
spec:
  containers:
  - name: a
    args:
    - "--x"
    - "1"
  - name: b
  script: |
    #!/bin/sh
    exit 0
`);
  });

  it('know how many lines fold with them', () => {
    const lines = yamlLines({ a: { b: 1, c: { d: 2 } }, e: [{ f: 1, g: 2 }, { h: 3 }], text: 'x\ny\n' });
    expect(lines.map(({ path, below }) => `${path} ${below}`)).toEqual([
      'a 3',
      'a.b 0',
      'a.c 1',
      'a.c.d 0',
      'e 3',
      'e.0.f 1',
      'e.0.g 0',
      'e.1.h 0',
      'text 2',
      'text.0 0',
      'text.1 0',
    ]);
  });
});
