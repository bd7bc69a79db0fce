import { readFileSync } from 'node:fs';
import {
  canonicalDuration,
  canonicalQuantity,
  cidrText,
  durationProblem,
  firstOfRange,
  ipText,
  parseCidr,
  parseDuration,
  parseIp,
  Quantity,
  quantityProblem,
  unmappedIp,
} from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';

type QuantityLine = readonly [
  text: string,
  problem: string | null,
  canonical: string,
  sign: number,
  other: string,
  comparison: number,
  sum: string,
  difference: string,
  whole: string,
  milli: string,
];

/** What `judge/main.go` printed. */
function judged(name: string): readonly unknown[] {
  const file = readFileSync(new URL(`judge/${name}.jsonl`, import.meta.url), 'utf8');
  return file
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

/** No suffix stands for 10^21. Kubernetes then writes the number without one, which is another amount: ours keeps `E`. */
function losesSuffix(text: string): boolean {
  return (
    /^[-+]?\d*\.?\d*E$/.test(text) &&
    Quantity.parse(text).value(21) !== 0n &&
    Quantity.parse(text).value(18) % 1000n === 0n
  );
}

describe('quantities are those of Kubernetes', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the judge prints nothing else
  const lines = judged('quantities') as readonly QuantityLine[];

  it('refuses the same texts with the same messages', () => {
    for (const [text, problem] of lines) expect([text, quantityProblem(text) ?? null]).toEqual([text, problem ?? null]);
  });

  const legal = lines.filter(([, problem]) => problem === null);

  it('stores the same text', () => {
    for (const [text, , canonical] of legal) {
      if (!losesSuffix(text)) expect([text, canonicalQuantity(text)]).toEqual([text, canonical]);
    }
  });

  it('compares, adds and subtracts to the same amounts and texts', () => {
    for (const [text, , , sign, otherText, comparison, sum, difference] of legal) {
      const [quantity, other] = [Quantity.parse(text), Quantity.parse(otherText)];
      expect([text, quantity.sign, otherText, quantity.compare(other)]).toEqual([text, sign, otherText, comparison]);
      if (losesSuffix(text) || losesSuffix(otherText)) continue;
      const found = [quantity.add(other), quantity.subtract(other)].map(String);
      expect([text, otherText, ...found]).toEqual([text, otherText, sum, difference]);
    }
  });

  it('rounds to the same amounts', () => {
    for (const [text, , , , , , , , whole, milli] of legal) {
      if (losesSuffix(text)) continue;
      const quantity = Quantity.parse(text);
      const found = [quantity.roundUp(), quantity.roundUp(-3)].map(String);
      // Kubernetes keeps the text of an amount that need not be rounded.
      expect([text, ...found]).toEqual([text, canonicalText(whole), canonicalText(milli)]);
    }
  });
});

function canonicalText(text: string): string {
  return Quantity.parse(text).toString();
}

describe('durations are those of Go', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the judge prints nothing else
  const lines = judged('durations') as readonly (readonly [string, string | null, string, string])[];

  it('refuses the same texts with the same messages', () => {
    for (const [text, problem] of lines) expect([text, durationProblem(text) ?? null]).toEqual([text, problem]);
  });

  it('reads the same nanoseconds and writes the same text', () => {
    for (const [text, problem, nanos, canonical] of lines) {
      if (problem !== null) continue;
      expect([text, String(parseDuration(text)), canonicalDuration(text)]).toEqual([text, nanos, canonical]);
    }
  });
});

describe('addresses are those that Kubernetes reads', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the judge prints nothing else
  const lines = judged('addresses') as readonly (readonly [string, string, string])[];
  const syntax = { leadingZeros: true };

  it('reads the same addresses', () => {
    for (const [text, expected] of lines) {
      const address = parseIp(text, syntax);
      // Go writes an IPv4 address in IPv6 as the IPv4 address.
      expect([text, address === undefined ? '' : ipText(unmappedIp(address))]).toEqual([text, expected]);
    }
  });

  it('reads the same ranges', () => {
    for (const [text, , expected] of lines) {
      const range = parseCidr(text, syntax);
      const found = range === undefined ? '' : cidrText({ ...firstOfRange(range), prefix: range.prefix });
      expect([text, found]).toEqual([text, expected]);
    }
  });
});
