import { describe, expect, test } from 'vitest';
import { escapeFieldValue, fieldSelector, parseFieldSelector } from './field-selector.ts';

const OBJECTS = [
  { 'metadata.name': 'p1', 'metadata.namespace': 'a' },
  { 'metadata.name': 'p2', 'metadata.namespace': 'a' },
];

describe('which objects a selector selects', () => {
  test.each([
    ['', ['p1', 'p2']],
    [',', ['p1', 'p2']],
    ['metadata.name=p1', ['p1']],
    ['metadata.name==p1', ['p1']],
    ['metadata.name=p1,', ['p1']],
    ['metadata.name!=p1', ['p2']],
    ['metadata.namespace=other', []],
    ['metadata.name=p1,metadata.name=p2', []],
    ['metadata.name=', []],
    ['metadata.name=p\\,1', []],
    // A field that an object lacks is empty.
    ['spec.nodeName=', ['p1', 'p2']],
    ['spec.nodeName!=', []],
    ['constructor=', ['p1', 'p2']],
    ['=', ['p1', 'p2']],
  ])('%j', (text, names) => {
    const selector = parseFieldSelector(text);
    expect(OBJECTS.filter((fields) => selector.matches(fields)).map((fields) => fields['metadata.name'])).toEqual(
      names,
    );
  });
});

describe('how a term is read', () => {
  test.each([
    ['a=b', { field: 'a', operator: '=', value: 'b' }],
    ['a==b', { field: 'a', operator: '=', value: 'b' }],
    ['a!=b', { field: 'a', operator: '!=', value: 'b' }],
    ['a=b!c', { field: 'a', operator: '=', value: 'b!c' }],
    [' a = b ', { field: ' a ', operator: '=', value: ' b ' }],
    ['a=\\\\\\,\\=', { field: 'a', operator: '=', value: '\\,=' }],
    ['a\\,b=c', { field: 'a\\,b', operator: '=', value: 'c' }],
    ['=p1', { field: '', operator: '=', value: 'p1' }],
    ['a!=', { field: 'a', operator: '!=', value: '' }],
  ])('%j', (text, term) => {
    expect(parseFieldSelector(text).terms).toEqual([term]);
  });
});

describe('text that is no selector is refused with the text of Kubernetes and the place', () => {
  test.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'", 0, 'metadata.name'],
    [
      'a=b,metadata.name in (p1)',
      "invalid selector: 'a=b,metadata.name in (p1)'; can't understand 'metadata.name in (p1)'",
      4,
      'metadata.name in (p1)',
    ],
    ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61', 15, '='],
    ['a===b', 'invalid field selector: unescaped character in value: 61', 3, '='],
    ['x=1,a=\\n', 'invalid field selector: invalid escape sequence: \\n', 6, '\\n'],
    ['a=\\😀', 'invalid field selector: invalid escape sequence: \\😀', 2, '\\😀'],
    ['a=\\', 'invalid field selector: invalid escape sequence: \\', 2, '\\'],
    // Terms are read in sorted order, so the second term is the first to be refused.
    ['z,a', "invalid selector: 'z,a'; can't understand 'a'", 2, 'a'],
  ])('%j', (text, message, position, found) => {
    expect(() => parseFieldSelector(text)).toThrow(
      expect.objectContaining({ code: 'SELECTOR', message, position, found }),
    );
  });
});

describe('the canonical text', () => {
  test.each([
    ['', ''],
    ['b=1,a=2', 'a=2,b=1'],
    ['a==b,a=a', 'a=a,a=b'],
    ['a!=z,a=b', 'a!=z,a=b'],
    ['a=x\\,y\\=z\\\\', 'a=x\\,y\\=z\\\\'],
  ])('%j prints as %j', (text, canonical) => {
    expect(String(parseFieldSelector(text))).toBe(canonical);
    expect(parseFieldSelector(canonical).text).toBe(canonical);
  });
});

describe('exact matches', () => {
  test('the name that a selector pins is the name of the one object it can select', () => {
    expect(parseFieldSelector('metadata.name=x,spec.nodeName!=n').name).toBe('x');
    expect(parseFieldSelector('metadata.name!=x').name).toBeUndefined();
    expect(parseFieldSelector('').name).toBeUndefined();
  });

  test('any field can be asked for, and all pinned ones are listed', () => {
    const selector = parseFieldSelector('spec.nodeName=n1,status.phase!=Failed,metadata.namespace=');
    expect(selector.requiresExactMatch('spec.nodeName')).toBe('n1');
    expect(selector.requiresExactMatch('metadata.namespace')).toBe('');
    expect(selector.requiresExactMatch('status.phase')).toBeUndefined();
    expect(selector.exactTerms).toEqual([
      { key: 'metadata.namespace', value: '' },
      { key: 'spec.nodeName', value: 'n1' },
    ]);
  });
});

describe('transforming', () => {
  const selector = parseFieldSelector('spec.host=n1,metadata.name!=a');

  test('replaces fields and keeps the operator', () => {
    const replaced = selector.transform((term) =>
      term.field === 'spec.host' ? { ...term, field: 'spec.nodeName' } : term,
    );
    expect(replaced.text).toBe('metadata.name!=a,spec.nodeName=n1');
    expect(selector.text).toBe('metadata.name!=a,spec.host=n1');
  });

  test('drops terms', () => {
    expect(selector.transform(() => undefined).isEmpty).toBe(true);
  });

  test('passes an error on', () => {
    const error = new Error('no such field');
    expect(() =>
      selector.transform(() => {
        throw error;
      }),
    ).toThrow(error);
  });
});

test('a selector is built from values, which are escaped when printed', () => {
  expect(fieldSelector({ 'metadata.name': 'a,b', type: 'x=y' }).text).toBe('metadata.name=a\\,b,type=x\\=y');
  expect(escapeFieldValue('a\\b')).toBe('a\\\\b');
});
