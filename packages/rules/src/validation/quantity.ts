/** Resource quantities: `500m`, `1Gi`, `2e3`. */

export { canonicalQuantity, isQuantity } from '@listwatch/schema';

const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The longest text that is read as a quantity, as in the decoder. */
const MAX_LENGTH = 1024;

// A digit can match in one place only: `\d+\.?\d*` tries every way to split a run of digits in two.
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)`;
const VALUE = new RegExp(String.raw`^(${NUMBER}(?:[eE][+-]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$`);

/** The quantity as a number; NaN for other text. `1000m` and `1` are the same number. */
export function quantityValue(quantity: unknown): number {
  if (typeof quantity === 'number' || typeof quantity === 'bigint') return Number(quantity);
  const [, digits, suffix = ''] =
    typeof quantity === 'string' && quantity.length <= MAX_LENGTH ? (VALUE.exec(quantity) ?? []) : [];
  if (digits === undefined) return Number.NaN;
  // Dividing by 1000 is exact where multiplying by 0.001 is not.
  const factor = SUFFIXES[suffix] ?? 1;
  return factor < 1 ? Number(digits) / Math.round(1 / factor) : Number(digits) * factor;
}
