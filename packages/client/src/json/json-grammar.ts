/** The grammar of JSON as a table: which state each byte leads to. The scanner keeps track of the nesting. */

/** States: what the next byte may be. They are numbers because they index the table. */
export const VALUE = 0;
export const FIRST_ITEM = 1;
export const FIRST_KEY = 2;
export const KEY = 3;
const AFTER_KEY = 4;
export const AFTER_VALUE = 5;
export const IN_STRING = 6;
const IN_KEY = 7;
/** Behind a backslash: 8 in a string, 9 in a key; then 10 to 17 for the four digits of `\u`. */
const ESCAPE = 8;
const MINUS = 18;
const ZERO = 19;
const INTEGER = 20;
const POINT = 21;
const FRACTION = 22;
const EXPONENT = 23;
const EXPONENT_SIGN = 24;
const EXPONENT_DIGITS = 25;
/** The letters of `true`, `false` and `null` behind the first: 26 to 35. */
const WORDS = 26;

/** From here on it is no state, but something for the scanner to do. */
export const FIRST_ACTION = 40;
export const OPENS_OBJECT = 40;
export const OPENS_ARRAY = 41;
export const CLOSES_OBJECT = 42;
const CLOSES_ARRAY = 43;
export const SEPARATES = 44;
/** The byte is the last of a string or a word. */
export const ENDS_VALUE = 45;
/** The byte is the first behind a number. */
export const ENDS_NUMBER = 46;
export const IS_INVALID = 47;

const BLANKS = ' \n\r\t';
const HEX = '0123456789abcdefABCDEF';
const DIGITS = '0123456789';

/** The state or action for each state and byte, at `state << 8 | byte`. */
export const GRAMMAR: Uint8Array = grammar();

/** Describes what a state allows, for error messages. */
export function expectedIn(state: number): string {
  if (state === VALUE || state === FIRST_ITEM) return 'a value';
  if (state === FIRST_KEY || state === KEY) return 'a key';
  if (state === AFTER_KEY) return '":"';
  if (state === AFTER_VALUE) return '"," or a closing bracket';
  if (state < MINUS) return 'the rest of a string';
  return state < WORDS ? 'the rest of a number' : 'the rest of true, false or null';
}

function grammar(): Uint8Array {
  const table = new Uint8Array(FIRST_ACTION << 8).fill(IS_INVALID);
  const on = (state: number, bytes: string, next: number): void => {
    for (const byte of bytes) table[(state << 8) | byte.charCodeAt(0)] = next;
  };
  for (const state of [VALUE, FIRST_ITEM, FIRST_KEY, KEY, AFTER_KEY, AFTER_VALUE]) on(state, BLANKS, state);
  for (const state of [VALUE, FIRST_ITEM]) {
    on(state, '{', OPENS_OBJECT);
    on(state, '[', OPENS_ARRAY);
    on(state, '"', IN_STRING);
    on(state, '-', MINUS);
    on(state, '0', ZERO);
    on(state, '123456789', INTEGER);
  }
  on(FIRST_ITEM, ']', CLOSES_ARRAY);
  on(FIRST_KEY, '}', CLOSES_OBJECT);
  for (const state of [FIRST_KEY, KEY]) on(state, '"', IN_KEY);
  on(AFTER_KEY, ':', VALUE);
  on(AFTER_VALUE, ',', SEPARATES);
  on(AFTER_VALUE, '}', CLOSES_OBJECT);
  on(AFTER_VALUE, ']', CLOSES_ARRAY);
  putStrings(table, on);
  putNumbers(on);
  putWords(on);
  return table;
}

type Put = (state: number, bytes: string, next: number) => void;

function putStrings(table: Uint8Array, on: Put): void {
  for (const [offset, state] of [IN_STRING, IN_KEY].entries()) {
    const escape = ESCAPE + offset;
    table.fill(state, (state << 8) | 0x20, (state + 1) << 8);
    on(state, '"', state === IN_KEY ? AFTER_KEY : ENDS_VALUE);
    on(state, '\\', escape);
    on(escape, '"\\/bfnrt', state);
    on(escape, 'u', escape + 2);
    for (const digit of [1, 2, 3]) on(escape + 2 * digit, HEX, escape + 2 * digit + 2);
    on(escape + 8, HEX, state);
  }
}

function putNumbers(on: Put): void {
  for (const state of [ZERO, INTEGER, FRACTION, EXPONENT_DIGITS]) on(state, `${BLANKS},]}`, ENDS_NUMBER);
  on(MINUS, '0', ZERO);
  on(MINUS, '123456789', INTEGER);
  on(INTEGER, DIGITS, INTEGER);
  for (const state of [ZERO, INTEGER]) on(state, '.', POINT);
  for (const state of [POINT, FRACTION]) on(state, DIGITS, FRACTION);
  for (const state of [ZERO, INTEGER, FRACTION]) on(state, 'eE', EXPONENT);
  on(EXPONENT, '+-', EXPONENT_SIGN);
  for (const state of [EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS]) on(state, DIGITS, EXPONENT_DIGITS);
}

function putWords(on: Put): void {
  let state = WORDS;
  for (const word of ['true', 'false', 'null']) {
    for (const start of [VALUE, FIRST_ITEM]) on(start, word.slice(0, 1), state);
    for (const letter of word.slice(1, -1)) {
      on(state, letter, state + 1);
      state += 1;
    }
    on(state, word.slice(-1), ENDS_VALUE);
    state += 1;
  }
}
