import { describe, expect, test } from 'vitest';
import { labelSelector, parseLabelSelector } from './label-selector.ts';

const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const OBJECTS = {
  p1: { app: 'web', tier: 'front', v: '1' },
  p2: { app: 'web', tier: 'back', v: '2' },
  p3: { app: 'db', v: '10' },
  p4: {},
};

describe('which objects a selector selects', () => {
  test.each([
    ['', ['p1', 'p2', 'p3', 'p4']],
    ['  ', ['p1', 'p2', 'p3', 'p4']],
    ['app=web', ['p1', 'p2']],
    ['app==web', ['p1', 'p2']],
    [' app = web ', ['p1', 'p2']],
    ['app\t=\r\nweb', ['p1', 'p2']],
    ['app!=web', ['p3', 'p4']],
    ['app in (web,db)', ['p1', 'p2', 'p3']],
    ['app in (db, web)', ['p1', 'p2', 'p3']],
    ['app notin (web)', ['p3', 'p4']],
    ['app', ['p1', 'p2', 'p3']],
    ['!app', ['p4']],
    ['! app', ['p4']],
    ['app=web,tier=back', ['p2']],
    ['app in (web),tier notin (front)', ['p2']],
    ['v>1', ['p2', 'p3']],
    ['v<10', ['p1', 'p2']],
    ['app=', []],
    ['app in ()', []],
    ['app in (,)', []],
    ['app notin ()', ['p1', 'p2', 'p3', 'p4']],
    ['APP=web', []],
    ['example.com/x', []],
    ['app=web,app=db', []],
  ])('%j', (text, names) => {
    const selector = parseLabelSelector(text);
    expect(
      Object.entries(OBJECTS)
        .filter(([, labels]) => selector.matches(labels))
        .map(([name]) => name),
    ).toEqual(names);
  });

  test('an object without labels is matched like one with none', () => {
    expect(parseLabelSelector('!app').matches(undefined)).toBe(true);
    expect(parseLabelSelector('app').matches(undefined)).toBe(false);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty'])('a label called %s is a label like any other', (key) => {
    expect(parseLabelSelector(key).matches({})).toBe(false);
    expect(parseLabelSelector(`!${key}`).matches({})).toBe(true);
    expect(parseLabelSelector(`${key}=x`).matches({ [key]: 'x' })).toBe(true);
  });
});

describe('the canonical text', () => {
  test.each([
    ['', ''],
    ['b=1,a=2', 'a=2,b=1'],
    ['a==1', 'a==1'],
    ['a != 1', 'a!=1'],
    ['a in (c,b,c)', 'a in (b,c)'],
    ['a notin ( b )', 'a notin (b)'],
    ['x in (foo,,baz),y,z notin ()', 'x in (,baz,foo),y,z notin ()'],
    ['a in ()', 'a in ()'],
    ['a in (,b)', 'a in (,b)'],
    ['!b,a', 'a,!b'],
    ['a>1,a<9', 'a>1,a<9'],
    ['a<9,a>1', 'a<9,a>1'],
    ['in in (in,notin)', 'in in (in,notin)'],
    ['notin', 'notin'],
    ['a=in', 'a=in'],
    ['a=', 'a='],
  ])('%j prints as %j', (text, canonical) => {
    expect(String(parseLabelSelector(text))).toBe(canonical);
    expect(parseLabelSelector(canonical).text).toBe(canonical);
  });
});

const REQUIREMENT = 'unable to parse requirement: ';

