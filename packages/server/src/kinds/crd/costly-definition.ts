/** Custom kinds whose objects take long to validate, however small they are: they are validated in the worker. */

import { patternWork } from '@listwatch/cel';

/** Reading the schemas of a larger definition takes ten milliseconds. */
const BYTES_MAX = 64 * 1024;
/** Compiling a rule takes one or two milliseconds on a fresh process. */
const RULES_MAX = 10;
/** A pattern with more instructions takes tens of milliseconds on the longest string of a small object. */
const PATTERN_MAX = 200;
/** Two nested loops compare every pair of items. */
const LOOPS_MAX = 1;

const LOOP = /\.(?:all|exists|exists_one|map|filter|transformList|transformMap|sortBy)\(/gu;
const EXPRESSIONS = /"(rule|messageExpression|pattern)":("(?:[^"\\]|\\.)*")/gu;

/** Is the definition costly? The bytes are those that the server stores, without blanks. */
export function isCostlyDefinition(bytes: Uint8Array): boolean {
  if (bytes.length > BYTES_MAX) return true;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  let rules = 0;
  for (const [, name, quoted = '""'] of text.matchAll(EXPRESSIONS)) {
    const expression = String(JSON.parse(quoted));
    if (name === 'pattern') {
      if (patternWork(expression) > PATTERN_MAX) return true;
      continue;
    }
    rules += 1;
    const loops = expression.match(LOOP) ?? [];
    if (rules > RULES_MAX || loops.length > LOOPS_MAX || /\bmatches\(|\.find(?:All)?\(/u.test(expression)) return true;
  }
  return false;
}
