/** Doubles with a number of digits, rounded exactly and to even, as Go prints them. */

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `%.2f`: digits behind the point. */
export function fixedText(value: number, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits, isNegative] = roundedDigits(value, precision);
  const padded = digits.padStart(precision + 1, '0');
  const whole = padded.slice(0, padded.length - precision);
  return `${isNegative ? '-' : ''}${whole}${precision === 0 ? '' : `.${padded.slice(padded.length - precision)}`}`;
}

/** `%.2f` with a comma between thousands, as the English language has it. */
export function groupedText(value: number, precision: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [whole = '', fraction] = fixedText(value, precision).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `1.500000×10⁰³`. */
export function scientificText(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const exponent = value === 0 ? 0 : Number(value.toExponential(6).split('e')[1]);
  const [mantissa = ''] = value.toExponential(6).split('e');
  const sign = exponent < 0 ? '⁻' : '';
  const power = String(Math.abs(exponent)).padStart(2, '0');
  const sup = Array.from(power, (digit) => SUPERSCRIPTS.charAt(Number(digit))).join('');
  return `${Object.is(value, -0) ? '-' : ''}${mantissa}×10${sign}${sup}`;
}

function notFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

/** The integer nearest to `|value| * 10^precision`, ties to even. */
function roundedDigits(value: number, precision: number): readonly [string, boolean] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  const power = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = power === 0 ? fraction : fraction | 0x10000000000000n;
  const exponent = (power === 0 ? 1 : power) - 1075;
  const scaled = mantissa * 10n ** BigInt(precision);
  if (exponent >= 0) return [String(scaled << BigInt(exponent)), isNegative];
  const divisor = 1n << BigInt(-exponent);
  const quotient = scaled / divisor;
  const twice = (scaled % divisor) * 2n;
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return [String(isUp ? quotient + 1n : quotient), isNegative];
}
