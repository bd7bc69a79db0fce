import { describe, expect, it, test } from 'vitest';
import { JsonPathError } from './json-path-error.ts';
import { JsonPath } from './path-template.ts';
import { TEMPLATE_DATA, TEMPLATES } from './templates.fixture.ts';

/** The text, or the error as the recorder wrote it. */
function printed(template: string, allowsMissing: boolean): string {
  const path = attempt('parse error', () => new JsonPath(template));
  return typeof path === 'string' ? path : attempt('error', () => path.print(TEMPLATE_DATA, { allowsMissing }));
}

function attempt<T>(kind: string, run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof JsonPathError) return `${kind}: ${error.message}`;
    throw error;
  }
}

describe('a template prints what client-go prints', () => {
  it.each(TEMPLATES.map((row) => ({ row, template: row[0] })))(
    '$template',
    ({ row: [template, expected, lenient = expected] }) => {
      expect(printed(template, false)).toBe(expected);
      expect(printed(template, true)).toBe(lenient);
    },
  );
});

test('find gives the values of each part', () => {
  const service = { spec: { ports: [{ name: 'http', port: 80 }] } };
  expect(new JsonPath('{.spec.ports[?(@.name=="http")].port}').find(service)).toEqual([[80]]);
});

test('a path finds only what the object itself has', () => {
  expect(new JsonPath('{.constructor}').find({}, { allowsMissing: true })).toEqual([[]]);
});

describe('hostile templates', () => {
  it('are refused when they are long or nested', () => {
    expect(() => new JsonPath(`{.${'a'.repeat(20_000)}}`)).toThrow('the template is longer than 16384 characters');
    const unions = '[0,'.repeat(2000);
    expect(() => new JsonPath(`{${unions}}`)).toThrow(JsonPathError);
  });

  it('stop when they look at too many values', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 300; depth += 1) value = { a: value, b: { c: depth } };
    expect(() => new JsonPath('{..a..a..a..a..a}').find(value, { allowsMissing: true })).toThrow(
      'the path looks at too many values',
    );
  });
});

it('reads unions whose parts are separated by as many spaces as a template may have, in one go', () => {
  // By a regular expression each took a second, and a definition has up to a thousand columns: on the thread that serves everybody.
  const template = `{.a[1,2${' '.repeat(16_000)}3]}`;
  for (let column = 0; column < 200; column += 1) expect(printed(template, true)).toContain('invalid array index');
});
