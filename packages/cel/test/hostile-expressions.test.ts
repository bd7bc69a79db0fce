import { expect, test } from 'vitest';
import {
  adaptJson,
  CelCompileError,
  CelEnvironment,
  CelError,
  DYN,
  INT,
  kubernetesEnvironment,
  listType,
  STRING,
} from '../src/index.ts';

const CANCELLED = 'operation cancelled: actual cost limit exceeded';
const COST = 1_000_000;

const environment = kubernetesEnvironment().extend({
  variables: { list: listType(INT), text: STRING, any: DYN },
});
const variables = {
  list: adaptJson(Array.from({ length: 200 }, (_, index) => index)),
  text: `${'a'.repeat(200_000)}!`,
  any: adaptJson({ a: [1, 2, 3], faces: '😀'.repeat(50_000) }),
};

function failure(expression: string): string | undefined {
  const { result } = environment.compile(expression).evaluate(variables, { cost: COST });
  return result instanceof CelError ? result.message : undefined;
}

function refusal(expression: string): string {
  try {
    environment.compile(expression);
  } catch (error) {
    if (error instanceof CelCompileError) return error.message;
    throw error;
  }
  return '';
}

/** `x` doubled `count` times by macros: each of them costs next to nothing. */
function doubled(start: string, count: number): string {
  return `[${start}]${'.map(x, x + x)'.repeat(count)}`;
}

test.each([
  ['nested loops', 'list.all(x, list.all(y, list.all(z, x + y + z >= 0)))'],
  ['a loop that absorbs errors', 'list.exists(x, list.exists(y, list.exists(z, 1 / 0 == x)))'],
  ['a list that doubles', `${doubled('[0]', 40)}.size() > 0`],
  ['a string that doubles', `${doubled('"ab"', 40)}.size() > 0`],
  ['bytes that double', `${doubled('b"ab"', 40)}.size() > 0`],
  ['equality of values that share their parts', `[[1]]${'.map(x, [x, x])'.repeat(60)}.all(x, x == x)`],
  ['a pattern with many instructions', 'text.matches("([ab]{0,30}){0,30}[cd]")'],
  [
    'patterns that are compiled in a loop',
    'list.all(x, list.all(y, "a".matches("^a" + string(x * 1000 + y) + "?$") || true))',
  ],
  ['time zones in a loop', 'list.all(x, list.all(y, timestamp(x * 1000 + y).getHours("Europe/Berlin") >= 0))'],
  ['a format with a huge result', `${doubled('"%s"', 24)}.all(x, x.format(list.map(y, text)).size() > 0)`],
  ['membership in a long list', 'list.all(x, list.all(y, !(x * y + 1000000 in list)))'],
])('%s is cancelled', (_name, expression) => {
  expect(failure(expression)).toBe(CANCELLED);
});

test('a pattern that a backtracking engine never finishes takes linear time', () => {
  const { result } = environment.compile('text.matches("(a+)+$")').evaluate(variables, { cost: COST });
  expect(result).toBe(false);
});

/** The cost of these is that of a constant. Without steps each of them held its thread for 30 to 500 ms. */
test.each([
  ['the size of a long text', 'text.size() > 0'],
  ['the size of a long text of unknown type', 'any.faces.size() > 0'],
  ['a character of a long text', 'any.faces.charAt(49000) != "a"'],
  ['a long text that is no number', 'double(text) > 0.0 || true'],
  ['a long text in hexadecimal digits', '"%x".format([text]).size() > 0'],
  ['a number with a thousand digits', '"%.1000f".format([1.5]).size() > 0'],
  ['a long text that is formatted', '"%s".format([text]).size() > 0'],
])('%s, read in a loop, ends an evaluation that others wait for', (_name, expression) => {
  const program = environment.compile(`list.all(x, list.all(y, ${expression}))`);
  const { result, cost } = program.evaluate(variables, { cost: COST, quick: { cost: COST, steps: 50_000 } });
  expect(result).toMatchObject({ message: CANCELLED });
  expect(cost).toBeLessThan(COST / 20);
});

