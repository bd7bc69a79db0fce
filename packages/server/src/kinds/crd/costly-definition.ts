/** Custom kinds whose objects take long to validate, however small they are: they are validated in the worker. */

import { isRecord } from '@listwatch/api/values';
import { patternWork } from '@listwatch/cel';

/** Reading the schemas of a larger definition takes ten milliseconds. */
const BYTES_MAX = 64 * 1024;
/** Compiling a rule takes one or two milliseconds on a fresh process. */
const RULES_MAX = 10;
/** Compiling a pattern with more instructions takes milliseconds. */
const PATTERN_MAX = 200;
/** Two nested loops compare every pair of items. */
const LOOPS_MAX = 1;
/** Characters times instructions: to match more takes more than 25 ms when every instruction is busy. */
const MATCH_MAX = 250_000;

const LOOP = /\.(?:all|exists|exists_one|map|filter|transformList|transformMap|sortBy)\(/gu;
const RULE = /"(?:rule|messageExpression)":("(?:[^"\\]|\\.)*")/gu;
const PATTERN = /"pattern":"/u;
/** Their schemas validate the same value as the schema that they are in. */
const JUNCTORS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/** Does it take long to validate an object of this many bytes? */
export type CostlyObjects = (bytes: number) => boolean;

/** The objects of a definition that take long to validate. `bytes` are those that the server stores, without blanks. */
export function costlyObjects(bytes: Uint8Array): CostlyObjects {
  if (bytes.length > BYTES_MAX) return always;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  let rules = 0;
  for (const [, quoted = '""'] of text.matchAll(RULE)) {
    const expression = String(JSON.parse(quoted));
    rules += 1;
    const loops = expression.match(LOOP) ?? [];
    if (rules > RULES_MAX || loops.length > LOOPS_MAX || /\bmatches\(|\.find(?:All)?\(/u.test(expression))
      return always;
  }
  if (!PATTERN.test(text)) return never;
  const { largest, work, defaults } = patternsOf(JSON.parse(text));
  if (largest > PATTERN_MAX) return always;
  return (size) => (size + defaults) * work > MATCH_MAX;
}

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}

/** The patterns of a definition. */
interface Patterns {
  /** The instructions of the largest. */
  readonly largest: number;
  /** The instructions of all patterns that may match the same text, at most. */
  readonly work: number;
  /** The length of all texts in defaults: objects have them, too. */
  readonly defaults: number;
}

/** A part of a definition, and where it stands. */
interface Part {
  readonly value: unknown;
  readonly isInJunctor: boolean;
  readonly isInDefault: boolean;
}

/** Fields that have the name of a keyword may make the result too large, which costs a trip to the worker. */
function patternsOf(definition: unknown): Patterns {
  let [largest, inJunctors, defaults] = [0, 0, 0];
  // No recursion: a stranger decides how deep schemas are.
  const open: Part[] = [{ value: definition, isInJunctor: false, isInDefault: false }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { value, isInJunctor, isInDefault } = part;
    if (isInDefault && typeof value === 'string') defaults += value.length;
    if (Array.isArray(value)) for (const item of value) open.push({ value: item, isInJunctor, isInDefault });
    if (!isRecord(value)) continue;
    for (const [name, member] of Object.entries(value)) {
      const below = isInJunctor || JUNCTORS.has(name);
      open.push({ value: member, isInJunctor: below, isInDefault: isInDefault || name === 'default' });
      if (name !== 'pattern' || typeof member !== 'string') continue;
      const work = patternWork(member);
      largest = Math.max(largest, work);
      if (isInJunctor) inJunctors += work;
    }
  }
  return { largest, work: largest + inJunctors, defaults };
}