describe('text that is no selector is refused with the text of Kubernetes and the place', () => {
  test.each<[string, string, { position: number; found: string; expected?: string }]>([
    [
      ',',
      "found ',', expected: !, identifier, or 'end of string'",
      { position: 0, found: ',', expected: "!, identifier, or 'end of string'" },
    ],
    ['=web', "found '=', expected: !, identifier, or 'end of string'", { position: 0, found: '=' }],
    ['(a)', "found '(', expected: !, identifier, or 'end of string'", { position: 0, found: '(' }],
    ['app=web,', "found '', expected: identifier after ','", { position: 8, found: '' }],
    ['app=web,,b', "found ',', expected: identifier after ','", { position: 8, found: ',' }],
    ['app=web tier=back', "found 'tier', expected: ',' or 'end of string'", { position: 8, found: 'tier' }],
    ['app=we b', "found 'b', expected: ',' or 'end of string'", { position: 7, found: 'b' }],
    ['!app=web', "found '=', expected: ',' or 'end of string'", { position: 4, found: '=' }],
    ['a in (b) c', "found 'c', expected: ',' or 'end of string'", { position: 9, found: 'c' }],
    ['!', `${REQUIREMENT}found '', expected: identifier`, { position: 1, found: '', expected: 'identifier' }],
    ['!!a', `${REQUIREMENT}found '!', expected: identifier`, { position: 1, found: '!' }],
    ['app web', `${REQUIREMENT}found 'web', expected: in, notin, =, ==, !=, gt, lt`, { position: 4, found: 'web' }],
    ['app!', `${REQUIREMENT}found '!', expected: in, notin, =, ==, !=, gt, lt`, { position: 3, found: '!' }],
    ['app in web', `${REQUIREMENT}found 'web' expected: '('`, { position: 7, found: 'web', expected: "'('" }],
    ['app in', `${REQUIREMENT}found '' expected: '('`, { position: 6, found: '' }],
    ['app in (web', `${REQUIREMENT}found '', expected: ',' or ')'`, { position: 11, found: '' }],
    ['app in (a b)', `${REQUIREMENT}found 'b', expected: ',' or ')'`, { position: 10, found: 'b' }],
    ['app in (=', `${REQUIREMENT}found '=', expected: ',', ')' or identifier`, { position: 8, found: '=' }],
    ['app in (', `${REQUIREMENT}found '', expected: ',', ')' or identifier`, { position: 8, found: '' }],
    ['app in (a,=', `${REQUIREMENT}found '=', expected: ',', or identifier`, { position: 10, found: '=' }],
    ['app in (a,', `${REQUIREMENT}found '', expected: ',', or identifier`, { position: 10, found: '' }],
    ['app==!', `${REQUIREMENT}found '!', expected: identifier`, { position: 5, found: '!' }],
    ['a===b', `${REQUIREMENT}found '=', expected: identifier`, { position: 3, found: '=' }],
    [
      'a/b/c=d',
      `${REQUIREMENT}<nil>: Invalid value: "a/b/c": a valid label key ${KEY_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      { position: 0, found: 'a/b/c' },
    ],
    ['ok,-a', `${REQUIREMENT}<nil>: Invalid value: "-a": name part ${KEY_RULE}`, { position: 3, found: '-a' }],
    ['app=-x', `${REQUIREMENT}values[0][app]: Invalid value: "-x": ${VALUE_RULE}`, { position: 4, found: '-x' }],
    ['app=wéb', `${REQUIREMENT}values[0][app]: Invalid value: "wéb": ${VALUE_RULE}`, { position: 4, found: 'wéb' }],
    [
      "app in ('web')",
      `${REQUIREMENT}values[0][app]: Invalid value: "'web'": ${VALUE_RULE}`,
      { position: 7, found: '(' },
    ],
    [
      `app=${'x'.repeat(64)}`,
      `${REQUIREMENT}values[0][app]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
      { position: 4, found: 'x'.repeat(64) },
    ],
    [
      'v>x',
      `${REQUIREMENT}values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
      { position: 2, found: 'x' },
    ],
    [
      'app>',
      `${REQUIREMENT}values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
      { position: 4, found: '' },
    ],
  ])('%j', (text, message, problem) => {
    expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({ code: 'SELECTOR', message, ...problem }));
  });

  test('a value error is reported at its index in the sorted set', () => {
    expect(() => parseLabelSelector('a in (z,-y)')).toThrow('values[0][a]: Invalid value: "-y"');
  });
});

describe('exact matches', () => {
  test.each([
    ['app=web', 'app', 'web'],
    ['app==web', 'app', 'web'],
    ['app in (web)', 'app', 'web'],
    ['app=', 'app', ''],
    ['app in (a,b)', 'app', undefined],
    ['app!=web', 'app', undefined],
    ['app', 'app', undefined],
    ['app=web', 'tier', undefined],
    // The first condition on a key speaks for it, as in Kubernetes.
    ['app,app=web', 'app', undefined],
  ])('%j pins %s to %j', (text, key, value) => {
    expect(parseLabelSelector(text).requiresExactMatch(key)).toBe(value);
  });

  test('all pinned labels are listed', () => {
    expect(parseLabelSelector('b in (2),a=1,c!=3,d,e in (5,6)').exactTerms).toEqual([
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ]);
  });
});

describe('the structured form', () => {
  test('labels and expressions must all match', () => {
    const selector = labelSelector({
      matchLabels: { tier: 'back', app: 'web' },
      matchExpressions: [
        { key: 'env', operator: 'In', values: ['prod', 'beta'] },
        { key: 'zone', operator: 'NotIn', values: ['x'] },
        { key: 'team', operator: 'Exists' },
        { key: 'legacy', operator: 'DoesNotExist', values: [] },
      ],
    });
    expect(selector.text).toBe('app=web,env in (beta,prod),!legacy,team,tier=back,zone notin (x)');
    const labels = { app: 'web', tier: 'back', env: 'prod', team: 't' };
    expect(selector.matches(labels)).toBe(true);
    expect(selector.matches({ ...labels, legacy: '' })).toBe(false);
  });

  test('an empty one selects everything', () => {
    const selector = labelSelector({});
    expect(selector.isEmpty).toBe(true);
    expect(selector.matches({ any: 'thing' })).toBe(true);
  });

  test('an unknown operator is refused', () => {
    // @ts-expect-error the operator comes from JSON that nobody checked
    expect(() => labelSelector({ matchExpressions: [{ key: 'a', operator: 'Like' }] })).toThrow(
      new TypeError('"Like" is not a valid label selector operator'),
    );
  });

  test('a bad key or value is refused with the text of Kubernetes', () => {
    expect(() => labelSelector({ matchLabels: { '/a': 'b' } })).toThrow(
      'key: Invalid value: "/a": prefix part must be non-empty',
    );
    expect(() => labelSelector({ matchExpressions: [{ key: 'a', operator: 'In' }] })).toThrow(
      "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    );
  });
});

test('only the selector without conditions is empty', () => {
  expect(parseLabelSelector('').isEmpty).toBe(true);
  expect(parseLabelSelector('a').isEmpty).toBe(false);
});

test('a NUL ends a word, and between words it ends the selector', () => {
  expect(parseLabelSelector('a\0').text).toBe('a');
  expect(parseLabelSelector('a \0=b').text).toBe('a');
  expect(() => parseLabelSelector('a\0b')).toThrow("found 'b', expected: in, notin, =, ==, !=, gt, lt");
});