test('the parts of a long URL are read once, however often an expression asks', () => {
  const any = adaptJson(`https://example.com/${'a b/'.repeat(5000)}?${'a=b&'.repeat(5000)}`.replaceAll(' ', '%20'));
  const parts = 'u.getQuery().size() == 1 && u.getEscapedPath() != "" && u == u';
  // Each time anew takes a minute.
  const { result } = environment
    .compile(`[url(any)].all(u, lists.range(10000).all(i, ${parts}))`)
    .evaluate({ ...variables, any }, { cost: COST });
  expect(result).toBe(true);
});

test('the names of a large object are listed once for all views of it', () => {
  let listed = 0;
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index]));
  const large = new Proxy(fields, {
    ownKeys(target) {
      listed += 1;
      return Reflect.ownKeys(target);
    },
  });
  const { result } = environment
    .compile('list.all(x, any.large.size() == 1000 && any.large.exists(k, true) && any.large != {} && size(any) == 1)')
    .evaluate({ ...variables, any: adaptJson({ large }) }, { cost: COST });
  expect([result, listed]).toEqual([true, 1]);
});

test('a loop over the characters of an ordinary text is not cancelled', () => {
  const long = adaptJson('é😀'.repeat(500));
  const expression = 'lists.range(1000).all(i, any.charAt(i) != "a" && any.size() == 1000)';
  const { result, cost } = environment.compile(expression).evaluate({ ...variables, any: long }, { cost: COST });
  expect([result, cost < COST / 20]).toEqual([true, true]);
});

test.each([
  [-1, 'index out of range: -1'],
  [0, '😀'],
  [1, 'a'],
  [2, '\ud83d'],
  [3, ''],
  [4, 'index out of range: 4'],
])('the character at %i of a text with a pair and half a pair', (position, expected) => {
  const { result } = environment.compile('any.charAt(list[0])').evaluate({
    list: adaptJson([position]),
    any: adaptJson('😀a\ud83d'),
  });
  expect(result instanceof CelError ? result.message : result).toBe(expected);
});

test('no operator absorbs the end of the budget', () => {
  const endless = 'list.all(x, list.all(y, list.all(z, true)))';
  expect(failure(`${endless} || true`)).toBe(CANCELLED);
  expect(failure(`true || ${endless}`)).toBeUndefined();
  expect(failure(`[1].exists(i, ${endless}) || true`)).toBe(CANCELLED);
  expect(failure(`optional.of(${endless}).orValue(true)`)).toBe(CANCELLED);
});

test.each([
  ['parentheses', `${'('.repeat(100_000)}1`, /code point size|recursion limit/u],
  ['lists', '['.repeat(40_000), /recursion limit/u],
  ['calls', `${'size('.repeat(10_000)}1`, /recursion limit/u],
  ['selections', `any${'.a'.repeat(30_000)}`, /max recursion depth exceeded/u],
  ['sums', `1${'+1'.repeat(40_000)}`, /max recursion depth exceeded/u],
  ['conditions', 'true ? '.repeat(10_000), /Syntax error/u],
  ['a long text', `"${'a'.repeat(200_000)}"`, /expression code point size exceeds limit: size: 200002, limit 100000/u],
  [
    'macros that copy their target',
    `optional.of(1)${'.optMap(x, x)'.repeat(60)}`,
    /node count exceeds limit|recursion depth/u,
  ],
  ['types that double', `[1]${'.map(x, {x: x})'.repeat(60)}`, /type of \d+ parts exceeds limit: 500/u],
  ['noise', ') ( ] [ } { '.repeat(5000), /Syntax error/u],
])('%s beyond the limits of the parser are refused', (_name, expression, message) => {
  expect(refusal(expression)).toMatch(message);
});

test('long chains of && and || are as deep as their logarithm', () => {
  const { result } = environment.compile(`${'true && '.repeat(9_000)}true`).evaluate(variables, { cost: COST });
  expect(result).toBe(true);
});

test('many unary operators are one', () => {
  expect(environment.compile(`${'!'.repeat(50_000)}true`).evaluate(variables).result).toBe(true);
});

test('values named like members of Object.prototype are not there', () => {
  const plain = new CelEnvironment({ variables: { any: DYN } });
  const any = adaptJson(JSON.parse('{"__proto__": 1, "b": 2}'));
  const resultOf = (expression: string): unknown => plain.compile(expression).evaluate({ any }).result;
  expect(resultOf('has(any.constructor) || has(any.toString) || "valueOf" in any')).toBe(false);
  expect(resultOf('any["__proto__"] == 1 && size(any) == 2')).toBe(true);
});
