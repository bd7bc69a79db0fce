/** Numbers with a check digit. */

const ISBN_TEXT_MAX = 64;
const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** The number of a credit card; other characters do not count. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, '');
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.at(-1 - index));
    const value = index % 2 === 0 ? digit : digit * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** An ISBN of ten digits; blanks and dashes do not count. */
export function isIsbn10(text: string): boolean {
  const digits = isbnDigits(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index += 1) {
    const digit = digits.charAt(index);
    sum += (index + 1) * (digit === 'X' ? 10 : Number(digit));
  }
  return sum % 11 === 0;
}

/** An ISBN of thirteen digits; blanks and dashes do not count. */
export function isIsbn13(text: string): boolean {
  const digits = isbnDigits(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index += 1) sum += (index % 2 === 0 ? 1 : 3) * Number(digits.charAt(index));
  return Number(digits.charAt(12)) === (10 - (sum % 10)) % 10;
}

function isbnDigits(text: string): string {
  return text.length > ISBN_TEXT_MAX ? '' : text.replaceAll(/[\s-]+/g, '');
}
