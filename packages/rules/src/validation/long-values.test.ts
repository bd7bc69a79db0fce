import { canonical, DecodePlans, decodeProblem, type ScalarType, SchemaSet } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { validateDataKeys } from './data-keys.ts';
import { checkPortName } from './value-rules.ts';

const PIECES = ['0', '9', 'a', '-', '.', '0.', '1.', '+', 'e', '1e', 'E', '=', 'A=', '\n', '\r\n', ' ', ':', '.1', 'Z'];

/** Long enough that work which grows with the square of the text takes minutes. */
const TEXTS = PIECES.flatMap((piece) => {
  const long = piece.repeat(100_000);
  return [long, `${long}!`, `1${long}`, `2001-01-01T00:00:00.${long}x`];
});

function reading(type: ScalarType): (text: string) => unknown {
  const plan = new DecodePlans(new SchemaSet()).of({ fields: { field: { type } } });
  if (plan.is !== 'struct') throw new TypeError('the schema is a struct');
  return (field) => decodeProblem(plan, { field }) ?? canonical(plan, { field });
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  bytes: reading('bytes'),
  duration: reading('duration'),
  intOrString: reading('intOrString'),
  microTime: reading('microTime'),
  quantity: reading('quantity'),
  time: reading('time'),
  checkPortName,
  validateDataKeys: (text) => validateDataKeys({ [text]: '' }, 'data'),
};

describe('long repetitive text takes no longer than its length', () => {
  it.each(Object.entries(READERS))('%s', { timeout: 30_000 }, (_, read) => {
    expect(() => TEXTS.forEach((text) => read(text))).not.toThrow();
  });
});
